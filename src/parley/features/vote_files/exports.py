"""Exports of votes: page after page from the database, as rows in LMArena's columns."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from parley.features.vote_files.columns import STYLE, WINNERS
from parley.features.vote_files.formats import Format
from parley.features.vote_files.repository import MatchTexts, VoteFilesRepository
from parley.kernel.caller import Caller
from parley.kernel.views import ModelCard
from parley.storage.database import Database, Transaction
from parley.storage.tables.votes import VoteRow
from parley.text.categories.categorise import LANGUAGE_PREFIX

PAGE, PAGE_WITH_TEXTS = 2_000, 100
"""Votes in memory at a time."""

_LETTERS = {"left": "a", "right": "b"}

log = logging.getLogger(__name__)


class ExportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The content to write. `texts`: prompts, replies and voters' reasons, if they are still stored."""

    kind: Format
    texts: bool = False
    include_uncounted: bool = True


class ExportCount(NamedTuple):
    """The votes that a file holds, and those that it leaves out because they do not have two sides."""

    votes: int
    left_out: int


class VoteExports:
    """Writes all votes that were cast here, oldest first."""

    def __init__(self, *, database: Database, card: Callable[[str], ModelCard]) -> None:
        self._database = database
        self._card = card

    async def count(self, options: ExportOptions) -> ExportCount:
        """Return how many votes `write` would write now, and how many it would leave out."""
        counted = not options.include_uncounted
        return await self._database.read(
            lambda transaction: ExportCount(*VoteFilesRepository(transaction).count(counted=counted))
        )

    async def write(
        self, caller: Caller, options: ExportOptions, written: Callable[[int], None] = lambda _votes: None
    ) -> AsyncGenerator[bytes]:
        """Yield the file's bytes; `written` gets the number of votes so far."""
        from parley.features.vote_files.writers import writer_of

        log.info("%s exports votes as %s", caller, options.kind)
        writer = writer_of(options.kind, texts=options.texts)
        if start := writer.start():
            yield start
        after, votes_written = 0, 0
        last = await self._database.read(lambda transaction: VoteFilesRepository(transaction).last())
        while True:
            votes, matches = await self._database.read(
                lambda transaction, after=after: _read_page(transaction, options, after, last)
            )
            if not votes:
                break
            after = votes[-1].seq
            # In a thread, since a page takes longer than other streams can wait.
            if data := await asyncio.to_thread(lambda: writer.rows(self._rows(votes, matches, options))):  # noqa: B023
                yield data
            votes_written += len(votes)
            written(votes_written)
        yield await asyncio.to_thread(writer.end)

    def _rows(
        self, votes: Sequence[VoteRow], matches: Mapping[str, MatchTexts], options: ExportOptions
    ) -> list[dict[str, Any]]:
        return [self._row(vote, matches.get(vote.match_id or ""), texts=options.texts) for vote in votes]

    def _row(self, vote: VoteRow, match: MatchTexts | None, *, texts: bool) -> dict[str, Any]:
        sides = _sides(vote)
        language = next((it for it in vote.categories if it.startswith(LANGUAGE_PREFIX)), None)
        row: dict[str, Any] = {
            "question_id": vote.id,
            "model_a": vote.left_model_id,
            "model_b": vote.right_model_id,
            "winner": WINNERS.get(sides.get(vote.choice, vote.choice), WINNERS["tie"]),
            "judge": vote.voter_id if vote.voter_id != vote.id else None,
            "turn": match.turns if match else None,
            "anony": vote.kind == "blind",
            "language": language.removeprefix(LANGUAGE_PREFIX) if language else None,
            "tstamp": vote.created_at.timestamp(),
            "category": list(vote.categories),
            "conv_metadata": _metadata(vote.style),
            "parley_id": None,
            "parley_kind": vote.kind,
            "parley_counted": vote.counted,
            "parley_reason": vote.not_counted_reason,
            "parley_excluded": vote.excluded_reason,
            "parley_propensity": vote.propensity,
            "parley_categories": list(vote.categories),
            "parley_categories_by": vote.categories_by,
            "parley_prompt_sha256": vote.prompt_sha256,
            "parley_read_ms": vote.read_ms,
            "parley_model_a": self._described(vote.left_model_id),
            "parley_model_b": self._described(vote.right_model_id),
            "parley_elo": _elo(vote.result, sides),
        }
        if texts:
            for seat, side in sides.items():
                conversation = match.conversation(seat, vote.turn_id) if match else None
                row[f"conversation_{_LETTERS[side]}"] = conversation
            row["parley_comment"] = vote.reason
        return row

    def _described(self, model_id: str | None) -> dict[str, str] | None:
        if model_id is None:
            return None
        card = self._card(model_id)
        return {"name": card.name, "organization": card.organization, "license": card.license}


def _read_page(
    transaction: Transaction, options: ExportOptions, after: int, last: int
) -> tuple[Sequence[VoteRow], Mapping[str, MatchTexts]]:
    repository = VoteFilesRepository(transaction)
    limit = PAGE_WITH_TEXTS if options.texts else PAGE
    votes = repository.page(after, last, limit, include_uncounted=options.include_uncounted)
    here = [vote.match_id for vote in votes if vote.session_id is not None and vote.match_id is not None]
    return votes, repository.match_texts(here, texts=options.texts) if here else {}


def _metadata(style: Mapping[str, Mapping[str, int]] | None) -> dict[str, int] | None:
    """Return features of style by LMArena's names."""
    if not style:
        return None
    return {
        column.format(letter): int(style[side].get(feature, 0))
        for side, letter in _LETTERS.items()
        for feature, column in STYLE.items()
    }


def _sides(vote: VoteRow) -> dict[str, str]:
    """Return the side of each seat, the left one first."""
    first, second = sorted(
        vote.seat_models, key=lambda seat: (vote.seat_models[seat] != vote.left_model_id, seat)
    )
    return {first: "left", second: "right"}


def _elo(result: Mapping[str, Any], sides: Mapping[str, str]) -> dict[str, float] | None:
    """Return Elo before and after by side; None if the vote did not move it here."""
    seats: Mapping[str, Mapping[str, Any]] = result.get("seats") or {}
    rated = [(seats.get(seat) or {}, _LETTERS[side]) for seat, side in sides.items()]
    if any(seat.get("elo_before") is None for seat, _ in rated):
        return None
    return {f"{when}_{letter}": seat[f"elo_{when}"] for seat, letter in rated for when in ("before", "after")}
