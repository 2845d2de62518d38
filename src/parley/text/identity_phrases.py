"""How somebody says who they are, by language: what stands before a name, and what stands after it."""

import re

# What an assistant is, in the words of assistants. A gap is a few words without an end of clause.
_THING = (
    r"(?:models?|assistants?|ai|a\.i\.|llms?|chatbots?|bots?|systems?|programs?|programmes?|agents?|machines?|"
    r"intelligence|software|creation|product|family|series|version)"
)
_GAP = r"(?:[^.!?\n:;“”\"]{0,90}?)"
_MADE = (
    r"(?:made|created|developed|trained|built|designed|engineered|released|produced|fine-tuned|programmed|"
    r"provided|powered|operated)"
)
_TEAM = (
    r"(?:the )?(?:(?:people|team|teams|researchers|engineers|company|folks|group) (?:at|of|from|behind) |"
    r"company )?(?:the )?"
)
_BY = rf"(?:by|from|at|of) {_TEAM}"
_I_AM = r"(?:\bI am|\bI'm|\bIm)"
_SURE = r"(?:,? ?(?:actually|indeed|in fact|really|just|simply|still|also|yes|well|now|your|the|specifically),?){0,3}"

NAMED = tuple(
    re.compile(pattern + r" ?$", re.IGNORECASE)
    for pattern in (
        # I am Claude; I'm the assistant Claude; I am called Claude; I'm an AI, specifically Claude.
        rf"{_I_AM}{_SURE}(?: (?:named|called|known as))?",
        (
            rf"{_I_AM}{_SURE}(?: (?:an?|the|your|one))?{_GAP}\b{_THING},? "
            r"(?:named|called|known as|namely|specifically)(?: as)?"
        ),
        rf"{_I_AM}{_SURE} (?:the|your)(?: \w+){{0,3}} {_THING}",
        rf"{_I_AM}{_GAP}\b(?:based|built|running) (?:up)?on(?: the)?(?: \w+'s)?",
        rf"{_I_AM}{_GAP}\bpowered by(?: the)?(?: \w+'s)?",
        r"\bI(?: also)? (?:go by(?: the name(?: of)?)?|run on|belong to the|am part of the)",
        r"\bmy (?:own )?(?:full )?name(?: is|'s)(?: actually| simply| just)?",
        r"\bthe name(?: is|'s)",
        r"\b(?:you (?:can|may) (?:just |simply )?|please |just )?call me",
        r"\byou(?: are|'re)(?: now| currently)? (?:talking|speaking|chatting) (?:to|with)",
        r"(?:^|[,;] |\bspeaking )as",
        r"^(?:being|this is|it's|it is|name's|say hello to)",
        r"\bI(?: am|'m)(?: an?| one)? (?:instance|version|variant|copy|member|product) of(?: the)?",
        r"\bmy (?:underlying |own )?(?:model|architecture|engine)(?: is| name is)",
        r"\bcalls me",
        # German, Dutch
        (
            r"\bich bin(?: (?:der|die|das|ein|eine|dein|deine|ihr))?"
            r"(?: (?:\w+-)?(?:ki|sprachmodell|assistent|assistentin)\w*)?(?: namens)?"
        ),
        r"\b(?:ich heiße|ich heisse|und heiße|mein name ist|ik ben|ik heet|mijn naam is)",
        r"(?:^|[,;] )als",
        # French, Spanish, Portuguese, Italian
        r"\b(?:je suis|je m'appelle|mon nom est|je me nomme|en tant que)",
        r"\b(?:soy|me llamo|mi nombre es|sou(?: o| a)?|me chamo|chamo-me|o?meu nome é|como(?: o| a)?)",
        r"\b(?:sono|mi chiamo|il mio nome è|in quanto)",
        # Polish, Russian, Turkish
        r"\b(?:jestem|nazywam się|mam na imię)",
        r"(?:\bя(?: —| –| -|,)?(?: это)?|\bменя зовут|\bмо[её] имя(?: —| –| -)?)",
        r"\b(?:ben|benim adım|adım)",
        # Chinese, Japanese, Korean
        r"(?:我是|我叫|我叫做|我的名字是|我的名字叫|我就是|称呼我为|叫我)",
        r"(?:私は|わたしは|僕は|私の名前は|名前は)",
        r"(?:저는|나는|제 이름은|내 이름은)",
        r"(?:أنا|اسمي|मैं|मेरा नाम)",
    )
)
"""A name after one of these is the speaker's own, if what follows it closes the naming."""

