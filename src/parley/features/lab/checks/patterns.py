"""People's regular expressions: searched in the confined interpreter, so that none can hang the server."""

from parley.engine import foreign_python
from parley.engine.foreign_python import CodeFailed, Limits

MAX_SUBJECT_CHARS = 200_000

_CODE = """import re
def run(pattern, text):
    match = re.search(pattern, text)
    return None if match is None else match.group(0)[:80]"""
_LIMITS = Limits(seconds=1.0, memory_mb=64)


class BadPattern(Exception):
    """The pattern is wrong, or needs too long for this text."""


async def search(pattern: str, text: str) -> str | None:
    """Return the first match, cut to 80 characters; None if there is none. Raises BadPattern."""
    try:
        result = await foreign_python.run(
            _CODE, {"pattern": pattern, "text": text[:MAX_SUBJECT_CHARS]}, _LIMITS
        )
    except CodeFailed as failure:
        raise BadPattern(_reason(failure)) from None
    return None if result.value is None else str(result.value)


def _reason(failure: CodeFailed) -> str:
    _, mark, reason = failure.title.partition("PatternError: ")
    if mark:
        return f"The pattern can't be used: {reason}"
    return "The pattern takes too long on this text. Make it simpler: nested repetitions are slow."
