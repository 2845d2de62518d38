"""Lines that name an author: labels, signatures, speaker names, and keys of JSON."""

import re
from collections.abc import Iterator, Sequence

from parley.text.identity.names import Mention
from parley.text.identity.shapes import NAME, shape_of

LONGEST = 120
"""Characters of a line that may be a label or a signature."""

LABEL = re.compile(r"^[^\w]{0,3}[TU]?(?:[.\"]{0,2}L[\"]?[TC.]?[\"]?-[-\"]{0,3}|[LU][T-]{0,2})N[^!]{0,8}[!]*$")
KEY = re.compile(r"L\"?-+\"?N")
NOTE = re.compile(r"[,!-]L[BTKL-]{0,3}N")
SIGNATURE = re.compile(r"^(?:[-,]+[TKLUR.]{0,3}|[TK]?U[-,TKL]{0,3})N[!,TKLW]*$")
BARE = re.compile(r"^[TK,-]{0,3}N[!,]*$")
SPEECH = re.compile(r"^N-")


def signed(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Yield the mentions in a plain text that are in the place of an author's name."""
    lines = _Lines(text)
    for mention in mentions:
        line, before, is_first, is_last = lines.around(mention)
        if line is None:
            continue
        left, right = line
        shape = shape_of(left) + NAME + shape_of(right)
        if (
            LABEL.search(shape)
            or KEY.search(shape)
            or (NOTE.search(shape) and len(shape) < 12)
            or (is_first and SPEECH.search(shape) and _speaks(mention, right))
            or (is_last and SIGNATURE.search(shape))
            or (is_last and BARE.search(shape) and before.endswith(",") and "U" in shape_of(before))
        ):
            yield mention


def _speaks(mention: Mention, right: str) -> bool:
    """Return whether what follows a name is its speech.

    A dash explains a word, as in “Gemini – the twins”, and so does a small letter: “Gemini: the twins”.
    """
    mark, speech = right.lstrip(' "),')[:1], right.lstrip(' "),:')
    explains = mark != ":" or (mention.kind != "lower" and speech[:1].islower())
    return mention.kind == "clear" or (mention.kind != "listed" and not explains)


def is_alone(text: str, mention: Mention) -> bool:
    """Return whether a short text is a name and little else."""
    return bool(BARE.search(shape_of(text[: mention.start]) + NAME + shape_of(text[mention.end :])))


class _Lines:
    """A text by its lines."""

    def __init__(self, text: str) -> None:
        self._text = text
        stripped = text.rstrip()
        self._end = len(stripped)
        self._begin = len(text) - len(text.lstrip())

    def around(self, mention: Mention) -> tuple[tuple[str, str] | None, str, bool, bool]:
        """Return a mention's line before and after it, the line above, and whether it is the first or last.

        The line is None if it is too long.
        """
        text = self._text
        start = text.rfind("\n", max(0, mention.start - LONGEST), mention.start) + 1
        if start == 0 and mention.start > LONGEST:
            return None, "", False, False
        end = text.find("\n", mention.end, mention.end + LONGEST)
        if end < 0:
            end = min(len(text), mention.end + LONGEST)
        above = text[max(0, start - LONGEST) : start].rstrip().rpartition("\n")[2]
        line = (text[start : mention.start], text[mention.end : end])
        return line, above.strip(), start <= self._begin, end >= self._end
