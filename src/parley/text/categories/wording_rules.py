"""Rules by which prompts ask for made-up texts, or say how the answer must look. Patterns are bounded."""

from parley.text.categories.rule import Rule, rule

_FORMS = (
    r"(?:poems?|haikus?|limericks?|sonnets?|short stor(?:y|ies)|stor(?:y|ies)|tales?|fairy ?tales?|novels?|songs?|"
    r"lyrics|screenplays?|scenes?|dialogues?|monologues?|scripts? for a (?:play|film|movie|sketch)|ballads?|"
    r"odes?|fan ?fiction|fables?|jokes?|rap|verses?|villanelle|rhymes?|epic|myth|lullab(?:y|ies)|(?:short |"
    r"stage )?plays?|conversations? between|(?:love|breakup) letters?|flash fiction|"
    r"backstor(?:y|ies)|plot twists?|parody|satire|skit|sketch comedy|character description|"
    r"opening paragraph|chapter)"
)

CREATIVE_WRITING: tuple[Rule, ...] = (
    rule(
        "asks for a made-up text",
        1.0,
        rf"\b(?:write|compose|create|tell|invent|rewrite|make up|come up with|give|draft|continue|craft|pen|imagine|"
        rf"need|want)\b"
        rf"(?:(?! about | on (?:how|why))[^.?!\n]){{0,60}}\b{_FORMS}\b",
        rf"^\W{{0,3}}(?:an? (?:\w{{1,12}} ){{0,2}})?{_FORMS} (?:about|of|on|in which|where|from)\b",
        r"\b(?:schreibe?|dichte|verfasse?|erzähle?|erfinde|reime)\b[^.?!\n]{0,60}(?:gedicht|geschichte|märchen|"
        r"lied|haiku|"
        r"kurzgeschichte|szene|dialog|witz|limerick|sonett|ballade|fabel|roman|songtext)",
        r"\b(?:écris|écrire|écrivez|compose|raconte|invente|imagine|rédige)\b[^.?!\n]{0,60}"
        r"(?:poème|histoire|conte|fable|chanson|haïku|nouvelle|scène|dialogue|blague|fable|sonnet|roman)",
        r"\b(?:escribe|escríbeme|compón|cuenta|cuéntame|inventa|crea|redacta)\b[^.?!\n]{0,60}"
        r"(?:poema|cuento|historia|canción|haiku|relato|escena|diálogo|chiste|fábula|soneto|novela)",
        r"\b(?:scrivi|componi|racconta|raccontami|inventa)\b[^.?!\n]{0,60}(?:poesia|storia|racconto|fiaba|"
        r"favola|canzone|"
        r"haiku|barzelletta)",
        r"\b(?:escreva|componha|conte|invente|crie)\b[^.?!\n]{0,60}(?:poema|história|conto|canção|fábula|piada)",
        r"\b(?:skriv|berätta|fortæl|fortell|kirjoita|kerro)\b[^.?!\n]{0,40}(?:dikt|digt|historia|historie|saga|"
        r"runo|tarina|sang|sång)",
        r"\b(?:schrijf|vertel|verzin)\b[^.?!\n]{0,60}(?:gedicht|verhaal|sprookje|liedje|mop)",
        r"(?:写|創作|创作|讲).{0,20}(?:诗|故事|小说|歌词|童话|笑话)|(?:詩|物語|小説|俳句|童話|歌詞).{0,12}(?:書|作|教)",
        r"(?:напиши|сочини|придумай|расскажи).{0,40}(?:стих|рассказ|сказк|песн|истори|анекдот)",
        r"(?:시|이야기|소설|동화|노래).{0,10}(?:써|지어|만들)|\b(?:napisz|opowiedz|wymyśl)\b.{0,40}(?:wiersz|opowiadanie|bajk|"
        r"histori|piosenk)",
    ),
    rule(
        "asks to take a part in a fiction",
        1.0,
        r"\b(?:role-?play|let'?s play a (?:story|text adventure|role)|text adventure|dungeon master)\b",
        r"\b(?:in the (?:style|voice) of (?:shakespeare|hemingway|poe|tolkien|dr\.? seuss|a pirate|lovecraft|"
        r"kafka|austen))",
        r"\b(?:im stil von|à la manière de|al estilo de)\b",
        r"\b(?:name|names|slogan|tagline)s? for (?:a|an|my|the) (?:fantasy|character|villain|hero|planet|"
        r"kingdom|dragon)",
    ),
    rule(
        "asks for invented characters or worlds",
        1.0,
        r"\b(?:describe|invent|create|design)\b[^.?!\n]{0,40}\b(?:protagonist|villain|fantasy world|fictional|"
        r"imaginary|alien (?:species|world)|magic system|character who)\b",
        r"\b(?:once upon a time|es war einmal|il était une fois|había una vez|érase una vez|c'era una volta)\b",
    ),
)

