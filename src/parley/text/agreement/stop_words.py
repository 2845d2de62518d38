"""Stop words, in four languages."""

from collections.abc import Collection

ENGLISH = frozenset(
    """a about above after again against all also am an and any are aren't as at be because been before being below
    between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each even
    every few for from further get gets had hadn't has hasn't have haven't having he her here hers him his how
    however i i'd i'll i'm i've if in into is isn't it it's its itself just let's like many may me might more most
    much must my no nor not now of off on once one only or other our ours out over own per rather same shall she
    should shouldn't so some such than that that's the their theirs them then there there's these they they're this
    those though through thus to too under until up upon us very via was wasn't we we're well were weren't what when
    where whether which while who whom whose why will with within without won't would wouldn't yet you you're your
    yours""".split()  # noqa: SIM905
)

GERMAN = frozenset(
    """ab aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei dadurch dafür
    damit dann das dass dein deine dem den denn der des deshalb dessen die dies diese diesem diesen dieser dieses doch
    dort du durch ein eine einem einen einer eines er es etwa etwas euch euer für gegen hab habe haben hat hatte
    hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder
    jedes jedoch kann kein keine keinen können könnte man mehr mein meine mit muss müssen nach nicht noch nun nur ob
    oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so sogar solche soll sollte somit sondern sowie
    über um und uns unser unter viel vom von vor war waren warum was weil welche welcher wenn wer werden wie wieder
    wird wirst wo wurde wurden zu zum zur zwar zwischen""".split()  # noqa: SIM905
)

FRENCH = frozenset(
    """à ai afin ainsi alors après au aucun aucune aussi autre autres aux avant avec avez avoir avons c'est car ce ceci
    cela celle celui ces cet cette ceux chaque chez ci comme comment d'un d'une dans de depuis des donc dont du elle
    elles en encore entre est et étaient était étant été être eu eux fait faire fois font il ils j'ai je jusqu'à l'on
    la là le les leur leurs lors lui ma mais me même mes moi moins mon n'est ne ni nos notre nous on ont ou où par
    parce pas pendant peu peut peuvent plus pour pourquoi qu'elle qu'il qu'on quand que quel quelle quelles quels qui
    quoi sa sans se sera ses si son sont sous sur ta tandis te tes toi ton tous tout toute toutes très trop tu un une
    vers vos votre vous y""".split()  # noqa: SIM905
)

SPANISH = frozenset(
    """a al algo algunos ante antes aquel aquí así aún aunque bajo bien cada casi como con contra cual cuando de debe
    del desde donde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está están
    estar estas este esto estos fue fueron ha había hacer han hasta hay la las le les lo los más me mediante mi mientras
    mis mucho muy nada ni no nos nosotros o os otra otras otro otros para pero poco por porque pueda puede pueden pues
    que qué quien se sea según ser si sí sido siempre sin sino sobre son su sus también tan tanto te tiene tienen toda
    todas todo todos tras tu tus un una unas uno unos usted ya yo""".split()  # noqa: SIM905
)

LANGUAGES = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH}

EVERY_STOP_WORD = ENGLISH | GERMAN | FRENCH | SPANISH


def stop_words_of(words: Collection[str]) -> frozenset[str]:
    """Return the stop words of the languages that some lower-case words are written in.

    A language counts if it has at least three fifths as many stop words there as the one with most.
    """
    hits = {name: sum(word in stops for word in words) for name, stops in LANGUAGES.items()}
    most = max(hits.values())
    if not most:
        return ENGLISH
    return frozenset(
        word for name, count in hits.items() if 5 * count >= 3 * most for word in LANGUAGES[name]
    )
