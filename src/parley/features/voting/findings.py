"""Findings: what is recorded beside a vote, from the prompts and replies of its match."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from parley.engine.hub import Passed
from parley.features.voting.hygiene import Reading
from parley.kernel.messages import sha256_text
from parley.kernel.tools import last_steps
from parley.storage.tables.conversations import ReplyRow, TurnRow
from parley.text.categories.ids import PICTURES
from parley.text.folding import folded
from parley.text.style import FEATURES, style_of

SIDES = ("left", "right")
"""The names of the first and the second of two seats in `Findings.style`."""


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """Figures recorded beside a vote, see `Vote`. `style` is by side and name of FEATURES.

    It is None unless the choice is between two.
    """

    categories: tuple[str, ...]
    prompt_sha256: str
    style: dict[str, dict[str, int]] | None
    reading: Reading | None


def find(
    turns: Sequence[TurnRow],
    replies: Sequence[ReplyRow],
    passed: Passed | None,
    categorise: Callable[[Sequence[str], int], Sequence[str]],
    *,
    prompts: Sequence[str],
    seats: Sequence[str],
) -> Findings:
    """Return the findings of a vote between seats on turns with their replies, oldest first.

    `prompts` are what the person asked, with the pictures and files of the turns. `passed` is how long ago the last
    turn was played, None where that is not known.
    """
    attachments = [each for turn in turns for each in turn.input.get("attachments", ())]
    replies = last_steps(replies, turn=lambda reply: reply.turn_id)
    pictures = {each["sha256"] for each in attachments if each.get("text_sha256") is None}
    return Findings(
        categories=_categories(categorise(prompts, len(pictures)), replies),
        prompt_sha256=sha256_text("\n".join([folded(prompts[0]), *(each["sha256"] for each in attachments)])),
        style=_style(replies, seats),
        reading=_reading([reply for reply in replies if reply.turn_id == turns[-1].id], passed),
    )


def _categories(categories: Sequence[str], replies: Sequence[ReplyRow]) -> tuple[str, ...]:
    """Return the categories of a match, with that of pictures where all replies are drawn."""
    drawn = bool(replies) and all(reply.parts and not reply.text for reply in replies)
    return tuple(sorted({*categories, *((PICTURES,) if drawn else ())}))


def _style(replies: Sequence[ReplyRow], seats: Sequence[str]) -> dict[str, dict[str, int]] | None:
    """Return the style of both sides over all that is judged; None unless they are two."""
    texts: dict[str, list[str]] = {}
    for reply in replies:
        texts.setdefault(reply.seat, []).append(reply.text)
    if len(seats) != len(SIDES) or not all(seat in texts for seat in seats):
        return None
    styles = {side: style_of("\n\n".join(texts[seat])) for side, seat in zip(SIDES, seats, strict=True)}
    return {side: dict(zip(FEATURES, style, strict=True)) for side, style in styles.items()}


def _reading(replies: Sequence[ReplyRow], passed: Passed | None) -> Reading | None:
    """Return how the last turn's replies could be read; None where nobody knows how long.

    The times that are stored are no help: a wall clock that was set back would make an honest vote too fast.
    """
    if passed is None:
        return None
    waits = [_first_words_ms(reply.metrics) for reply in replies if reply.metrics]
    return Reading(
        read_ms=passed.since_end,
        seen_ms=max(passed.since_end, passed.since_begin - max(waits, default=0)),
        chars=sum(len(reply.text) for reply in replies),
    )


def _first_words_ms(metrics: Mapping[str, Any]) -> int:
    """Return when a reply's text began, in milliseconds.

    The text of an ensemble comes all at once, at its end.
    """
    together = metrics.get("tokens_per_second") is None
    return (metrics.get("duration_ms") if together else metrics.get("ttft_ms")) or 0
