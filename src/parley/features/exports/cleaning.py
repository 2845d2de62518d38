"""Texts without addresses, numbers, keys and names of accounts.

Every pattern takes linear time: the texts are anybody's. What no list and no pattern knows stays, such as the name of
somebody without an account here.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from ipaddress import IPv6Address

from parley.wire.redaction import redact

_INVISIBLE = re.compile("(?<=\\w)[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+(?=\\w)")
_PEM = re.compile(r"-----BEGIN [A-Z ]{1,40}-----[A-Za-z0-9+/=\s]*(?:-----END [A-Z ]{1,40}-----)?")
_URL = re.compile(r"(?i)\b([a-z][a-z0-9+.-]{1,20})://[^\s<>\"'`\\\]})]+")
_EMAIL = re.compile(r"[\w.+%-]{1,64}\s?[@\uff20]\s?[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}")
_HANDLE = re.compile(r"(?<![\w@])@[A-Za-z0-9_]{2,40}\b")
_IPV4 = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
_IPV6 = re.compile(r"(?<![\w:])[0-9A-Fa-f:]{3,39}(?![\w:])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_NUMBER = re.compile(r"(?<![\w.])[+(]{0,2}\d(?:[\s()./-]{0,3}\d){6,30}")
_DATE = re.compile(r"(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})(?:\s\d{1,2})?$")
_DECIMAL = re.compile(r"\d{1,2}\.\d+$")
_TOKEN = re.compile(r"(?=[^/]*\d)[A-Za-z0-9_-]{12,}")
_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")

PERSON = "[name]"
SHORTEST, LONE = 2, 3
"""The letters of the shortest name that is looked for, and of the shortest part of one that is looked for alone."""
USUAL_NAMES = frozenset({"you", "me", "owner", "admin", "administrator", "guest", "user", "test"})
"""Names of accounts that are words of every text."""
DIGITS, DIGITS_OF_PHONE = 9, 7
"""The digits from which on a number is removed: any, and one that begins as telephone numbers do."""


class Cleaner:
    """Removes from texts what points to people. `names` are those of accounts and workspaces."""

    def __init__(self, names: Iterable[str]) -> None:
        self._phrases: dict[str, list[tuple[str, ...]]] = {}
        self._parts: set[str] = set()
        self._unspaced: list[str] = []
        for name in names:
            self._add(name.strip())
        for phrases in self._phrases.values():
            phrases.sort(key=len, reverse=True)
        self._unspaced.sort(key=len, reverse=True)

    def clean(self, text: str) -> str:
        """Return a text in which marks stand for what was removed."""
        text = _INVISIBLE.sub("", text)
        text = _PEM.sub("[key]", text)
        text = _URL.sub(_url, text)
        text = _EMAIL.sub("[email]", text)
        text = redact(text)
        text = _IPV6.sub(_address, _IPV4.sub("[address]", text))
        text = _NUMBER.sub(_number, _IBAN.sub("[number]", text))
        text = _HANDLE.sub("[handle]", text)
        for name in self._unspaced:
            text = text.replace(name, PERSON)
        return "".join(self._without_names(text))

    def _add(self, name: str) -> None:
        words = _WORD.findall(name)
        if len(name) < SHORTEST or name.casefold() in USUAL_NAMES or not words:
            return
        if _UNSPACED.search(name):
            self._unspaced.append(name)
            return
        folded = tuple(word.casefold() for word in words)
        self._phrases.setdefault(folded[0], []).append(folded)
        if len(words) > 1:
            self._parts.update(word for word in words if len(word) >= LONE and word[0].isupper())

    def _without_names(self, text: str) -> Iterator[str]:
        """Yield a text's pieces: whole names whatever their case, parts of one as the account has them."""
        words = [(word.start(), word.end(), word.group()) for word in _WORD.finditer(text)]
        place = end = 0
        while place < len(words):
            length = self._length_at(words, place)
            if length:
                yield text[end : words[place][0]]
                yield PERSON
                end = words[place + length - 1][1]
            place += length or 1
        yield text[end:]

    def _length_at(self, words: list[tuple[int, int, str]], place: int) -> int:
        """Return how many words from one on are a name; 0 if it is none."""
        for phrase in self._phrases.get(words[place][2].casefold(), ()):
            there = words[place : place + len(phrase)]
            close = all(later[0] - earlier[1] <= 3 for earlier, later in itertools.pairwise(there))
            if close and tuple(word.casefold() for _, _, word in there) == phrase:
                return len(phrase)
        return int(words[place][2] in self._parts)


def _url(match: re.Match[str]) -> str:
    """Return an address without what may open something: query, fragment, name and password, tokens in its path."""
    scheme, _, rest = match.group().partition("://")
    place, slash, path = rest.partition("/")
    host = place.rpartition("@")[2]
    plain = path.partition("?")[0].partition("#")[0]
    cut = len(plain) < len(path) or "?" in host or "#" in host or _TOKEN.search(plain) is not None
    host = host.partition("?")[0].partition("#")[0]
    return f"{scheme}://{host}{'/[removed]' if cut else slash + plain}"


def _address(match: re.Match[str]) -> str:
    try:
        IPv6Address(match.group())
    except ValueError:
        return match.group()
    return "[address]"


def _number(match: re.Match[str]) -> str:
    text = match.group()
    digits = sum(character.isdigit() for character in text)
    if _DATE.match(text) or _DECIMAL.match(text):
        return text
    is_phone = text[0] in "+(0" and digits >= DIGITS_OF_PHONE
    return "[number]" if is_phone or digits >= DIGITS else text