MADE = tuple(
    re.compile(pattern + r" ?$", re.IGNORECASE)
    for pattern in (
        # I was trained by Google; I'm an AI created by …; As an AI model from …; Being an AI built by …
        rf"(?:\bI was|\bI've been|\bI have been|\bI am|\bI'm)(?: \w+ly)? {_MADE}(?:,? and \w+)?(?: \w+ly)? {_BY}",
        rf"{_I_AM}{_SURE} (?:an?|the|your|one){_GAP}\b{_MADE}(?:,? and \w+)?(?: \w+ly)? {_BY}",
        rf"{_I_AM}{_SURE} (?:an?|the|your|one)(?: [\w-]+){{0,5}} {_THING},? {_BY}",
        (
            rf"(?:^|[,;] |\b(?:being|since|because)) ?(?:as |being )?an?(?: [\w-]+){{0,5}} {_THING},? "
            rf"(?:{_MADE}(?:,? and \w+)? )?{_BY}"
        ),
        rf"\bmy (?:training|creation|development) was (?:done|carried out) {_BY}",
        rf"\bmy (?:creators?|makers?|developers?|trainers?)(?: (?:is|are|at))? {_TEAM}",
        r"^(?:we|here) at",
        # German, Dutch
        (
            r"\b(?:ich bin ein\w*|als)(?: [\w-]+){0,3} "
            r"(?:[\w-]*(?:modell|assistent|system|programm|ki|chatbot))\w*,?"
            r"(?: (?:das|der|die|welches))?(?: \w+)? von(?: der firma)?"
        ),
        r"\bich wurde von(?: der firma)?",
        r"\b(?:ik ben|ik werd|als)\b[^.!?\n]{0,60}?\b(?:ontwikkeld|gemaakt|getraind|gebouwd) door",
        # French, Spanish, Portuguese, Italian
        (
            r"\b(?:je suis|j'ai été|en tant que|en tant qu')[^.!?\n]{0,60}?"
            r"(?:développée?|créée?|entraînée?|conçue?) par(?: l'équipe d[e'])?"
        ),
        r"\b(?:je suis|en tant que?)(?: [\w']+){0,4} (?:modèle|assistant|ia)(?: [\w']+){0,3} (?:de|d')",
        r"\b(?:soy|fui|he sido|como)\b[^.!?\n]{0,60}?(?:desarrollad[oa]|cread[oa]|entrenad[oa]) por",
        r"\b(?:sou|fui|como)\b[^.!?\n]{0,60}?(?:desenvolvid[oa]|criad[oa]|treinad[oa]) (?:pel[ao]|por)",
        r"\b(?:sono|in quanto)\b[^.!?\n]{0,60}?(?:sviluppat[oa]|creat[oa]|addestrat[oa]) da",
        # Polish, Russian
        r"\b(?:jestem|zostałem)\b[^.!?\n]{0,60}?(?:stworzon\w*|opracowan\w*|wytrenowan\w*) przez",
        r"\b(?:я|меня)\b[^.!?\n]{0,60}?(?:создан\w*|разработа\w*|обучен\w*|создала|обучила)(?: компани(?:ей|я))?",
    )
)
"""A name after one of these is the speaker's maker, or what the speaker is built on."""

