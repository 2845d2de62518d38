"""A check: the answer has none of some words."""

from collections.abc import Mapping

from parley.features.lab.checks.contract import CheckedAnswer, Verdict


async def has_no_jargon(answer: CheckedAnswer, settings: Mapping[str, object]) -> Verdict:
    """Look for the words of the setting `words`, without regard to case."""
    words = settings.get("words")
    listed = [str(word) for word in words] if isinstance(words, list | tuple) else []
    said = answer.text.casefold()
    found = [word for word in listed if word.casefold() in said]
    reason = f"“{found[0]}” is jargon." if found else "No jargon."
    return Verdict(passed=not found, score=float(not found), reason=reason)
