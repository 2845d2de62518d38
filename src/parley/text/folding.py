"""Folding: maps texts that differ only in case, spacing or letter composition to the same form."""

import re
import unicodedata
from functools import cache

MARKS_MAX = 30
"""The most marks on one letter that are put in order together (the Stream-Safe Text Format, UAX #15)."""

_DOTTED_I = re.compile("i\N{COMBINING DOT ABOVE}+")
_LAST_MARK = 0x1FFFF
_JOINER = "\N{COMBINING GRAPHEME JOINER}"


def folded(text: str) -> str:
    """Return a text as search compares it: letters without case and in one composition (NFKC), single spaces.

    “STRASSE” and “Straße” become the same, and so do “ﬁ” and “fi”, “İ” and “i”; folding twice changes nothing.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    # Marks are put in order in the square of their number: 80,000 on one letter would take half a minute.
    safe = _many_marks().sub(rf"\g<0>{_JOINER}", text) if len(text) > MARKS_MAX else text
    # Taking the case away can leave letters apart that belong together, and composing them can bring it back.
    once = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", safe).casefold())
    plain = _DOTTED_I.sub("i", once.casefold())
    return " ".join(unicodedata.normalize("NFKC", plain).split())


@cache
def _many_marks() -> re.Pattern[str]:
    marks = "".join(chr(code) for code in range(_LAST_MARK) if unicodedata.combining(chr(code)))
    return re.compile(f"[{marks}]{{{MARKS_MAX}}}(?=[{marks}])")
