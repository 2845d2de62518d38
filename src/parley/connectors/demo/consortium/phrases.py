"""What members and arbiters say in every case, in three languages."""

from dataclasses import dataclass

from parley.connectors.demo.consortium.topic import Stance, Tongue


@dataclass(frozen=True)
class Phrases:
    """The fixed words of one language; braces are filled in."""

    # a member's decision
    lean: str
    lean_undo: str
    lean_undo_unknown: str
    lean_bold: str
    lean_bold_unknown: str
    lean_people: str
    lean_trial: str
    lean_yes: str
    lean_ask: str
    unknown: tuple[str, str, str]
    program: str
    # a member's layout
    claim: str
    but: str
    example: str
    heard: str
    asks_first: str
    asks_back: str
    verse: str
    # a member's thoughts
    by_skill: str
    by_rules: str
    puts_first: str
    by_choice: str
    no_knowledge: str
    unsure: dict[str, str]
    round: str
    took: str
    kept_point: str
    gave_way: str
    stayed: str
    exact: str
    nothing_to_add: str
    too_long: str
    added: str
    # an arbiter
    member: str
    listed_and: str
    impression: str
    impression_one: str
    common: tuple[str, str, str]
    analysis: str
    analysis_figure: str
    analysis_block: str
    analysis_unknown: str
    same_lead: str
    other_lead: str
    dissent_way: str
    dissent_first: str
    dissent_block: str
    area_figure: str
    area_way: str
    area_first: str
    area_only: str
    area_block: str
    area_gap: dict[Stance, str]
    quote: tuple[str, str]
    inner: tuple[str, str]
    point: str
    percent_sign: str

    def quoted(self, text: str) -> str:
        """Return a text in this language's quotation marks; those inside it become single ones."""
        inside = text.replace(self.quote[0], self.inner[0]).replace(self.quote[1], self.inner[1])
        return f"{self.quote[0]}{inside}{self.quote[1]}"

    def number(self, share: float) -> str:
        """Return a share as this language writes it."""
        return f"{share:.2f}".replace(".", self.point)

    def percent(self, share: float) -> str:
        """Return a share in percent."""
        return f"{100 * share:.0f}{self.percent_sign}"


