"""The language of a text: by its script, then by its short words and special letters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache

import msgspec

from parley.text.categories.language_words import LETTERS, WORDS

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "sv": "Swedish",
    "da": "Danish",
    "no": "Norwegian",
    "fi": "Finnish",
    "pl": "Polish",
    "cs": "Czech",
    "ro": "Romanian",
    "hu": "Hungarian",
    "tr": "Turkish",
    "id": "Indonesian",
    "vi": "Vietnamese",
    "ru": "Russian",
    "uk": "Ukrainian",
    "bg": "Bulgarian",
    "el": "Greek",
    "he": "Hebrew",
    "ar": "Arabic",
    "fa": "Persian",
    "hi": "Hindi",
    "bn": "Bengali",
    "ta": "Tamil",
    "th": "Thai",
    "ko": "Korean",
    "ja": "Japanese",
    "zh": "Chinese",
}
"""Languages that are distinguished, by ISO 639-1 code."""

LOOKED_AT = 1_500
"""Characters that are read."""

LEAST = 2.0
"""Points below which a text in Latin script is in no known language: two words that only one language has."""

SHARE = 0.2
"""A shorter text may have fewer points, but so many for each of its words."""

LEAST_SHARE = 0.04
"""A longer text must have so many points for each of its words."""

ENGLISH = 1.25
"""How much more likely English is than what its short words alone would say: it shares most of them."""

AHEAD = 1.15
"""How far the best language must be ahead of the next one."""

LETTER_POINTS = 0.7
EVIDENCE = 5

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\$\$.*?\$\$", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SCRIPTS = {
    "GREEK": "el",
    "HEBREW": "he",
    "THAI": "th",
    "HANGUL": "ko",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "DEVANAGARI": "hi",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "ARABIC": "ar",
    "CYRILLIC": "ru",
    "LATIN": "latin",
}
_DENSE = frozenset({"ja", "zh", "ko"})
"""Scripts of which a character says as much as three Latin letters."""

_CODES_BY_WORD: dict[str, tuple[str, ...]] = {
    word: tuple(code for code, words in WORDS.items() if word in words)
    for word in {word for words in WORDS.values() for word in words}
}
_CODES_BY_LETTER: dict[str, tuple[str, ...]] = {
    letter: tuple(code for code, letters in LETTERS.items() if letter in letters)
    for letter in set("".join(LETTERS.values()))
}


class Detected(msgspec.Struct, frozen=True):
    """A language, the rule that found it, and the evidence in the text."""

    code: str
    rule: str
    evidence: tuple[str, ...]


def detect(text: str) -> Detected | None:
    """Return the language of a text, code and links left aside; None if it is unclear."""
    plain = _CODE.sub(" ", text[: 2 * LOOKED_AT])[:LOOKED_AT].lower()
    if plain.isascii():
        return _by_words(plain, Counter())
    letters = Counter(letter for letter in plain if letter.isalpha())
    scripts: Counter[str] = Counter()
    for letter, number in letters.items():
        script = "latin" if letter.isascii() else _script(letter)
        if script is not None:
            scripts[script] += 3 * number if script in _DENSE else number
    if not scripts:
        return None
    if scripts["ja"]:  # Japanese is written in Chinese characters too
        scripts["ja"] += scripts.pop("zh", 0)
    script, weight = scripts.most_common(1)[0]
    if weight < 3 or weight < 0.4 * scripts.total():
        return None
    if script == "latin":
        return _by_words(plain, letters)
    return _by_script(script, letters)


@cache
def _script(letter: str) -> str | None:
    return _SCRIPTS.get(unicodedata.name(letter, "").partition(" ")[0])


def _by_script(script: str, letters: Counter[str]) -> Detected | None:
    code = script
    if script == "ru":
        code = _cyrillic(letters)
    elif script == "ar":
        code = _arabic(letters)
    elif script == "hi" and letters["ळ"] > 0:  # Marathi has it, Hindi hardly
        return None
    if code is None:
        return None
    shown = [letter for letter, _ in letters.most_common() if not letter.isascii()][:EVIDENCE]
    return Detected(code, "written in its script", tuple(shown))


def _cyrillic(letters: Counter[str]) -> str | None:
    """Russian has ы, э and ё, Ukrainian і, ї, є and ґ; Bulgarian has neither, and ъ as a vowel. Serbian has ј."""
    if any(letters[letter] for letter in "јљњђћџѓќѕ"):
        return None
    if any(letters[letter] for letter in "іїєґ"):
        return None if any(letters[letter] for letter in "ыў") else "uk"
    if any(letters[letter] for letter in "ыэё"):
        return "ru"
    return "bg" if 100 * letters["ъ"] >= letters.total() else "ru"


def _arabic(letters: Counter[str]) -> str | None:
    """Persian has پ, چ, ژ and گ beside Arabic's letters; Urdu ٹ, ڈ, ڑ and ے, and is not recognised."""
    if any(letters[letter] for letter in "ٹڈڑےں"):
        return None
    return "fa" if any(letters[letter] for letter in "پچژگکی") else "ar"


def _by_words(text: str, letters: Counter[str]) -> Detected | None:
    """Each word is worth a point, shared out between the languages that have it; letters add to that."""
    words: list[str] = _WORD.findall(text.replace("’", "'"))
    points: dict[str, float] = dict.fromkeys(WORDS, 0.0)
    for word in words:
        codes = _CODES_BY_WORD.get(word, ())
        for code in codes:
            points[code] += 1.0 / len(codes)
    for letter, number in letters.items():
        for code in _CODES_BY_LETTER.get(letter, ()):
            points[code] += LETTER_POINTS * number
    points["en"] *= ENGLISH
    (best, most), (_, next_most) = sorted(points.items(), key=lambda item: -item[1])[:2]
    if (
        most <= 0.0
        or most < min(LEAST, SHARE * len(words))
        or most < LEAST_SHARE * len(words)
        or most < AHEAD * next_most
    ):
        return None
    evidence = [word for word in words if best in _CODES_BY_WORD.get(word, ())]
    evidence += [letter for letter in letters if best in _CODES_BY_LETTER.get(letter, ())]
    return Detected(best, "its words and letters", tuple(dict.fromkeys(evidence))[:EVIDENCE])
