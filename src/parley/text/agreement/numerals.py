"""Numbers in digits and words, in four languages, with the values that they can mean."""

import re
from itertools import product

_ENGLISH = """zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen""".split()  # noqa: SIM905
_ENGLISH_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()  # noqa: SIM905
_GERMAN = "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()  # noqa: SIM905
_GERMAN_TEENS = "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()  # noqa: SIM905
_GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()  # noqa: SIM905
_FRENCH = "deux trois quatre cinq six sept huit".split()  # noqa: SIM905
_SPANISH = "dos tres cuatro cinco seis siete ocho nueve diez".split()  # noqa: SIM905


def _words() -> dict[str, int]:
    found = {word: value for value, word in enumerate(_ENGLISH[1:], 2)} | {"zero": 0}
    found |= {word: 10 * value for value, word in enumerate(_ENGLISH_TENS, 2)}
    found |= {word: value for value, word in enumerate([*_GERMAN, *_GERMAN_TEENS], 2)}
    found |= {word: 10 * value for value, word in enumerate(_GERMAN_TENS, 2)}
    for (ten, tens), (one, ones) in product(enumerate(_GERMAN_TENS, 2), enumerate(["ein", *_GERMAN[:8]], 1)):
        found[f"{ones}und{tens}"] = 10 * ten + one
    found |= {f"{word}hundert": 100 * value for value, word in enumerate(_GERMAN[:8], 2)}
    found |= {"hundert": 100, "einhundert": 100, "eintausend": 1000}
    found |= {word: value for value, word in enumerate(_FRENCH, 2)}
    found |= {"dix": 10, "onze": 11, "douze": 12, "treize": 13, "quatorze": 14, "quinze": 15, "seize": 16}
    found |= {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60}
    found |= {word: value for value, word in enumerate(_SPANISH, 2)}
    return found | {"doce": 12, "quince": 15, "veinte": 20, "treinta": 30, "cuarenta": 40, "cincuenta": 50}


WORDS = _words()
"""Number words, without those that more often mean something else (one, null, neuf, once, cent)."""

SCALES: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("hundred", "hundreds"), (1e2,)),
    **dict.fromkeys(("thousand", "tausend", "tsd", "mille", "mil"), (1e3,)),
    **dict.fromkeys(("million", "millions", "millionen", "mio", "millones", "millón", "mn"), (1e6,)),
    **dict.fromkeys(("milliarde", "milliarden", "mrd", "milliard", "milliards", "bn"), (1e9,)),
    "billion": (1e9, 1e12),
    "billions": (1e9,),
    "billionen": (1e12,),
    **dict.fromkeys(("trillion", "trillions"), (1e12,)),
    "dozen": (12,),
    "万": (1e4,),
    "亿": (1e8,),
    "億": (1e8,),
}
"""Words after a number that multiply it; a German billion is a thousand English ones."""

_ALTERNATIVES = "|".join(sorted((re.escape(word) for word in WORDS), key=len, reverse=True))
_JOINED = "|".join(sorted((word for word in SCALES if word.isascii()), key=len, reverse=True))
IN_WORDS = rf"(?:{_ALTERNATIVES})(?:(?:[ -]| and | y )(?:{_ALTERNATIVES}|hundred|thousand)){{0,4}}"
_GROUPS = "|".join(rf"(?:{mark}\d{{3}}){{1,6}}" for mark in (",", r"\.", "['’]", r"[ \u00a0\u202f]"))
IN_DIGITS = rf"\d{{1,3}}(?:{_GROUPS})(?:[.,]\d{{1,12}})?(?!\d)|\d{{1,18}}(?:[.,]\d{{1,18}})?"
SCALE = rf"(?:[ \u00a0\u202f]?(?:{_JOINED})\b\.?|[kKM](?![\w])|[ ]?[万亿億])"


def values(text: str) -> tuple[tuple[float, ...], float]:
    """Return what a numeral can mean, and the step of its last digit: 1.500 is 1500 or 1.5, 3.14 has a step of 0.01.

    `text` matches IN_DIGITS or IN_WORDS, in lower case.
    """
    if not text[0].isdigit():
        return (_in_words(text),), 1.0
    whole = re.sub(r"['’ \u00a0\u202f]", "", text)
    marks = [mark for mark in whole if mark in ".,"]
    if not marks:
        return (float(whole),), _step(whole)
    last = marks[-1]
    decimals = whole.rpartition(last)[2]
    as_decimal = float(re.sub("[.,]", "", whole.rpartition(last)[0]) + "." + decimals)
    if len(set(marks)) == 2 or (len(marks) == 1 and (len(decimals) != 3 or whole[0] == "0")):
        return (as_decimal,), 10.0 ** -len(decimals)
    together = re.sub("[.,]", "", whole)
    if len(marks) > 1:
        return (float(together),), _step(together)
    return (float(together), as_decimal), _step(together)


def _step(digits: str) -> float:
    """Return 100 for a number that ends in two zeros or more, as it may be rounded; else 1."""
    zeros = len(digits) - len(digits.rstrip("0"))
    return float(10**zeros) if 2 <= zeros < len(digits) else 1.0


def _in_words(text: str) -> float:
    total = current = 0
    for word in re.split(r"[ -]+", text):
        if word == "hundred":
            current = max(1, current) * 100
        elif word == "thousand":
            total, current = total + max(1, current) * 1000, 0
        else:
            current += WORDS.get(word, 0)
    return float(total + current)
