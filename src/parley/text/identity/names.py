"""Mentions: where a text has the name of a model or of a maker."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import merge
from typing import Literal, NamedTuple, TypeAlias

from parley.text.identity.known import MAKERS, NO_NAMES, VERSION, spellings
from parley.text.identity.plain import plain

MentionKind: TypeAlias = Literal["clear", "plain", "company", "listed", "lower"]

MOST_MENTIONS = 300
"""The most mentions that are read in one text."""

LEAST_STEM, LONGEST_ENDING = 6, 3
"""The letters that an unambiguous name needs before an ending is accepted, and those of the longest ending."""

_LETTERS = "A-Za-zÀ-ɏͰ-ӿ\u0530-\u07ff\u0900-\u0dff\u10a0-\u10ff"
"""Letters of scripts that set words apart, with their vowel signs."""
_RUN = re.compile(rf"(?<![{_LETTERS}])[{_LETTERS}]+(?:'[\u0590-\u05ff]+)*")
_ROLES = (
    *("ai", "bot", "chatbot", "assistant", "assistent", "asistente", "assistente", "assistante", "model"),
    *("ассистент", "помощник", "助手", "模型"),
)
"""Words that stand beside a name and a slash, as in “Assistant/Claude:”, without making a path of it."""
_NO_ROLE = "".join(map(r"(?<!\b{})".format, _ROLES))
_BEFORE = re.compile(rf"(?i:[A-Za-z0-9À-ɏЀ-ӿ@\\]$|[A-Za-z0-9][-.]$|{_NO_ROLE}/$)")
_AFTER = re.compile(
    r"(?![A-Za-z0-9À-ɏ\u0530-\u07ff\u0900-\u0dff]|\.[A-Za-z]{2,}|[@\\][A-Za-z]|"
    rf"/(?!(?i:{'|'.join(_ROLES)})\b)[A-Za-z])"
)
_ANOTHER_NAME = re.compile(r"[ -][A-ZÀ-ÖØ-ÞА-Я](?=[^\W\d_])(?!I\b)")
_SPACE_OR_HYPHEN = re.compile(r"[ -]+")
_GIVEN_NAME = re.compile(
    "[·・ ]?(?:·|・|모네|드뷔시|莫奈|德彪西|モネ|ドビュッシー|โมเน)|"
    " (?:مونيه|مونه|ديبوسي|شانون|फ्रांसुआ|मोने|मोनेट|शैनन|מונה|דביסי|שאנון|Μονέ|মোনে|মনে|Моне|Дебюсси)"
)
"""Surnames of people whom the world knows, after a first name that is a model's too."""
_JOINED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Mention(NamedTuple):
    """A name in a text, with its version: `start` to `end`; `maker` is the same for all names of one maker."""

    start: int
    end: int
    maker: str
    kind: MentionKind
    has_version: bool


class _Name(NamedTuple):
    pattern: re.Pattern[str]
    maker: str
    kind: MentionKind
    is_one_word: bool


