"""A check: the answer has none of some words."""

from collections.abc import Mapping
from typing import cast

from parley.features.lab.checks.contract import CheckedAnswer, Verdict


async def has_no_jargon(answer: CheckedAnswer, settings: Mapping[str, object]) -> Verdict:
    """Look for the words of the setting `words`, without regard to case."""
    words = settings.get("words")
    listed = [str(word) for word in cast("list[object]", words)] if isinstance(words, list) else []
    said = answer.text.casefold()
    found = [word for word in listed if word.casefold() in said]
    reason = f"“{found[0]}” is jargon." if found else "No jargon."
    return Verdict(passed=not found, score=float(not found), reason=reason)
