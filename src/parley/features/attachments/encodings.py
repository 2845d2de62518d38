"""Encodings of older programs: recognised from the few words of a table that are not ASCII.

chardet ranks the candidates by byte pairs of the languages that use them. A candidate loses if its words look like
none: two scripts in one word, a capital after a small letter, a sign among letters.
"""

import codecs
import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

import msgspec

ENCODINGS = {
    "utf-8": "Unicode (UTF-8)",
    "cp1252": "Western European (Windows-1252)",
    "cp850": "Western European (DOS 850)",
    "mac-roman": "Western European (Mac Roman)",
    "cp1250": "Central European (Windows-1250)",
    "iso8859-2": "Central European (ISO 8859-2)",
    "cp852": "Central European (DOS 852)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "koi8-u": "Cyrillic (KOI8-U)",
    "cp866": "Cyrillic (DOS 866)",
    "iso8859-5": "Cyrillic (ISO 8859-5)",
    "mac-cyrillic": "Cyrillic (Mac)",
    "gb18030": "Chinese, simplified (GB 18030)",
    "big5hkscs": "Chinese, traditional (Big5)",
    "cp932": "Japanese (Shift JIS)",
    "euc-jp": "Japanese (EUC-JP)",
    "iso2022-jp": "Japanese (ISO 2022-JP)",
    "cp949": "Korean (EUC-KR)",
    "cp1253": "Greek (Windows-1253)",
    "iso8859-7": "Greek (ISO 8859-7)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1255": "Hebrew (Windows-1255)",
    "iso8859-8": "Hebrew (ISO 8859-8)",
    "cp1256": "Arabic (Windows-1256)",
    "iso8859-6": "Arabic (ISO 8859-6)",
    "cp1257": "Baltic (Windows-1257)",
    "cp1258": "Vietnamese (Windows-1258)",
    "cp874": "Thai (Windows-874)",
    "utf-16-le": "Unicode (UTF-16)",
    "utf-16-be": "Unicode (UTF-16, big-endian)",
}
"""The encodings that a person may choose, by Python's name, with the name that people know."""

_NOT_BY_WORDS = frozenset(("utf-8", "utf-16-le", "utf-16-be", "iso2022-jp", "cp852", "mac-cyrillic"))
"""Told by their form or their letters, or so rare that others would be mistaken for them."""

SAMPLE_BYTES = 100_000
"""The bytes beyond ASCII, with the fields around them, from which an encoding is recognised."""

ASCII_BEFORE = 200
"""The bytes of ASCII before a field's first other byte that are looked at."""

SHOWN_CHARS = 60
"""Characters of a text that show how an encoding reads it."""

_COMMONEST, _PRIOR, _PENALTY = "cp1252", 1.15, 8
"""Western European wins where the words fit nearly as well: a niño is no Polish word."""

_CYRILLIC = ("cp1251", "koi8-r", "koi8-u", "cp866", "iso8859-5", "mac-cyrillic")
"""Encodings that hold the same letters in other places, the likelier first."""

_LETTERS = "оеаинтсрвлкмдпуяіыьгзбчйхжшюцщєїэфъёґўјљњћђџѓќѕ"
"""Cyrillic letters, the commonest first: the mean place of those of a text is eight, of garbled ones far higher."""

_SURE_PLACE, _SURE_LETTERS, _MOST_ODD = 10, 8, 0.1
_ALIKE = frozenset(("cp1253", "iso8859-7", "cp1255", "iso8859-8"))
"""Greek and Hebrew, whose words now and then read as Cyrillic ones."""

_SELDOM = re.compile(
    "[ĹĺŔŕ]|ς\\w|[α-ώ]{3}[βγδζθκλμπσφχψ](?!\\w)|[ךםןףץ][א-ת]|"
    "[þÞðÐ].*[àèìòùâêîôûãõñçëïÿøåäü]|[àèìòùâêîôûãõñçëïÿøåäü].*[þÞðÐ]"
)
"""Letters of hardly any word, those of an end within one, and Icelandic ones beside others': Å and ž, read wrongly."""

_FIELD = re.compile(rb"[^,;\t\r\n]+")
_FIRST = re.compile(rb"[\x80-\xff]")
_RUN = re.compile(r"(?:[^\W\d_]|[^\x00-\x7f\s])+")
_ESCAPES = (b"\x1b$B", b"\x1b$@", b"\x1b(J")
_STRIPPED = "€£°№«»“”„‘’–—…·"
_APOSTROPHE = "’"
_SIGNS = frozenset(("Cc", "Cn", "Co", "So", "Sk", "Sm", "No", "Pi", "Pf", "Ps"))
_IDEOGRAPHIC = frozenset(("CJK", "HIRAGANA", "KATAKANA"))


class EncodingSample(msgspec.Struct, frozen=True):
    """An encoding, its name for people, and words of the file as it reads them."""

    encoding: str
    name: str
    sample: str


class EncodingList(msgspec.Struct, frozen=True):
    """The encodings in which a text file may be."""

    encodings: list[EncodingSample]


