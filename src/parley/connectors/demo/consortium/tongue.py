"""In which of three languages a prompt is written, and its sums and conversions put into English."""

import re

from parley.connectors.demo.consortium.topic import Tongue

_COMMON: dict[Tongue, frozenset[str]] = {
    "en": frozenset(
        """the a an is are was do does did should would could can how what why which who when where my our your we i to of
        and or for with in on it this that write explain tell give than into between be many much""".split()  # noqa: SIM905
    ),
    "de": frozenset(
        """der die das ein eine einen einem einer ist sind war soll sollte sollen sollten kann wie was warum welche welcher
        wer wann wo mein meine meinen unser unsere ich wir du mit und oder für im am zu von nicht viel viele erkläre
        schreibe schreib berechne den dem des auf man mal""".split()  # noqa: SIM905
    ),
    "fr": frozenset(
        """le la les un une des du de est sont était dois doit devons faut peut comment que quoi pourquoi quel quelle quels
        quelles qui quand où mon ma mes notre nos je nous vous tu avec et ou pour dans à au aux explique écris calcule
        combien font fois ce il elle en ne pas plus""".split()  # noqa: SIM905
    ),
}
_ENGLISH_FOR: dict[Tongue, tuple[tuple[str, str], ...]] = {
    "en": (),
    "de": (
        (r"(?<=\d)\.(?=\d{3}\b)", ""), (r"(?<=\d),(?=\d)", "."),
        (r"wie ?viele?|wie viel", "how many"), (r"\bsind\b|\bist\b|\bergibt\b", "are"), (r"\bwas are\b", "what is"),
        (r"how many are(?= [\d(√])", "what is"), (r"\bmal\b", "times"), (r"geteilt durch", "divided by"),
        (r"hoch", "to the power of"), (r"(?:der |die )?(?:quadrat)?wurzel (?:aus|von)", "square root of"),
        (r"prozent von", "percent of"), (r"berechne|rechne", "calculate"), (r"meilen?", "miles"), (r"fuß", "feet"),
        (r"zoll", "inches"), (r"pfund", "pounds"), (r"kilometern?", "kilometers"), (r"metern?", "meters"),
        (r"stunden?", "hours"), (r"minuten?", "minutes"), (r"sekunden?", "seconds"), (r"grad celsius", "celsius"),
        (r"grad fahrenheit", "fahrenheit"), (r"gramm", "grams"), (r"litern?", "liters"),
        (r"bin(?:äre|är) ?suche", "binary search"), (r"primzahl\w*", "prime numbers"), (r"schreibe?\b", "write"),
        (r"funktion", "function"), (r"umkehrt|umdreht|rückwärts", "reverse a string"),
        (r"primfaktoren? (?:von|der)", "prime factors of"),
    ),
    "fr": (
        (r"(?<=\d)[ \u00a0\u202f](?=\d{3}\b)", ""), (r"(?<=\d),(?=\d)", "."),
        (r"combien font|combien fait|quel est le résultat de", "what is"), (r"combien de", "how many"),
        (r"(?:y a-t-il |il y a )?dans(?= \d)", "in"), (r"\bfois\b", "times"), (r"divisé par", "divided by"),
        (r"\bmoins\b", "minus"), (r"racine carrée de", "square root of"),
        (r"(?:pour ?cent|%) de", "percent of"), (r"calcule[rz]?", "calculate"), (r"milles?|miles?", "miles"),
        (r"converti[sr]\w*", "convert"), (r"\ben\b", "to"), (r"pieds?", "feet"), (r"pouces?", "inches"),
        (r"livres?", "pounds"), (r"kilomètres?", "kilometers"), (r"mètres?", "meters"), (r"heures?", "hours"),
        (r"litres?", "liters"), (r"grammes?", "grams"), (r"recherche (?:binaire|dichotomique)", "binary search"),
        (r"écri[sv]\w*", "write"), (r"fonction", "function"), (r"inverse\w*", "reverse a string"),
        (r"facteurs premiers (?:de|du)", "prime factors of"),
    ),
}  # fmt: skip


def tongue_of(text: str) -> Tongue:
    """Return the language whose commonest words the text holds most of; English where that is open."""
    found = re.findall(r"[^\W\d_]+", text[:2_000].lower())
    counts: dict[Tongue, int] = {
        name: sum(word in words for word in found) for name, words in _COMMON.items()
    }
    if re.search(r"[äöüß]", text.lower()):
        counts["de"] += 1
    if re.search(r"[éèêçàùœ]", text.lower()):
        counts["fr"] += 1
    return max(counts, key=lambda name: (counts[name], name == "en"))


def in_english(text: str, tongue: Tongue) -> str:
    """Return the text with the words of sums, units and well-known programs in English; the rest as it was."""
    for pattern, plain in _ENGLISH_FOR[tongue]:
        whole = pattern if pattern.startswith(("(?<", r"\b", "(?:pour")) else rf"\b(?:{pattern})\b"
        text = re.sub(whole, plain, text, flags=re.IGNORECASE)
    return text
