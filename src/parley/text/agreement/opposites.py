"""Words of opposite meaning, by topic."""

from parley.text.agreement.words import stem

OPPOSITE = "±"
"""The start of the name of an opposition."""

_PAIRS = """
increase increases increased increasing increasingly rise rises rising rose grow grows growing grew raise raises raised
  climb climbs gain gains steigt steigen steigert erhöht erhöhen wächst wachsen zunehmen zunimmt
  augmente augmenter augmentent croît
  | decrease decreases decreased decreasing fall falls fell falling decline declines declined drop drops dropped
  reduce reduces reduced reducing shrink shrinks shrank lower lowers lowered sinkt sinken senkt senken fällt fallen
  verringert verringern abnehmen abnimmt reduziert diminue diminuer diminuent baisse baisser réduit réduire
always immer stets toujours | rarely seldom sometimes selten manchmal rarement parfois
safe safely secure sicher sûr sûre | dangerous unsafe insecure harmful risky gefährlich unsicher dangereux dangereuse
possible möglich | impossible unmöglich
legal lawful | illegal unlawful
true wahr vrai vraie | false untrue unwahr faux fausse
correct right richtig | incorrect wrong falsch incorrecte
allowed permitted erlaubt autorisé autorisée permis
  | forbidden prohibited banned disallowed verboten interdit interdite
required mandatory compulsory obligatory erforderlich verpflichtend obligatoire
  | optional voluntary freiwillig facultatif
fast faster fastest quick quicker quickly schnell schneller schnellste rapide rapidement
  | slow slower slowest slowly langsam langsamer langsamste lent lente lentement
high higher highest hoch höher höchste hohe | low lowest niedrig niedriger niedrigste niedrige
more mehr | less fewer weniger
large larger largest big bigger biggest groß größer größte grand grande
  | small smaller smallest klein kleiner kleinste petit petite
hot hotter warm warmer heiß chaud chaude | cold colder cool cooler kalt froid froide
early earlier früh früher | late later spät später
before | after
above | below beneath
accept accepts accepted | reject rejects rejected refuse refuses refused
win wins won | lose loses lost
success succeed succeeds succeeded successful | failure fail fails failed unsuccessful
enable enables enabled | disable disables disabled
mutable veränderlich | immutable unveränderlich
synchronous | asynchronous
stable | unstable
ascending aufsteigend | descending absteigend
maximum maximal | minimum minimal
positive positiv positif | negative negativ négatif
good gut bon bonne | bad poor schlecht mauvais mauvaise
better besser meilleur meilleure | worse schlechter pire
cheap cheaper inexpensive billig günstig | expensive costly costlier teuer cher chère
easy easier easily einfach leicht facile | difficult hard harder schwierig schwer difficile
simple | complex complicated
strong stronger stark | weak weaker schwach
healthy beneficial gesund nützlich | unhealthy detrimental ungesund schädlich nuisible
effective wirksam efficace | ineffective useless unwirksam nutzlos inefficace
agree agrees agreed | disagree disagrees disagreed
support supports supported | oppose opposes opposed
guilty | innocent
inside | outside
public | private
permanent | temporary
visible | invisible
profit | loss
necessary needed notwendig nötig nécessaire | unnecessary unneeded überflüssig inutile
same identical gleich identique | different verschieden unterschiedlich différent
heavy heavier schwer lourd | light lighter leger
full voll | empty leer vide
odd ungerade impair | even gerade pair
reversible | irreversible
renewable | nonrenewable
encrypted verschlüsselt | unencrypted unverschlüsselt
"""
"""One pair per line: the words of one side, a bar, the words of the other; an indented line continues it."""


def _read() -> dict[str, tuple[str, int]]:
    found: dict[str, tuple[str, int]] = {}
    for line in _PAIRS.replace("\n  ", " ").strip().splitlines():
        left, right = (side.split() for side in line.split("|"))
        for side, sign in ((left, 1), (right, -1)):
            for word in side:
                found.setdefault(word, (f"{OPPOSITE}{stem(left[0])}", sign))
    return found


OPPOSITES = _read()
"""Word → the name of its opposition, and its end: 1 or -1."""