_EN = Phrases(
    lean="I lean towards",
    lean_undo="I lean towards {safe}, not {bold}: it is easier to undo, and the other way stays open.",
    lean_undo_unknown="I lean towards waiting until it is clear which of {a} and {b} is easier to undo.",
    lean_bold="I lean towards {bold}, not {safe}: the other way can be had at any time, this one needs a decision.",
    lean_bold_unknown="I lean towards {a}, not {b}: it was named first, and a quick choice can be corrected.",
    lean_people="I lean towards whichever side the people concerned would miss more, be it {a} or {b}.",
    lean_trial="I lean towards a trial with an end date: a yes for good can wait for what the trial shows.",
    lean_yes="I lean towards yes: start small, and correct it on the way.",
    lean_ask="I lean towards asking first: those who would have to live with it have not been heard yet.",
    unknown=(
        "I have no knowledge of {subject} built in; what I can offer is a way to get at it.",
        "No knowledge of {subject} is built in here, only a way to get at it.",
        "I cannot explain {subject}, since no knowledge of that is built in; here is a way to get at it.",
    ),
    program="Here is a well-known program for it in {language}.",
    claim="**Claim:**",
    but="**But:**",
    example="For example: {text}",
    heard="So it is {subject} that you have on your mind?",
    asks_first="What would a good answer about {subject} have to settle?",
    asks_back="Which of these would you try first?",
    verse="*You ask, and it falls light as rain: may I say what I know, and plain?*",
    by_skill="I recognised a task for my skill “{skill}”. {method}",
    by_rules="No skill of mine fits, so I went through my rules of thumb on {topic}.",
    puts_first="What I put first: {stance}.",
    by_choice="It is a decision, and I do not know the case. I judged by one thing: {stance}.",
    no_knowledge="I have no knowledge of {subject}; what I say concerns the way to an answer and not the answer.",
    unsure={
        "computed": "Unsure of: only whether the question means what I computed.",
        "rounded": "Unsure of: whether a rounded number is enough; I did not write out the exact one.",
        "looked up": "Unsure of: whether my short table covers every case that was meant.",
        "made": "Unsure of: taste. Others would write it otherwise.",
        "rules": "Unsure of: everything that depends on the particular case.",
    },
    round="Round {number}: I read the synthesis beside my own answer. {same} of its {count} sentences were mine too.",
    took="Area {area}: I take it up, and include it.",
    kept_point="Area {area}: that was my point. I keep it.",
    gave_way="Area {area}: I said it differently, and give way to the reasons of the others.",
    stayed="Area {area}: I hear the reasons, and stay with my view for now.",
    exact="Area {area}: I had rounded. Computed again without rounding.",
    too_long="Area {area}: I agree, and leave it to the longer answers.",
    nothing_to_add="Area {area}: I have nothing of my own on that, and say so.",
    added="Area {area}: I add what I have on it.",
    member="Member {id}",
    listed_and="and",
    impression="{count} answers, {common}; on average {confidence} confident.",
    impression_one="There is one answer only, so there is nothing to compare it with.",
    common=("close to each other", "alike in part", "far apart"),
    analysis="I compared the answers sentence by sentence: {shared} of {total} statements are shared by at least two "
    "members, and the answers resemble each other to {consensus}. {lead} My confidence of {confidence} follows from "
    "this agreement and from what the members say of themselves.",
    analysis_figure="{count} of {total} members come to {figure}. I compared the numbers, not the words around them. "
    "My confidence of {confidence} follows from that and from what the members say of themselves.",
    analysis_block="{count} of {total} members wrote a version of their own. I took the one whose author is surest; which one is "
    "better is nothing that I can measure. My confidence is {confidence}.",
    analysis_unknown="No member knows the subject itself: the confidence concerns the way to an answer.",
    same_lead="Most begin with the same statement.",
    other_lead="They do not agree on what comes first.",
    dissent_way="{who} would rather have it so: {text}",
    dissent_first="{who} would begin with something else: {text}",
    dissent_block="{who} wrote another version; there it stands beside this one.",
    area_figure="{best} or {value}? Compute it again, and say whether the rounded figure is good enough.",
    area_way="Which of the two: {best} ({others}) or {text} ({who})?",
    area_first="Which should come first: {best} ({others}) or {text} ({who})?",
    area_only="Only {who} says {text} Does it belong in the answer?",
    area_block="The members wrote different versions. Is there a line in another one that is worth keeping?",
    area_gap={
        "goal": "Nobody says how one would notice success. Name the goal.",
        "order": "The order of the steps is open. Say what comes first.",
        "speed": "Nobody names a step that can be taken at once. Add one.",
        "people": "Nobody speaks of the people concerned. Say whom to ask.",
        "risk": "Nobody says what can go wrong. Name the risk, and what helps against it.",
        "learn": "There is no example yet, and nothing to learn from. Add one.",
    },
    quote=("“", "”"),
    inner=("‘", "’"),
    point=".",
    percent_sign="%",
)
_DE = Phrases(
    lean="Ich neige zu",
    lean_undo="Ich neige zu {safe}, nicht zu {bold}: Das lässt sich leichter rückgängig machen, und der andere Weg bleibt offen.",
    lean_undo_unknown="Ich neige zum Warten, bis klar ist, was von {a} und {b} sich leichter rückgängig machen lässt.",
    lean_bold="Ich neige zu {bold}, nicht zu {safe}: Das andere ist jederzeit zu haben, dies hier braucht einen Entschluss.",
    lean_bold_unknown="Ich neige zu {a}, nicht zu {b}: Es wurde zuerst genannt, und eine schnelle Wahl lässt sich korrigieren.",
    lean_people="Ich neige zu der Seite, die den Betroffenen mehr fehlen würde, sei es {a} oder {b}.",
    lean_trial="Ich neige zu einem Versuch mit Enddatum: Ein endgültiges Ja kann warten, bis er etwas zeigt.",
    lean_yes="Ich neige zum Ja: klein anfangen und unterwegs verbessern.",
    lean_ask="Ich neige zum Nachfragen: Wer damit leben muss, wurde noch nicht gehört.",
    unknown=(
        "Über {subject} ist mir kein Wissen eingebaut; ich kann nur einen Weg dorthin anbieten.",
        "Wissen über {subject} ist hier nicht eingebaut, nur ein Weg dorthin.",
        "Erklären kann ich {subject} nicht, weil mir kein Wissen darüber eingebaut ist; hier ist ein Weg dorthin.",
    ),
    program="Hier ist ein bekanntes Programm dafür in {language}.",
    claim="**These:**",
    but="**Aber:**",
    example="Zum Beispiel: {text}",
    heard="Dich beschäftigt also {subject}?",
    asks_first="Was müsste eine gute Antwort zu {subject} klären?",
    asks_back="Was davon würdest du zuerst versuchen?",
    verse="*Du fragst, es fällt so leicht wie Schnee: Darf ich dir sagen, wie ich’s seh?*",
    by_skill="Ich habe eine Aufgabe für meine Fertigkeit „{skill}“ erkannt. {method}",
    by_rules="Keine meiner Fertigkeiten passt; ich bin meine Faustregeln zu „{topic}“ durchgegangen.",
    puts_first="Zuerst zählt für mich: {stance}.",
    by_choice="Es ist eine Entscheidung, und ich kenne den Fall nicht. Ich habe nach einem geurteilt: {stance}.",
    no_knowledge="Über {subject} weiß ich nichts; was ich sage, betrifft den Weg zur Antwort und nicht die Antwort.",
    unsure={
        "computed": "Unsicher bin ich nur, ob die Frage meint, was ich gerechnet habe.",
        "rounded": "Unsicher bin ich, ob eine gerundete Zahl genügt; die genaue habe ich nicht hingeschrieben.",
        "looked up": "Unsicher bin ich, ob meine kurze Tabelle jeden gemeinten Fall enthält.",
        "made": "Unsicher bin ich im Geschmack: Andere schrieben es anders.",
        "rules": "Unsicher bin ich bei allem, was am einzelnen Fall hängt.",
    },
    round="Runde {number}: Ich habe die Zusammenfassung neben meine Antwort gelegt. {same} ihrer {count} Sätze waren auch meine.",
    took="Punkt {area}: Das nehme ich auf.",
    kept_point="Punkt {area}: Das war mein Punkt. Ich bleibe dabei.",
    gave_way="Punkt {area}: Ich hatte es anders gesagt und gebe den Gründen der anderen nach.",
    stayed="Punkt {area}: Ich höre die Gründe und bleibe vorerst bei meiner Sicht.",
    exact="Punkt {area}: Ich hatte gerundet. Noch einmal ohne Runden gerechnet.",
    too_long="Punkt {area}: Einverstanden; ich überlasse es den längeren Antworten.",
    nothing_to_add="Punkt {area}: Dazu habe ich nichts Eigenes und sage das auch.",
    added="Punkt {area}: Ich ergänze, was ich dazu habe.",
    member="Mitglied {id}",
    listed_and="und",
    impression="{count} Antworten, {common}; im Mittel {confidence} sicher.",
    impression_one="Es gibt nur eine Antwort, also nichts zu vergleichen.",
    common=("nah beieinander", "zum Teil gleich", "weit auseinander"),
    analysis="Ich habe die Antworten Satz für Satz verglichen: {shared} von {total} Aussagen teilen mindestens zwei "
    "Mitglieder, und die Antworten gleichen sich zu {consensus}. {lead} Meine Sicherheit von {confidence} folgt aus "
    "dieser Übereinstimmung und aus dem, was die Mitglieder von sich selbst sagen.",
    analysis_figure="{count} von {total} Mitgliedern kommen auf {figure}. Verglichen habe ich die Zahlen, nicht die Worte "
    "darum. Meine Sicherheit von {confidence} folgt daraus und aus dem, was die Mitglieder von sich selbst sagen.",
    analysis_block="{count} von {total} Mitgliedern schrieben eine eigene Fassung. Ich habe die genommen, deren Verfasser am "
    "sichersten ist; welche besser ist, kann ich nicht messen. Meine Sicherheit ist {confidence}.",
    analysis_unknown="Kein Mitglied kennt die Sache selbst: Die Sicherheit betrifft den Weg zu einer Antwort.",
    same_lead="Die meisten beginnen mit derselben Aussage.",
    other_lead="Sie sind sich nicht einig, was zuerst kommt.",
    dissent_way="{who} sähe es lieber so: {text}",
    dissent_first="{who} begänne mit etwas anderem: {text}",
    dissent_block="{who} schrieb eine andere Fassung; sie steht neben dieser.",
    area_figure="{best} oder {value}? Rechnet noch einmal und sagt, ob die gerundete Zahl genügt.",
    area_way="Welches von beiden: {best} ({others}) oder {text} ({who})?",
    area_first="Was kommt zuerst: {best} ({others}) oder {text} ({who})?",
    area_only="Nur {who} sagt {text} Gehört das in die Antwort?",
    area_block="Die Mitglieder schrieben verschiedene Fassungen. Ist eine Zeile aus einer anderen es wert zu bleiben?",
    area_gap={
        "goal": "Niemand sagt, woran man den Erfolg merkt. Nennt das Ziel.",
        "order": "Die Reihenfolge ist offen. Sagt, was zuerst kommt.",
        "speed": "Niemand nennt einen Schritt, der sofort geht. Ergänzt einen.",
        "people": "Niemand spricht von den Betroffenen. Sagt, wer zu fragen ist.",
        "risk": "Niemand sagt, was schiefgehen kann. Nennt das Risiko und was dagegen hilft.",
        "learn": "Es fehlt ein Beispiel, aus dem sich lernen lässt. Ergänzt eines.",
    },
    quote=("„", "“"),
    inner=("‚", "‘"),
    point=",",
    percent_sign=" %",
)
_FR = Phrases(
    lean="Je penche pour",
    lean_undo="Je penche pour {safe}, pas pour {bold} : c'est plus facile à défaire, et l'autre voie reste possible.",
    lean_undo_unknown="Je penche pour attendre de savoir lequel de {a} et {b} est plus facile à défaire.",
    lean_bold="Je penche pour {bold}, pas pour {safe} : l'autre voie reste possible à tout moment, ceci demande une décision.",
    lean_bold_unknown="Je penche pour {a}, pas pour {b} : c'est nommé en premier, et un choix rapide peut se corriger.",
    lean_people="Je penche pour le côté qui manquerait le plus aux personnes concernées, que ce soit {a} ou {b}.",
    lean_trial="Je penche pour un essai avec une date de fin : un oui définitif peut attendre ce que l'essai montre.",
    lean_yes="Je penche pour oui : commencer petit, et corriger en chemin.",
    lean_ask="Je penche pour demander d'abord : ceux qui devraient vivre avec n'ont pas été entendus.",
    unknown=(
        "Je n'ai aucun savoir intégré sur {subject} ; je peux seulement proposer un chemin pour y arriver.",
        "Aucun savoir sur {subject} n'est intégré ici, seulement un chemin pour y arriver.",
        "Je ne peux pas expliquer {subject}, faute de savoir intégré ; voici un chemin pour y arriver.",
    ),
    program="Voici un programme bien connu pour cela en {language}.",
    claim="**Thèse :**",
    but="**Mais :**",
    example="Par exemple : {text}",
    heard="C’est donc {subject} qui vous occupe ?",
    asks_first="Que devrait régler une bonne réponse sur {subject} ?",
    asks_back="Qu'essaieriez-vous d'abord ?",
    verse="*Tu demandes, la nuit est claire : veux-tu que j’y mette un peu de lumière ?*",
    by_skill="J'ai reconnu une tâche pour ma capacité « {skill} ». {method}",
    by_rules="Aucune de mes capacités ne convient ; j'ai parcouru mes règles sur {topic}.",
    puts_first="Ce que je mets d'abord : {stance}.",
    by_choice="C'est une décision, et je ne connais pas le cas. J'ai jugé d'après une chose : {stance}.",
    no_knowledge="Je ne sais rien de {subject} ; ce que je dis concerne le chemin vers la réponse, pas la réponse.",
    unsure={
        "computed": "Incertain : seulement si la question veut dire ce que j'ai calculé.",
        "rounded": "Incertain : si un nombre arrondi suffit ; je n'ai pas écrit le nombre exact.",
        "looked up": "Incertain : si ma petite table couvre tous les cas possibles.",
        "made": "Incertain : le goût. D'autres l'écriraient autrement.",
        "rules": "Incertain : tout ce qui dépend du cas particulier.",
    },
    round="Tour {number} : j'ai lu la synthèse à côté de ma réponse. {same} de ses {count} phrases étaient aussi les miennes.",
    took="Point {area} : je le reprends.",
    kept_point="Point {area} : c'était le mien. Je le garde.",
    gave_way="Point {area} : je l'avais dit autrement, et je cède aux raisons des autres.",
    stayed="Point {area} : j'entends les raisons et garde mon avis pour l'instant.",
    exact="Point {area} : j'avais arrondi. Recalculé sans arrondir.",
    too_long="Point {area} : d'accord, et je le laisse aux réponses plus longues.",
    nothing_to_add="Point {area} : je n'ai rien à moi là-dessus, et je le dis.",
    added="Point {area} : j'ajoute ce que j'ai.",
    member="Membre {id}",
    listed_and="et",
    impression="{count} réponses, {common} ; en moyenne sûres à {confidence}.",
    impression_one="Il n'y a qu'une réponse, donc rien à comparer.",
    common=("proches les unes des autres", "semblables en partie", "éloignées les unes des autres"),
    analysis="J'ai comparé les réponses phrase par phrase : {shared} affirmations sur {total} sont partagées par au moins "
    "deux membres, et les réponses se ressemblent à {consensus}. {lead} Ma confiance de {confidence} vient de cet accord "
    "et de ce que les membres disent d'eux-mêmes.",
    analysis_figure="{count} membres sur {total} arrivent à {figure}. J'ai comparé les nombres, pas les mots autour. "
    "Ma confiance de {confidence} en vient, et de ce que les membres disent d'eux-mêmes.",
    analysis_block="{count} membres sur {total} ont écrit leur propre version. J'ai pris celle dont l'auteur est le plus "
    "sûr ; je ne sais pas mesurer laquelle est meilleure. Ma confiance est de {confidence}.",
    analysis_unknown="Aucun membre ne connaît le sujet même : la confiance concerne le chemin vers une réponse.",
    same_lead="La plupart commencent par la même affirmation.",
    other_lead="Ils ne s'accordent pas sur ce qui passe d'abord.",
    dissent_way="{who} préférerait ceci : {text}",
    dissent_first="{who} commencerait autrement : {text}",
    dissent_block="{who} a écrit une autre version ; elle reste à côté de celle-ci.",
    area_figure="{best} ou {value} ? Recalculez, et dites si le chiffre arrondi suffit.",
    area_way="Lequel des deux : {best} ({others}) ou {text} ({who}) ?",
    area_first="Qu'est-ce qui passe d'abord : {best} ({others}) ou {text} ({who}) ?",
    area_only="Seul {who} dit {text} Est-ce à garder dans la réponse ?",
    area_block="Les membres ont écrit des versions différentes. Y a-t-il ailleurs une ligne à garder ?",
    area_gap={
        "goal": "Personne ne dit à quoi se verrait le succès. Nommez le but.",
        "order": "L'ordre des pas est ouvert. Dites ce qui vient d'abord.",
        "speed": "Personne ne nomme un pas faisable tout de suite. Ajoutez-en un.",
        "people": "Personne ne parle des personnes concernées. Dites qui interroger.",
        "risk": "Personne ne dit ce qui peut échouer. Nommez le risque et ce qui aide.",
        "learn": "Il manque un exemple dont on apprend. Ajoutez-en un.",
    },
    quote=("« ", " »"),
    inner=("‘", "’"),
    point=",",
    percent_sign=" %",
)
PHRASES: dict[Tongue, Phrases] = {"en": _EN, "de": _DE, "fr": _FR}
"""The phrases by language."""
STANCE_NAMES: dict[Tongue, dict[Stance, str]] = {
    "en": {
        "goal": "a clear goal",
        "order": "the right order",
        "speed": "a quick first step",
        "people": "the people concerned",
        "risk": "what can go wrong",
        "learn": "learning from a case",
    },
    "de": {
        "goal": "ein klares Ziel",
        "order": "die richtige Reihenfolge",
        "speed": "ein schneller erster Schritt",
        "people": "die betroffenen Menschen",
        "risk": "was schiefgehen kann",
        "learn": "das Lernen am Fall",
    },
    "fr": {
        "goal": "un but clair",
        "order": "le bon ordre",
        "speed": "un premier pas rapide",
        "people": "les personnes concernées",
        "risk": "ce qui peut échouer",
        "learn": "apprendre d'un cas",
    },
}
"""What a point of view is called in a sentence."""