def recognise(content: bytes) -> str | None:
    """Return the likeliest encoding of a text that is not UTF-8; None if it is in none."""
    from chardet import detect_all  # slow to load, and few files need it

    words = _beyond_ascii(content)
    ranked = detect_all(
        words,
        ignore_threshold=True,
        compat_names=False,
        include_encodings=[name for name in ENCODINGS if name not in _NOT_BY_WORDS],
        no_match_encoding=_COMMONEST,
    )
    scores: dict[str, float] = {}
    for candidate in ranked:
        encoding = candidate["encoding"]
        if encoding is not None and (text := _begun(words, encoding)) is not None:
            likelihood = candidate["confidence"] * (_PRIOR if encoding == _COMMONEST else 1)
            scores[encoding] = likelihood / (1 + _PENALTY * _odd_share(text))
    best_first = sorted(scores, key=lambda encoding: -scores[encoding])
    if (not best_first or _odd_share(_begun(words, best_first[0]) or "")) and _is_narrow(
        _begun(words, "cp932")
    ):
        best_first.insert(0, "cp932")
    if cyrillic := _as_cyrillic(words, best_first[0] if best_first else None):
        best_first.insert(0, cyrillic)
    if best_first and _begun(words, best_first[0]) == _begun(words, _COMMONEST):
        best_first.insert(0, _COMMONEST)
    return next((encoding for encoding in best_first if decoded(content, encoding) is not None), None)


def marked(content: bytes) -> str | None:
    """Return the encoding that a text tells by its form: UTF-16 without a mark, or Japanese mail; None for others."""
    if any(escape in content for escape in _ESCAPES) and decoded(content, "iso2022-jp") is not None:
        return "iso2022-jp"
    start = content[:SAMPLE_BYTES]
    if len(content) % 2 or b"\x00" not in start:
        return None
    # Commas, digits and line ends have a zero beside them in any language.
    even, odd = start[::2].count(0), start[1::2].count(0)
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    return (
        encoding if max(even, odd) > 4 * min(even, odd) and decoded(content, encoding) is not None else None
    )


def decoded(content: bytes, encoding: str) -> str | None:
    """Return a whole text in an encoding; None if it isn't in it."""
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return None


def _begun(content: bytes, encoding: str) -> str | None:
    """Return the beginning of a text, which may end within a character; None if it isn't in this encoding."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(content, final=len(content) < SAMPLE_BYTES)
    except UnicodeDecodeError:
        return None


def samples(content: bytes) -> list[EncodingSample]:
    """Return the encodings that may be meant, each with words of the file as it reads them."""
    words = _beyond_ascii(content)
    start = content[:SAMPLE_BYTES]
    readings = {name: _begun(start if name.startswith("utf-16") else words, name) for name in ENCODINGS}
    return [
        EncodingSample(encoding, ENCODINGS[encoding], _shown(text))
        for encoding, text in readings.items()
        if text is not None
    ]


def _beyond_ascii(content: bytes) -> bytes:
    """Return the fields of a table, or the parts of a text, that are not ASCII: the rest would dilute them."""
    fields: list[bytes] = []
    left = SAMPLE_BYTES
    for match in _FIELD.finditer(content):
        if left > 0 and not (field := match[0]).isascii():
            first = _FIRST.search(field)
            begin = max(0, first.start() - ASCII_BEFORE) if first else 0
            fields.append(field[begin : begin + max(left, ASCII_BEFORE + 4)])
            left -= len(fields[-1])
        elif left <= 0:
            break
    return b"\n".join(fields) or content[:SAMPLE_BYTES]


def _shown(text: str) -> str:
    lines = " · ".join(filter(None, map(str.strip, text[: 4 * SHOWN_CHARS].splitlines())))
    return "".join(char if char.isprintable() else "\ufffd" for char in lines[:SHOWN_CHARS])


def _odd_share(text: str) -> float:
    words = [word for word in _RUN.findall(text) if not word.isascii()]
    return sum(map(_is_odd, words)) / max(1, len(words))


def _is_odd(word: str) -> bool:
    scripts = {_script(char) for char in word if char.isalpha()}
    if scripts & _IDEOGRAPHIC:
        scripts -= {*_IDEOGRAPHIC, "LATIN", "FULLWIDTH"}
        if scripts:
            return True
    elif len(scripts) > 1:
        return True
    if any(left.islower() and right.isupper() for left, right in pairwise(word)):
        return True
    if _SELDOM.search(word):
        return True
    inner = word.strip(_STRIPPED).replace(_APOSTROPHE, "")
    return any(not char.isascii() and unicodedata.category(char) in _SIGNS for char in inner)


def _as_cyrillic(words: bytes, best: str | None) -> str | None:
    """Return the encoding in which a text has the commonest Cyrillic letters; None if `best` is likelier."""
    places = {
        encoding: place
        for encoding in _CYRILLIC
        if (text := _begun(words, encoding)) is not None and (place := _mean_place(text)) is not None
    }
    if not places:
        return None
    likeliest = min(places, key=lambda encoding: places[encoding])
    if best is None or best in _CYRILLIC or _odd_share(_begun(words, best) or ""):
        return likeliest
    letters = sum(map(str.isalpha, _begun(words, likeliest) or ""))
    is_sure = places[likeliest] <= _SURE_PLACE and letters >= _SURE_LETTERS
    return likeliest if is_sure and best not in _ALIKE else None


def _mean_place(text: str) -> float | None:
    """Return the mean place of a text's Cyrillic letters among _LETTERS; None if it has others, or odd words."""
    words = "".join(word for word in _RUN.findall(text) if not word.isascii())
    letters = [char for char in words.lower() if char.isalpha()]
    if not letters or not set(letters) <= set(_LETTERS) or (odd := _odd_share(text)) > _MOST_ODD:
        return None
    signs = len(words) - len(letters)
    return (sum(map(_LETTERS.index, letters)) + _PENALTY * signs) / len(letters) + _PENALTY * odd


def _is_narrow(text: str | None) -> bool:
    """Return whether all that is not ASCII are the narrow Japanese letters of banks."""
    others = [char for char in text or "" if not char.isascii()]
    return bool(others) and all("\uff61" <= char <= "\uff9f" for char in others)


@lru_cache(4096)
def _script(char: str) -> str:
    return unicodedata.name(char, "?").partition(" ")[0].partition("-")[0]
