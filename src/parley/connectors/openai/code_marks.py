"""Marks of code and quotation in a text that arrives in pieces."""

import re

_FENCE = re.compile("`{3,}")
_CLOSED_BY = {
    "`": "`",
    "'": "'",
    '"': '"',
    "“": "”",
    "‘": "’",
    "«": "»",
    "(": ")",
    "„": "“",
    "「": "」",
    "*": "*",
}


class CodeMarks:
    """Follows a text and tells whether its next word would be quoted."""

    def __init__(self) -> None:
        self.last: str = ""
        """The last character so far."""
        self._ticks = 0
        self._fences = 0
        self._run: str = ""

    def feed(self, text: str) -> None:
        """Note the next piece of the text."""
        if not text:
            return
        if "`" in text:
            run = self._run if self.last == "`" else ""
            joined = run + text
            self._fences += len(_FENCE.findall(joined)) - len(_FENCE.findall(run))
            self._ticks += text.count("`")
            self._run = joined[len(joined.rstrip("`")) :]
        self.last = text[-1]

    def quotes(self, before: str, after: str) -> bool | None:
        """Return whether what stands between two texts is quoted; None if more must be read to know."""
        self.feed(before)
        if self._fences % 2:
            return True
        if self.last in ("", "\n"):
            # A stray back tick some lines before quotes nothing here.
            return False
        if self._ticks % 2:
            return True
        close = _CLOSED_BY.get(self.last)
        if close is None:
            return False
        return after.startswith(close) if after else None