class Names:
    """All names of models and their makers: those of a model list, and the well-known ones."""

    def __init__(self, listed: Iterable[str]) -> None:
        """`listed`: ids, names, organisations and families of models, and their names at providers."""
        self._by_word: dict[str, list[_Name]] = {}
        joined: dict[str, _Name] = {}
        known: set[str] = set()
        for maker in MAKERS:
            kinds: dict[MentionKind, tuple[str, ...]] = {
                "clear": maker.clear,
                "plain": maker.plain,
                "company": maker.companies,
            }
            for kind, words in kinds.items():
                for word in (plain(each) for name in words for each in (name, *spellings(name))):
                    known.add(word.casefold())
                    name = _Name(_pattern(word, kind), maker.clear[0], kind, word.isalpha())
                    if _JOINED.match(word):
                        joined[word] = name
                    else:
                        for first in {_first(word), _first(word.replace(" ", ""))}:
                            self._by_word.setdefault(first, []).append(name)
        for word in {word for text in listed for word in _words_of(plain(text))} - known - NO_NAMES:
            if first := _first(word):
                name = _Name(_pattern(word, "listed"), word, "listed", is_one_word=False)
                self._by_word.setdefault(first, []).append(name)
        for names in self._by_word.values():
            names.sort(key=lambda name: -len(name.pattern.pattern))
        self._stems = {
            word[:LEAST_STEM]
            for word, names in self._by_word.items()
            if any(name.kind == "clear" and name.is_one_word for name in names)
        }
        self._joined = joined
        longest_first = sorted(joined, key=len, reverse=True)
        self._joined_pattern = re.compile("|".join(map(re.escape, longest_first)))

    def mentions(self, text: str) -> list[Mention]:
        """Return the first MOST_MENTIONS names in a plain text, in their order; they do not overlap."""
        all_mentions: list[Mention] = []
        last = 0
        for mention in self._all(text):
            if mention.start >= last:
                all_mentions.append(mention)
                last = mention.end
            if len(all_mentions) >= MOST_MENTIONS:
                break
        return all_mentions

    def _all(self, text: str) -> Iterator[Mention]:
        spaced = self._in_words(text)
        return spaced if text.isascii() else merge(self._in_one(text), spaced)

    def _in_words(self, text: str) -> Iterator[Mention]:
        """Yield the names that are separate words; nearly every word is not one, so that case must be cheap."""
        by_word, stems = self._by_word, self._stems
        words = set(map(str.casefold, set(_RUN.findall(text))))
        named = {word for word in words if word in by_word or word[:LEAST_STEM] in stems}
        if not named:
            return
        for run in _RUN.finditer(text):
            word = run[0].casefold()
            if word in named and (mention := self._at(text, run, word)):
                yield mention

    def _in_one(self, text: str) -> Iterator[Mention]:
        """Yield the names that are written without spaces around them."""
        for match in self._joined_pattern.finditer(text):
            name = self._joined[match[0]]
            if not _GIVEN_NAME.match(text, match.end()):
                yield Mention(match.start(), match.end(), name.maker, name.kind, False)

    def _at(self, text: str, run: re.Match[str], word: str) -> Mention | None:
        if _BEFORE.search(text, max(0, run.start() - 2), run.start()):
            return None
        for name in self._by_word.get(word, ()):
            match = name.pattern.match(text, run.start())
            if match and _AFTER.match(text, match.end()):
                if name.kind != "clear" and _ANOTHER_NAME.match(text, match.end()):
                    continue
                if _GIVEN_NAME.match(text, match.end()):
                    continue
                kind = name.kind
                if kind == "plain" and match["lower"]:
                    kind = "lower"
                return Mention(run.start(), match.end(), name.maker, kind, bool(match["version"]))
        return self._inflected(run, word)

    def _inflected(self, run: re.Match[str], word: str) -> Mention | None:
        """Return the mention of a clear name with an ending, as in “Anthropicin”."""
        for end in range(max(LEAST_STEM, len(word) - LONGEST_ENDING), len(word)):
            for name in self._by_word.get(word[:end], ()):
                if name.kind == "clear" and name.is_one_word:
                    return Mention(run.start(), run.start() + end, name.maker, name.kind, False)
        return None


@lru_cache(maxsize=16)
def names_of(listed: tuple[str, ...]) -> Names:
    """Return the names of a model list; the same object for the same list."""
    return Names(listed)


def _words_of(name: str) -> Iterator[str]:
    """Yield the parts of a name that are spoken, and the first word of each; in lower case."""
    for part in re.split(r"[/:@]", re.sub(r"\([^()]*\)", "", name)):
        whole = part.strip().casefold()
        words = [whole]
        if word := re.match(r"[^\W\d_]{3,}", whole):
            words.append(word[0])
        yield from (word for word in words if len(word) >= 3 or re.search(r"\d", word))


def _first(word: str) -> str:
    match = _RUN.search(word)
    return match[0].casefold() if match and match.start() == 0 else ""


def _pattern(word: str, kind: MentionKind) -> re.Pattern[str]:
    """Return the pattern of a name: written together or apart; in any case only where it is no other word."""
    parts: Sequence[str] = _SPACE_OR_HYPHEN.split(word)
    spelled = r"[ -]?".join(map(re.escape, parts))
    lower = "(?P<lower>$^)"
    if kind == "clear" or (kind == "listed" and re.search(r"\d", word)):
        spelled = f"(?i:{spelled})"
    else:
        capital = r"[ -]?".join(re.escape(part[:1].upper() + part[1:]) for part in parts)
        spelled = f"(?:{capital}|{re.escape(word.upper())}|(?i:{spelled})(?=[ -]?v?\\d))"
        if kind == "plain":
            lower = f"(?P<lower>{re.escape(word.casefold())})"
    return re.compile(f"(?:{spelled}|{lower})(?P<version>{VERSION})")