INSTRUCTIONS: tuple[Rule, ...] = (
    rule(
        "a length to keep",
        1.0,
        r"\b(?:in|under|within|at most|at least|no more than|maximum|max\.?|exactly|fewer than|less than|"
        r"limit\w{0,3} to|"
        r"up to|only|about|around|over|not exceed\w{0,3}|using)"
        r" (?:a |the |exactly |about |at most |only |roughly |just )?(?:\d{1,4}|one|two|three|four|five|six|"
        r"seven|eight|"
        r"ten|twelve|a single|single)[ -](?:\w{1,12} )?(?:words?|sentences?|paragraphs?|lines?|characters?|"
        r"bullet|bullets|"
        r"points?|items?|steps?|syllables?|letters?|stanzas?|verses?|pages?|emojis?|rows?)\b",
        r"\b\d{1,4}[ -](?:words?|sentences?|paragraphs?|lines?|bullet points?|characters?)(?: (?:max|or less|"
        r"or fewer|long|"
        r"limit|each|only)|-long|\b[^.\n]{0,20}(?:summary|essay|answer|version|description))",
        r"\b(?:in|mit|höchstens|maximal|genau|mindestens|unter) (?:genau |höchstens |maximal )?(?:\d{1,4}|einem|"
        r"zwei|drei|"
        r"vier|fünf|zehn) (?:\w{1,12} )?(?:wörtern?|worte[n]?|sätzen?|satz|zeilen|absätzen?|stichpunkten?|"
        r"punkten|zeichen|schritten)\b",
        r"\b(?:en|maximum|au plus|moins de|exactement) (?:exactement |maximum )?(?:\d{1,4}|une?|deux|trois|"
        r"quatre|cinq|dix) "
        r"(?:mots|phrases?|lignes?|paragraphes?|points?|étapes)\b",
        r"\b(?:en|máximo|menos de|exactamente) (?:exactamente )?(?:\d{1,4}|una?|dos|tres|cuatro|cinco|diez) "
        r"(?:palabras|frases?|oraci(?:ón|ones)|líneas?|párrafos?|puntos|pasos)\b",
        r"(?:\d{1,4}|[一二两三四五十]) ?(?:字|句话?|行|文字)(?:以内|以下|左右|で)?|不超过\d",
        r"(?:одним|двух|трёх|пяти) (?:предложени|слов)",
    ),
    rule(
        "a form to keep",
        1.0,
        r"\b(?:as|in|into|using|with|output|return|respond in|answer in|format(?:ted)? as) (?:a |an |the |"
        r"valid |raw |pure |"
        r"markdown |(?:two|three)-column |bulleted |numbered |comma-separated )?(?:json|yaml|xml|csv|markdown|"
        r"table|comma-separated|separated by commas|"
        r"bullet(?:ed)?(?: "
        r"points?| list)?|numbered list|tables?|all caps|capital letters|lower ?case|upper ?case|headings|"
        r"plain text)\b"
        r"(?! (?:work|parser|file into))",
        r"\b(?:als|in einer|in|im) (?:tabelle|liste|json|stichpunkten?|aufzählung|nummerierte liste|"
        r"kleinbuchstaben|großbuchstaben)\b",
        r"\b(?:sous forme de|dans un|en) (?:tableau|liste|puces|json|majuscules)\b|\ben (?:una |"
        r"formato )?(?:tabla|lista|"
        r"json|viñetas|mayúsculas)\b|以表格|表格形式|箇条書き|表形式|в виде (?:таблиц|списк)",
        r"\b(?:rhym\w{1,4} scheme|acrostic|iambic|every (?:line|sentence|paragraph|word)|each (?:line|sentence|"
        r"paragraph|"
        r"word|bullet|step|item|answer) (?:must|should|with|starts?|begins?|ends?|has)|jede[rs]? (?:satz|zeile|wort)|"
        r"chaque (?:phrase|ligne|vers)|cada (?:frase|línea|verso))\b",
    ),
    rule(
        "something that must not be in it",
        1.0,
        r"\b(?:do not|don'?t|without|never|avoid)\b (?:use |using |mention(?:ing)? |includ(?:e|ing) |explain\w{0,3} |"
        r"repeat(?:ing)? |say(?:ing)? |"
        r"writ(?:e|ing) |the (?:letter|word)|any )(?!of |std|\w{1,20}::)",
        r"\bno (?:introduction|preamble|explanations?|commentary|jargon|adjectives|adverbs|bullet points|"
        r"markdown|extra text|"
        r"emojis?|headings|other text|disclaimers?)\b",
        r"\b(?:ohne|vermeide|verwende (?:keine?n?|nicht)|benutze (?:keine?n?|nicht)|nicht verwenden)\b [^.\n]{0,40}"
        r"(?:wort|wörter|buchstabe|fachbegriff|einleitung|adjektiv|erklärung|anglizism)",
        r"\b(?:sans|n'utilise pas|évite)\b [^.\n]{0,30}(?:mot|lettre|jargon|introduction|adjectif|explication)",
        r"\b(?:sin|no uses|evita)\b [^.\n]{0,30}(?:palabra|letra|jerga|introducción|adjetivo|explicaci)",
        r"不要(?:使用|用|提)|не используй|使わず|使わない",
    ),
    rule(
        "what the answer must be",
        1.0,
        r"\b(?:respond|answer|reply|output|return) (?:with )?(?:only|just|nothing but|nothing else|solely|exactly)\b",
        r"\b(?:only|just) (?:the|output|return|answer|respond|reply|give|print) (?:with |the |me )?(?:code|"
        r"answer|number|result|"
        r"json|translation|name|letter|word|yes|final)\b",
        r"\b(?:start|begin|end|finish|conclude) (?:every|each|your|the|with|by)\b[^.\n]{0,40}\b(?:with|by|in|"
        r"question|word|phrase|"
        r"sentence|letter)\b",
        r"\bnothing else\b|\busing only\b|\bonly (?:using|words|use)\b|\bseparated by (?:commas|semicolons)\b",
        r"\b(?:due|tre|cinque|dieci) (?:frasi|parole|righe|punti)\b|\bune phrase (?:chacune|par)\b",
        r"\b(?:yes or no|with (?:a )?(?:single|one)) (?:only|word|sentence|number|letter)\b",
        r"\b(?:give|make|create|draw|build)(?: me)? an? (?:\w{1,12} )?(?:table|numbered list|bulleted list)\b",
        r"\b(?:must|should) (?:include|contain|begin|start|end|be exactly|use|mention|rhyme|not|be written)\b",
        r"\b(?:include|use|mention)(?: the)?(?: following)? (?:words?|phrases?|keywords?)\b|\bstep[- ]by[- ]step\b",
        r"\b(?:antworte|gib) (?:nur|ausschließlich|lediglich)\b|\bbeginne (?:jeden|mit|jede)\b|"
        r"\bschritt für schritt\b",
        r"\b(?:réponds|répondez) (?:uniquement|seulement)\b|\bresponde (?:solo|sólo|únicamente)\b|\bpaso a paso\b",
        r"只(?:输出|回答|返回)|отвечай только|ответь только|だけ(?:を)?(?:出力|答え)",
    ),
    rule(
        "whom or how it speaks",
        1.0,
        r"\b(?:as if you (?:were|are)|explain (?:it |this |that )?(?:to me )?(?:like|as if)|"
        r"like i'?m (?:five|5)|"
        r"you are an? \w|act as an? |pretend (?:to be|you)|in a (?:formal|casual|friendly|professional|humorous|"
        r"sarcastic|"
        r"neutral|polite) (?:tone|style|voice|manner)|for a \d{1,2}-year-old|for a (?:\w{1,12}[- ])?(?:child|"
        r"beginner|five-year-old|"
        r"kid|layperson)|"
        r"target audience|tone:)",
        r"\b(?:im stil|du bist ein|in einem (?:formellen|freundlichen|sachlichen) ton|für (?:kinder|anfänger))\b",
        r"\b(?:tu es un|dans le style|d'un ton|eres un|en un tono|actúa como|agis comme)\b",
    ),
)
