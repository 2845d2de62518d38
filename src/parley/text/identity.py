"""Identity: whether an answer tells who is answering.

A blind vote is worth nothing where an answer gives its model away. The search is conservative: a text that
only mentions a model or its maker tells nothing; a sentence in which the speaker names itself, or who made
it, does. It reads sentences, not meanings: a character in a poem who says “I am Claude” counts as naming.
The error rates on labelled sentences stand in tests/unit/text/test_identity.py.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import islice

from parley.text.identity_names import own_names
from parley.text.identity_phrases import CLAUSE, CLOSES, DENIES, FOLLOWS, MADE, NAMED

MOST_MENTIONS = 500
"""How many mentions of its own names are looked at in one answer: the time is bounded."""

_BEFORE, _AFTER = 180, 90
_MARKS = re.compile(r"[*_`~#>]+|<[^<>\n]{1,40}>")
_BREAKS = re.compile(r"[.!?…]+[)\"”’']*\s|[。！？]|\n")
_REPORTED = re.compile(r"\S[^\n]*[“\"«„‘][^“”\"«»„]{0,120}$")
_SAID_SO = re.compile(
    r"[^“”\"«»\n]{0,40}[,.!?]?[”\"»“’]+,? (?:(?:the|a|an|his|her) )?(?:\w+ )?"
    r"(?:said|says|asked|replied|whispered|cried|answered|thought)\b"
)
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " ", "\u2011": "-"})


def self_identification(text: str, names: Sequence[str]) -> str | None:
    """Return the words in which an answer names its own model or maker; None where it does not.

    `names`: the id, name, organisation and family of the model that gave the answer, and its names at
    providers. The words are returned without marks of formatting.
    """
    mentions = own_names(tuple(names))
    if mentions is None or mentions.search(text) is None:
        return None
    plain = _MARKS.sub("", unicodedata.normalize("NFC", text).translate(_STRAIGHT))
    for mention in islice(mentions.finditer(plain), MOST_MENTIONS):
        if phrase := _naming(plain, mention.start(), mention.end()):
            return phrase
    return None


def _naming(text: str, start: int, end: int) -> str | None:
    """Return the words around a mention in which the speaker names itself."""
    line = text[max(0, start - _BEFORE) : start]
    before = _BREAKS.split(line)[-1].lstrip(" \t-|•\"“'(")
    after = text[end : end + _AFTER].split("\n", maxsplit=1)[0]
    if not _is_naming(before, after) or DENIES.search(CLAUSE.sub("", before)):
        return None
    if _REPORTED.search(line.rpartition("\n")[2]) or _SAID_SO.match(after):
        return None
    return (before + text[start:end]).strip()


def _is_naming(before: str, after: str) -> bool:
    if after.startswith("'s "):
        return any(left.search(before) and right.match(after) for left, right in FOLLOWS)
    if CLOSES.match(after) and any(phrase.search(before) for phrase in NAMED):
        return True
    if any(phrase.search(before) for phrase in MADE):
        return True
    return any(left.search(before) and right.match(after) for left, right in FOLLOWS)
