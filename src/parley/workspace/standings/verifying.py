"""Verifying: what is kept of the votes held against what the votes themselves come to."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

import msgspec

from parley.storage.database import Database, Transaction
from parley.workspace.standings.countable import countable
from parley.workspace.standings.delta import Delta
from parley.workspace.standings.memory import Line, Stored
from parley.workspace.standings.repository import REPLAY, StandingsRepository
from parley.workspace.standings.sequence import Looks, Ratings, Revealed, RevealedElo, VoteSequence
from parley.workspace.standings.verification_repository import UNREADABLE, VerificationRepository

EXACT_TO = 1e-3
"""Points by which a stored rating may differ from what another machine makes of the same votes."""

Told: TypeAlias = Callable[[int], None]
"""Hears how many votes have been read."""


class StandingsReport(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the kept numbers are those of the votes. `waiting` votes are in none of them yet.

    `unseen`: tables that are behind their votes, and so were not looked at.
    """

    ok: bool
    votes: int
    waiting: int
    unseen: list[str]
    wrong: str | None


class Wrong(Exception):
    """The first thing that is not what the votes come to, in words."""


async def verify_standings(database: Database, told: Told = lambda _: None) -> StandingsReport:
    """Hold counts, Elo and tables against the votes, all as of one moment. Raises DatabaseBusy."""
    return await database.read(lambda transaction: _verify(transaction, told))


def _verify(transaction: Transaction, told: Told) -> StandingsReport:
    rows = VerificationRepository(transaction)
    rows.hold_still()
    tally = _Tally()
    unseen: list[str] = []
    wrong = None
    try:
        for votes in rows.votes():
            tally.take(votes)
            told(tally.votes)
        repository = StandingsRepository(transaction)
        _check_position(repository, tally)
        if (odd := rows.odd_value()) is not None:
            raise Wrong(f"{odd[0]} has a {odd[1]} that Parley does not write.")
        _check_counts(repository, tally.delta)
        _check_elo(rows.elos(), tally.revealed.models)
        unseen = _check_tables(repository, tally)
    except Wrong as found:
        wrong = str(found)
    except UNREADABLE as error:
        if transaction.dialect != "sqlite":
            raise  # PostgreSQL refuses such values; it is another trouble
        wrong = f"Something that is kept of the votes cannot be read: {error}."
    return StandingsReport(
        ok=wrong is None, votes=tally.votes, waiting=tally.waiting, unseen=unseen, wrong=wrong
    )


class _Tally:
    """What the votes come to, taken in their order."""

    def __init__(self) -> None:
        self.delta, self.sequence, self.looks = Delta(), VoteSequence(), Looks()
        self.revealed = RevealedElo()
        self.votes = self.waiting = self.last = 0

    def take(self, votes: Sequence[Any]) -> None:
        """Take in the next votes."""
        for row in votes:
            self.votes += 1
            if row.processing_status == "staged" and row.origin == "import":
                continue
            if row.processing_status not in ("pending", "processed"):
                raise Wrong(f"Vote {row.id} has the status “{row.processing_status}”, which there is not.")
            self.revealed.take(row)
            if row.processing_status == "pending":
                self.waiting += 1
                continue
            self.last = row.seq
            if (vote := countable(row)) is not None:
                self.delta.add(vote)
                self.sequence.take([vote])
                self.looks.take(vote, row.style)


def _check_position(repository: StandingsRepository, tally: _Tally) -> None:
    row = repository.status()
    if tally.last > (row.last_vote_seq if row else 0):
        raise Wrong(f"Vote number {tally.last} is marked as counted, which no run of the worker did.")


def _check_counts(repository: StandingsRepository, due: Delta) -> None:
    stored = repository.counted()
    for (category, counted), cells in (less := due.less(stored)).pairs.items():
        left, right = next(iter(cells))
        kind = "counted" if counted else "uncounted"
        raise Wrong(f"The {kind} votes of {left} against {right} in {category} are not those that were cast.")
    for category, reason in less.uncounted:
        raise Wrong(f"The number of votes in {category} that are {reason} is not that of the votes.")


def _check_elo(stored: Mapping[str, Any], due: Mapping[str, Revealed]) -> None:
    for model in {**due, **stored}:
        one, other = due.get(model), stored.get(model)
        if one is None or other is None:
            raise Wrong(f"The Elo of {model} is {'missing' if other is None else 'of no vote'}.")
        if not same_elo(one, other):
            raise Wrong(f"The Elo of {model} is {other.rating:.1f}, and the votes come to {one.rating:.1f}.")


def same_elo(due: Revealed, stored: Any) -> bool:
    """Tell whether a stored Elo is what the votes come to."""
    told = (stored.votes, stored.updated_at) == (due.votes, due.updated_at)
    return told and abs(due.rating - stored.rating) <= EXACT_TO


def _check_tables(repository: StandingsRepository, tally: _Tally) -> list[str]:
    """Check the stored lines; returns the methods whose lines are behind the counts."""
    row, replay, memory = repository.status(), repository.status(REPLAY), repository.memory()
    if memory.stale or memory.replay_due:
        return ["bradley-terry", "elo", "style-control"]
    from parley.workspace.standings.fits import make_styled, make_tables
    from parley.workspace.standings.pair_book import PairBook

    now = datetime.fromtimestamp(0, UTC)
    book = PairBook(tally.delta.sums().pairs)
    elos: Mapping[str, Ratings] = tally.sequence.elos
    made: dict[Any, Any] = dict(make_tables(book, None, elos, dict.fromkeys(book.categories()), now))
    # Where no vote was ever counted, nothing can be behind.
    styled_now = row is None or (replay is not None and replay.version == row.version)
    if styled_now:
        made |= make_styled(tally.looks, now, ())
    looked_at = {"bradley-terry", "elo", *(("style-control",) if styled_now else ())}
    stored = {key: lines for key, lines in memory.stored.items() if key[1] in looked_at}
    for key in {**made, **stored}:
        lines = {line.model: line for line in made[key].table.lines} if key in made else {}
        _check_lines(key, lines, stored.get(key, {}), tally)
    return [] if styled_now else ["style-control"]


def _check_lines(
    key: tuple[str, str], due: Mapping[str, Line], stored: Mapping[str, Stored], tally: _Tally
) -> None:
    category, method = key
    for model in {**due, **stored}:
        one, other = due.get(model), stored.get(model)
        where = f"The line of {model} in {category}, {method},"
        if one is None or other is None:
            raise Wrong(f"{where} is {'missing' if other is None else 'of no vote'}.")
        for name in Line.__struct_fields__:
            if not _agree(getattr(one, name), getattr(other.line, name)):
                raise Wrong(
                    f"{where} has {name} {getattr(other.line, name)} instead of {getattr(one, name)}."
                )
        if (other.first, other.last) != tally.sequence.times[category][model]:
            raise Wrong(f"{where} has other times of its first and last vote than the votes.")


def _agree(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= EXACT_TO
    return one == other
