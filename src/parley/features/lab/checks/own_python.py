"""Checks in Python of one's own."""

from typing import cast

from parley.engine import foreign_python
from parley.features.lab.checks.contract import CheckedAnswer, OwnPython, Verdict

FUNCTION = "check"
MAX_REASON_CHARS = 500


async def own_python(check: OwnPython, answer: CheckedAnswer) -> Verdict:
    """Call `check(answer, expected, values)`. Raises CodeFailed."""
    inputs = {"answer": answer.text, "expected": answer.expected, "values": dict(answer.values)}
    result = await foreign_python.run(check.code, inputs, function=FUNCTION)
    return read_result(result.value)


def read_result(value: object) -> Verdict:
    """Return the verdict of a bool, of a score from 0 to 1, of [either, reason], or of an object with these.

    Raises CodeFailed for anything else.
    """
    passed: object = None
    reason: object = ""
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        reason = fields.get("reason", "")
        passed = fields.get("passed", fields.get("pass"))
        value = fields.get("score", passed)
    elif isinstance(value, list) and len(cast("list[object]", value)) == 2:
        value, reason = cast("list[object]", value)
    if isinstance(value, bool):
        return _verdict(value if passed is None else passed, float(value), reason)
    if isinstance(value, int | float) and 0 <= value <= 1:
        return _verdict(value >= 0.5 if passed is None else passed, float(value), reason)
    raise foreign_python.CodeFailed(
        "“check” must return True or False, or a score from 0 to 1.",
        "A reason may follow: return 0.5, 'why'.",
    )


def _verdict(passed: object, score: float, reason: object) -> Verdict:
    return Verdict(passed=bool(passed), score=score, reason=str(reason)[:MAX_REASON_CHARS])
