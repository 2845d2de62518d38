"""Lists of words and patterns, found in a text in time that grows with its length alone.

The engine is Rust's `regex`, which comes with pydantic: no pattern can make it run away.
"""

import re
import unicodedata
from collections.abc import Sequence

from pydantic_core import SchemaError, SchemaValidator, core_schema

_NO_SPACES = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U0003ffff]"
"""Scripts that write words without spaces, so that every letter may begin or end one."""

_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))
"""Characters without a width, which people may put within a word."""

_BEFORE, _AFTER = (rf"(?:{edge}|[^\w]|{_NO_SPACES})" for edge in ("^", "$"))


class BadPattern(ValueError):
    """A pattern that can't be used: `index` is its place in the list, from 0, and `character` that in it, from 1."""

    def __init__(self, index: int, why: str, character: int | None) -> None:
        super().__init__(why)
        self.index = index
        self.why = why
        self.character = character


class Listed:
    """Finds the entries of a list in texts; immutable."""

    def __init__(self, terms: Sequence[str], *, patterns: bool) -> None:
        """Terms are literal words and phrases, without regard to case, or regular expressions. Raises BadPattern."""
        self._terms = terms
        self._folds = not patterns
        self._singles = [_compile(term, index) for index, term in enumerate(terms)] if patterns else None
        whole = "|".join(f"(?:{term})" for term in terms) if patterns else _whole_words(terms)
        self._any = _compile(whole, len(terms) - 1)

    def first_in(self, text: str) -> str | None:
        """Return the first term of the list that a text has; None if it has none."""
        if self._folds:
            text = _folded(text)
        if not self._any.isinstance_python(text):
            return None
        return next(term for index, term in enumerate(self._terms) if self._has(index, text))

    def _has(self, index: int, text: str) -> bool:
        if self._singles is not None:
            return self._singles[index].isinstance_python(text)
        term = self._terms[index]
        return _folded(term).split()[0] in text and _compile(_whole_words([term]), index).isinstance_python(
            text
        )


def _folded(text: str) -> str:
    """Return a text without distinctions of case, width and composition, and without invisible characters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(_INVISIBLE)


def _whole_words(terms: Sequence[str]) -> str:
    """Return the pattern of terms that are not parts of longer words; spaces stand for any white space."""
    bounded: dict[tuple[str, str], list[str]] = {}
    for words in (_folded(term).split() for term in terms):
        before = "" if re.match(_NO_SPACES, words[0]) else _BEFORE
        after = "" if re.search(f"{_NO_SPACES}$", words[-1]) else _AFTER
        bounded.setdefault((before, after), []).append(r"\s+".join(map(re.escape, words)))
    return "|".join(f"{before}(?:{'|'.join(some)}){after}" for (before, after), some in bounded.items())


def _compile(pattern: str, index: int) -> SchemaValidator:
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError as error:
        raise BadPattern(index, *_cause(str(error))) from None


def _cause(message: str) -> tuple[str, int | None]:
    """Return why a pattern was refused, and at which character: Rust draws a caret below it."""
    *_, caret, why = ["", *message.splitlines()]
    if caret.strip(" ^") or "^" not in caret:
        return "it takes too much memory", None
    return why.removeprefix("error:").strip().rstrip("."), caret.index("^") - 3
