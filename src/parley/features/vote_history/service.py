"""A person's own votes: a filtered list, single votes, and replays of turns at their original pace."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from parley.features.arena.service import ArenaService
from parley.features.vote_history.preferred import OwnVote, preferred_models
from parley.features.vote_history.repository import VotesRepository
from parley.features.vote_history.schemas import (
    EloMove,
    PreferredModels,
    Replay,
    ReplayedReply,
    SeatOfVote,
    VoteCard,
    VoteFilter,
    VotePage,
)
from parley.features.voting import hygiene
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid
from parley.kernel.inputs import PromptInput
from parley.kernel.views import Metrics, ModelCard
from parley.storage.database import Database, Transaction
from parley.storage.readable_rows import each_readable
from parley.storage.tables.conversations import ReplyRow, TurnRow
from parley.storage.tables.votes import WITHDRAWN, VoteRow
from parley.text.folding import folded

EXCERPT_CHARS = 280
MOST_COUNTED = 5000
"""The newest votes of a person that count for their preferred models."""


class VotesService:
    """Lists and replays a person's own votes; those of others are not found."""

    def __init__(self, *, database: Database, arena: ArenaService, card: Callable[[str], ModelCard]) -> None:
        self._database = database
        self._arena = arena
        self._card = card

    async def page(self, caller: Caller, wanted: VoteFilter, limit: int, cursor: str | None) -> VotePage:
        """Return a page of votes, newest first. Raises Invalid."""
        if wanted.opponent and wanted.opponent == wanted.model:
            raise Invalid("opponent", "opponent: must not be the same as “model”.")
        before = _decode(cursor) if cursor else None
        query = wanted.model_copy(update={"search": folded(wanted.search)})

        def read(transaction: Transaction) -> tuple[Sequence[VoteRow], Mapping[str, TurnRow]]:
            repository = VotesRepository(transaction)
            votes = repository.page(caller.person_id, caller.author_id, query, limit + 1, before)
            return votes, repository.beginnings(votes)

        look = self._database.search if query.search else self._database.read
        votes, beginnings = await look(read)
        shown = votes[:limit]
        following = str(shown[-1].seq) if len(votes) > limit else None
        cards = each_readable(shown, lambda vote: self._vote(vote, beginnings))
        return VotePage(list(cards), following)

    async def vote(self, caller: Caller, vote_id: str) -> VoteCard:
        """Return a vote. Raises NotFound."""

        def read(transaction: Transaction) -> tuple[VoteRow, Mapping[str, TurnRow]]:
            repository = VotesRepository(transaction)
            vote = repository.vote(caller.person_id, vote_id)
            return vote, repository.beginnings([vote])

        return self._vote(*await self._database.read(read))

    async def preferred(self, caller: Caller) -> PreferredModels:
        """Return, for each category, the model that the caller preferred significantly more often than by chance."""
        votes = await self._database.read(
            lambda transaction: VotesRepository(transaction).newest(
                caller.person_id, caller.author_id, MOST_COUNTED
            )
        )
        return PreferredModels(
            preferred_models(
                each_readable(
                    votes,
                    lambda vote: OwnVote(
                        tuple(vote.seat_models.values()),
                        vote.seat_models.get(vote.choice),
                        tuple(vote.categories),
                    ),
                )
            )
        )

    async def replay(self, caller: Caller, turn_id: str) -> Replay:
        """Return a turn with the pace of its replies. Raises NotFound, and Conflict while it is blind or runs."""
        snapshot = await self._arena.read_turn(caller, turn_id)
        turn = snapshot.turn
        if snapshot.match.blind:
            raise Conflict(
                "This battle is blind until you vote. Its replay would show each side's speed.",
                "Vote first.",
                code="still_blind",
            )
        if turn.status == "running":
            raise Conflict("This turn is still running.", "Wait until it ends.", code="turn_running")
        rows = await self._database.read(lambda transaction: VotesRepository(transaction).replies(turn_id))
        return Replay(
            turn_id=turn.id,
            match_id=turn.match_id,
            session_id=turn.session_id,
            prompt=turn.input.text if isinstance(turn.input, PromptInput) else None,
            replies=[self._replayed(row) for row in rows],
        )

    def _vote(self, vote: VoteRow, beginnings: Mapping[str, TurnRow]) -> VoteCard:
        first = beginnings.get(vote.id)
        elo = _elo(vote)
        return VoteCard(
            vote_id=vote.id,
            session_id=first.session_id if first else None,
            match_id=vote.match_id if first else None,
            turn_id=first.id if first else None,
            prompt=_excerpt(first) if first else None,
            seats=[SeatOfVote(seat, self._card(model), elo.get(seat)) for seat, model in _in_order(vote)],
            choice=vote.choice,
            reason=vote.reason,
            categories=list(vote.categories),
            categories_by=msgspec.convert(vote.categories_by, Literal["rules", "model", "person"]),
            counted=vote.rated and vote.counted and vote.excluded_reason is None,
            not_counted_reason=reason_of(vote),
            excluded=vote.excluded_reason is not None,
            created_at=vote.created_at.isoformat(),
            kind=msgspec.convert(vote.kind, Literal["blind", "open"]),
            origin=msgspec.convert(vote.origin, Literal["here", "import"]),
        )

    def _replayed(self, reply: ReplyRow) -> ReplayedReply:
        return ReplayedReply(
            reply_id=reply.id,
            seat=reply.seat,
            path=reply.path,
            round=reply.round,
            purpose=reply.purpose,
            status=reply.status,
            text=reply.text,
            reasoning=reply.reasoning,
            timeline=_timeline(reply.timeline),
            model=self._card(reply.model_id),
            metrics=msgspec.convert(reply.metrics, Metrics | None),
        )


def reason_of(vote: VoteRow) -> str | None:
    """Return why a vote is not counted; None if it is."""
    return (
        vote.excluded_reason
        or vote.not_counted_reason
        or hygiene.unrated(rated=vote.rated, blind=vote.kind == "blind")
    )


def _in_order(vote: VoteRow) -> list[tuple[str, str]]:
    """Return the seats of a vote with their models, of two the left one first."""
    return sorted(vote.seat_models.items(), key=lambda it: (vote.left_model_id not in (None, it[1]), it[0]))


def _elo(vote: VoteRow) -> dict[str, EloMove]:
    """Return the change of Elo by seat; empty if the vote was imported or withdrawn."""
    if vote.excluded_reason == WITHDRAWN:
        return {}
    seats: dict[str, dict[str, float | None]] = vote.result.get("seats") or {}
    moves = ((seat, rated.get("elo_before"), rated.get("elo_after")) for seat, rated in seats.items())
    return {
        seat: EloMove(before, after)
        for seat, before, after in moves
        if before is not None and after is not None
    }


def _excerpt(turn: TurnRow) -> str | None:
    text: object = turn.input.get("text")
    if not isinstance(text, str):
        return None
    return text if len(text) <= EXCERPT_CHARS else text[: EXCERPT_CHARS - 1].rstrip() + "…"


def _timeline(packed: bytes | None) -> list[tuple[int, int]]:
    numbers = msgspec.msgpack.decode(packed, type=list[int]) if packed else []
    return list(zip(numbers[::2], numbers[1::2], strict=False))


def _decode(cursor: str) -> int:
    # Anything longer is not a position in the list, and PostgreSQL accepts no larger number.
    if cursor.isascii() and cursor.isdigit() and len(cursor) <= 18:
        return int(cursor)
    raise Invalid("cursor", "cursor: is not a cursor of this list.", "Start again without it.")
