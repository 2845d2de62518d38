"""Findings: what is made of a vote when it is cast, from the prompts and replies of its match."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec

from parley.kernel.messages import sha256_text
from parley.text.folding import folded
from parley.text.style import FEATURES, style_of
from parley.workspace.arena.ballot_repository import VotedReply, VotedTurn
from parley.workspace.arena.hygiene import Reading

SIDES = ("left", "right")


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What stands beside a vote: see `Vote`. `style` is by side, each with the names of FEATURES."""

    categories: tuple[str, ...]
    prompt_sha256: str
    style: dict[str, dict[str, int]] | None
    reading: Reading | None


def find(
    turns: Sequence[VotedTurn],
    replies: Sequence[VotedReply],
    now: datetime,
    categorise: Callable[[Sequence[str]], Sequence[str]],
) -> Findings:
    """Return the findings of a vote that is cast now; turns and replies oldest first, all of them complete."""
    prompts = [str(turn.input.get("text", "")) for turn in turns]
    return Findings(
        categories=tuple(categorise(prompts)),
        prompt_sha256=sha256_text(folded(prompts[0])),
        style=_style(replies),
        reading=_reading(turns[-1], [reply for reply in replies if reply.turn_id == turns[-1].id], now),
    )


def _style(replies: Sequence[VotedReply]) -> dict[str, dict[str, int]] | None:
    """Return the style of both sides over the whole match; None where there are no such sides."""
    said: dict[str, list[str]] = {}
    for reply in replies:
        said.setdefault(reply.seat, []).append(reply.text)
    if not all(side in said for side in SIDES):
        return None
    styles = {side: style_of("\n\n".join(said[side])) for side in SIDES}
    return {side: dict(zip(FEATURES, style, strict=True)) for side, style in styles.items()}


def _reading(turn: VotedTurn, replies: Sequence[VotedReply], now: datetime) -> Reading | None:
    """Return how the last turn's replies could be read; None where nobody knows when it ended."""
    if turn.ended_at is None:
        return None
    waits = [_first_words_ms(reply.metrics) for reply in replies if reply.metrics]
    first_words = turn.created_at + timedelta(milliseconds=max(waits, default=0))
    return Reading(
        read_ms=max(0, _ms(now - turn.ended_at)),
        seen_ms=max(0, _ms(now - min(first_words, turn.ended_at))),
        chars=sum(len(reply.text) for reply in replies),
    )


def _first_words_ms(metrics: Mapping[str, Any]) -> int:
    """Return when a reply's text began: at its end where it came all at once, as that of an ensemble does."""
    together = metrics.get("tokens_per_second") is None
    return (metrics.get("duration_ms") if together else metrics.get("ttft_ms")) or 0


def _ms(time: timedelta) -> int:
    return time // timedelta(milliseconds=1)