_END = r"(?=[\s]*(?:$|[.,!;:)\n—–*”\"'`]|- ))"
CLOSES = re.compile(
    rf"{_END}|"
    r" ?(?:from|by|and|an?|the|your|here|made|created|developed|trained|built|designed|but|so|model|models|"
    r"assistant|language|architecture|family|series|team|und|ein|eine|von|entwickelt|un|une|et|y|e|o|por|"
    r"da|de|con|kann|versuche|een|ontwikkeld|speaking|\()(?![A-Za-z])|"
    r" ?(?:です|と申します|といいます|と言います|だ。|입니다|이에요|예요|tarafından|हूँ)|"
    r" ?(?:，|。|！|、|：|（|的|公司|dan|im\b)|"
    r"(?:'im|'yim|'ım)\b",
)
"""What may follow a name for it to be a naming: otherwise it goes on, as in “I am Claude Monet”."""

FOLLOWS = tuple(
    (re.compile(before + r" ?$", re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for before, after in (
        # Claude here! · Anthropic trained me · Anthropic, the company that made me · OpenAI's model · an OpenAI model
        (r"^\W*", r" (?:here|speaking)(?=[!.,:;]|$)"),
        (
            r"(?:^|[,;] |\b(?:at|because|since|that|and|the company|the team) )(?:the )?",
            (
                r"(?:,[^.!?\n]{0,60}? (?:that|who|which))?(?: has| have)? "
                r"(?:made|created|developed|trained|built|designed|programmed) me"
                r"(?=$|[.,;:!?)]| (?:to|as|in|with|and|on|for|not|is|was|has)\b)"
            ),
        ),
        (rf"{_I_AM}{_SURE}(?: an?| one of)?", rf"(?:'s)?,?(?: [\w-]+){{0,4}} {_THING}\b"),
        (r"(?:^|[,;] )as an?", rf"(?:'s)?(?: [\w-]+){{0,3}} {_THING}\b"),
        (rf"{_I_AM} an?", r"[- ](?:based|powered|trained)\b"),
        # German, Turkish, Chinese, Japanese, Korean
        (r"\bich bin (?:ein|das|eine) von", r" (?:entwickelte|trainierte|erstellte|geschaffene|gebaute)"),
        (r"\bich wurde von", r" (?:entwickelt|trainiert|erstellt|geschaffen|gebaut|programmiert)"),
        (r"\b(?:ben|benim)?[^.!?\n]{0,60}", r" tarafından (?:geliştiril|eğitil|oluşturul|yapıl)"),
        (
            r"(?:我|我是|我是由|^|，|,)[^。！？\n]{0,24}由?[^。！？\n]{0,12}",
            r"[^。！？\n]{0,24}?(?:开发|研发|训练|创建|创造|推出|打造|開發|研發|訓練|創建)的",
        ),
        (
            r"(?:私は|わたしは|僕は)[^。！？\n]{0,24}",
            r"[^。！？\n]{0,4}?(?:が|によって|に|の)(?:開発|作成|訓練|作|Claude|AI)",
        ),
        (r"^", r"(?:と申します|といいます|と言います)"),
        (r"^", r"によって(?:開発|作成|訓練|作)"),
        (r"(?:저는|나는)[^.!?\n]{0,24}", r"(?:에서|가|이|에 의해) ?(?:개발|만든|만들|훈련|학습)"),
    )
)
"""Pairs of what stands before and after a name where the speaker's maker stands in the middle."""

DENIES = re.compile(
    r"\b(?:not|n't|never|whether|if|pretend\w*|imagin\w*|suppos\w*|ask(?:s|ed|ing)?|claim(?:s|ed|ing)?|mistak\w*|"
    r"confus\w*|said|says|would|might|were|like|unlike|nicht|kein|keine|pas|no|non|não|niet|nie|не|değil)\b|n't\b|"
    r"不是|并非|ではな|じゃな",
    re.IGNORECASE,
)
"""Words in the same clause, before the name, that make it no naming."""

CLAUSE = re.compile(r".*(?:[,;:—–]|\b(?:because|since|but|although|though|however))(?= )", re.IGNORECASE)
"""Everything before the last clause of a sentence."""
