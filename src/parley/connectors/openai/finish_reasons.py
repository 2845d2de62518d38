"""Finish reasons as servers write them, and what each means."""

import re
from typing import cast

from parley.kernel.connector import FinishReason

_NONE = frozenset(
    {
        *(
            "",
            "null",
            "none",
            "nil",
            "undefined",
            "false",
            "unspecified",
            "in_progress",
            "n/a",
            "na",
            "-",
            "0",
        ),
        *("unknown", "continue", "continuing", "streaming", "generating", "running", "pending", "ongoing"),
        *("not_finished", "unfinished", "not_stopped", "processing", "started"),
    }
)
_BROKEN_OFF = re.compile(
    r"abort|cancel|error|fail|time_?out|interrupt|incomplete|insufficient|disconnect|shutdown|preempt|\Aload\Z"
)
_LENGTH = re.compile(r"length|max|limit|context|out_of_tokens|truncat|budget")
_FILTERED = re.compile(
    r"filter|safety|recitation|refus|guardrail|prohibited|blocklist|blocked|spii|sensitive|moderat"
)
_TOOLS = re.compile(r"tool|function_?call")


def read_reason(reason: object) -> FinishReason | None:
    """Return what a reason means; None if it names none. One that Parley does not know means "stop"."""
    name = _name(reason)
    if name in _NONE:
        return None
    if _TOOLS.search(name) and not _BROKEN_OFF.search(name):
        return "tool_calls"
    if _FILTERED.search(name):
        return "content_filter"
    return "length" if _LENGTH.search(name) else "stop"


def is_broken_off(reason: object) -> bool:
    """Return whether a reason means that the answer did not finish."""
    name = _name(reason)
    return bool(_BROKEN_OFF.search(name)) and not (_LENGTH.search(name) or _FILTERED.search(name))


def is_end(reason: object) -> bool:
    """Return whether a reason means that the answer is complete."""
    return _name(reason) not in _NONE and not is_broken_off(reason)


def _name(reason: object) -> str:
    if isinstance(reason, dict):
        reason = next(iter(cast("dict[str, object]", reason).values()), None)
    if not isinstance(reason, str):
        return ""
    name = reason.strip().lower()
    name = re.sub(r"[\s-]+", "_", name) if len(name) > 1 else name
    return name.rpartition(".")[2].removeprefix("finish_reason_").removeprefix("finishreason_")
