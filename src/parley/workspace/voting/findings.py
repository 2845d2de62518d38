"""Findings: what the texts that a vote judges tell, looked through before the vote's own transaction."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec

from parley.engine.hub import Passed
from parley.kernel.errors import Conflict, Invalid, NotFound
from parley.kernel.messages import sha256_text
from parley.storage.database import Database
from parley.text.folding import folded
from parley.text.identity.telling import Told, told
from parley.text.style import FEATURES, style_of
from parley.workspace.voting import hygiene
from parley.workspace.voting.repository import BallotRepository, VotedReply
from parley.workspace.voting.rules import Judged, Scene, judge, scene_of
from parley.workspace.voting.schemas import CastVote

SIDES = ("left", "right")
"""What the first and the second of two seats are called in `Findings.style`."""

NOT_BLIND: Mapping[Told | None, str | None] = {
    "answer": hygiene.IDENTITY_LEAK,
    "question": hygiene.IDENTITY_QUESTION,
    None: None,
}


class Texts(msgspec.Struct, frozen=True):
    """The texts that a vote rests on: prompts and answers of a blind match, and of these what is judged.

    `said` is who said what, `seats` are those between which is chosen.
    """

    prompts: tuple[str, ...]
    answers: tuple[str, ...]
    asked: tuple[str, ...]
    said: tuple[tuple[str, str], ...]
    seats: tuple[str, ...]


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """What the texts tell. `not_blind` is why the match was not blind, None where it was, or need not be.

    The others stand beside a vote: see `Vote`. `style` is by side, each with the names of FEATURES; it is None unless
    the choice is between two.
    """

    not_blind: str | None
    categories: tuple[str, ...]
    prompt_sha256: str
    style: dict[str, dict[str, int]] | None


Finder: TypeAlias = Callable[[Texts], Findings]


class Look:
    """Looks through the texts of a match in a thread, while others vote."""

    def __init__(
        self,
        database: Database,
        names: Callable[[], Sequence[str]],
        categorise: Callable[[Sequence[str]], Sequence[str]],
    ) -> None:
        """`names` returns the names of all models that are listed."""
        self._database = database
        self._names = names
        self._categorise = categorise

    async def look(self, owner_id: str, match_id: str, asked: CastVote) -> Finder:
        """Return what knows the findings of a match's texts, and finds those of others."""
        before = await self._database.read(
            lambda transaction: _texts(BallotRepository(transaction), owner_id, match_id, asked)
        )
        findings = None if before is None else await asyncio.to_thread(self.find, before)

        def found(texts: Texts) -> Findings:
            # Between the look and the vote somebody may have asked once more.
            return findings if findings is not None and texts == before else self.find(texts)

        return found

    def find(self, texts: Texts) -> Findings:
        """Look through texts, in time in proportion to them."""
        return Findings(
            not_blind=self._not_blind(texts),
            categories=tuple(self._categorise(texts.asked)),
            prompt_sha256=sha256_text(folded(texts.asked[0])),
            style=_style(texts),
        )

    def _not_blind(self, texts: Texts) -> str | None:
        return NOT_BLIND[told(texts.prompts, texts.answers, self._names())] if texts.prompts else None


def _texts(repository: BallotRepository, owner_id: str, match_id: str, asked: CastVote) -> Texts | None:
    try:
        scene = scene_of(repository, repository.peek(owner_id, match_id))
        return texts_of(scene, judge(scene, asked))
    except (NotFound, Invalid, Conflict):
        return None  # the transaction says so, unless the same request was answered before


def texts_of(scene: Scene, judged: Judged) -> Texts:
    """Return the texts that a vote rests on."""
    blind = scene.match.blind
    return Texts(
        prompts=tuple(str(turn.input.get("text", "")) for turn in scene.turns) if blind else (),
        answers=tuple(reply.text for reply in scene.replies) if blind else (),
        asked=tuple(judged.prompts),
        said=tuple((reply.seat, reply.text) for reply in judged.replies),
        seats=tuple(seat.name for seat in judged.between),
    )


def reading(judged: Judged, passed: Passed | None) -> hygiene.Reading | None:
    """Return how the last turn's replies could be read; None where nobody knows how long ago it was played.

    The times that are stored are no help: a wall clock that was set back would make an honest vote too fast.
    """
    if passed is None:
        return None
    replies: list[VotedReply] = [reply for reply in judged.replies if reply.turn_id == judged.turn_id]
    waits = [_first_words_ms(reply.metrics) for reply in replies if reply.metrics]
    return hygiene.Reading(
        read_ms=passed.since_end,
        seen_ms=max(passed.since_end, passed.since_begin - max(waits, default=0)),
        chars=sum(len(reply.text) for reply in replies),
    )


def _style(texts: Texts) -> dict[str, dict[str, int]] | None:
    """Return the style of both sides over all that is judged; None unless they are two."""
    said: dict[str, list[str]] = {}
    for seat, text in texts.said:
        said.setdefault(seat, []).append(text)
    if len(texts.seats) != len(SIDES) or not all(seat in said for seat in texts.seats):
        return None
    styles = {side: style_of("\n\n".join(said[seat])) for side, seat in zip(SIDES, texts.seats, strict=True)}
    return {side: dict(zip(FEATURES, style, strict=True)) for side, style in styles.items()}


def _first_words_ms(metrics: Mapping[str, Any]) -> int:
    """Return when a reply's text began: at its end where it came all at once, as that of an ensemble does."""
    together = metrics.get("tokens_per_second") is None
    return (metrics.get("duration_ms") if together else metrics.get("ttft_ms")) or 0
