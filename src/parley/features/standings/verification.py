"""Verification: the stored counts, Elo and tables compared with what the votes come to."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from operator import eq
from typing import Any, TypeAlias

import msgspec

from parley.features.standings.accumulators import Ratings, RevealedElo, RevealedRating, VoteTotals
from parley.features.standings.counts_delta import CountsDelta
from parley.features.standings.prior_schemas import PriorSource, digest_text
from parley.features.standings.repository import REPLAY, StandingsRepository
from parley.features.standings.snapshot import CROWD_DECIMALS, Snapshot, StoredLine
from parley.features.standings.vote_repository import UNREADABLE, VoteRepository
from parley.ratings.lines import Line
from parley.storage.audit_log import last_prior
from parley.storage.database import Database, Transaction
from parley.text.categories.ids import OVERALL

EXACT_TO = 1e-3
"""Points by which a stored rating may differ from what another machine computes from the same votes."""

ROUNDED = ("widened", "top_voter")
"""The part of a line that is the same on every machine."""

Progress: TypeAlias = Callable[[int], None]
"""Called with the number of votes read."""


class StandingsReport(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison of stored numbers with the votes. `waiting` votes are not counted yet.

    `unseen` are methods whose tables are behind their votes, and so were not checked.
    """

    ok: bool
    votes: int
    waiting: int
    unseen: list[str]
    wrong: str | None


class Wrong(Exception):
    """The first stored number that is not what the votes come to, in words."""


async def verify_standings(database: Database, progress: Progress = lambda _: None) -> StandingsReport:
    """Compare counts, Elo and tables with the votes, in one read. Raises DatabaseBusy."""
    return await database.read(lambda transaction: _verify(transaction, progress))


def _verify(transaction: Transaction, progress: Progress) -> StandingsReport:
    rows = VoteRepository(transaction)
    rows.hold_still()
    tally = _Tally(rows.withdrawn())
    unseen: list[str] = []
    wrong = None
    try:
        for votes in rows.all_votes():
            tally.add(votes)
            progress(tally.votes)
        repository = StandingsRepository(transaction)
        _check_position(repository, tally)
        if (odd := rows.odd_value()) is not None:
            raise Wrong(f"{odd[0]} has a {odd[1]} that Parley does not write.")
        _check_counts(repository, tally.totals.counts)
        _check_elo(rows.elos(), tally.revealed.models)
        _check_prior(repository.prior(OVERALL), last_prior(transaction))
        unseen = _check_tables(repository, tally)
    except Wrong as found:
        wrong = str(found)
    except UNREADABLE as error:
        if transaction.dialect != "sqlite":
            raise  # PostgreSQL refuses such values, so this is another error
        wrong = f"Some data computed from the votes can't be read: {error}."
    return StandingsReport(
        ok=wrong is None, votes=tally.votes, waiting=tally.waiting, unseen=unseen, wrong=wrong
    )


class _Tally:
    """The sums of the votes, added in order."""

    def __init__(self, withdrawn: Mapping[int, int]) -> None:
        self.totals, self.revealed = VoteTotals(), RevealedElo(withdrawn)
        self.votes = self.waiting = self.last = 0

    def add(self, votes: Sequence[Any]) -> None:
        """Add the next votes. Raises Wrong for a status that does not exist."""
        for row in votes:
            self.votes += 1
            if row.processing_status == "staged" and row.origin == "import":
                continue
            if row.processing_status not in ("pending", "processed"):
                raise Wrong(f"Vote {row.id} has the status “{row.processing_status}”, which doesn't exist.")
            self.revealed.add(row)
            if row.processing_status == "pending":
                self.waiting += 1
                continue
            self.last = row.seq
            self.totals.add(row)


def _check_position(repository: StandingsRepository, tally: _Tally) -> None:
    row = repository.status()
    if tally.last > (row.last_vote_seq if row else 0):
        raise Wrong(f"Vote number {tally.last} is marked as counted, but no run of the worker counted it.")


def _check_counts(repository: StandingsRepository, due: CountsDelta) -> None:
    differences = due.minus(repository.counts())
    for (category, counted), cells in differences.pairs.items():
        left, right = next(iter(cells))
        kind = "counted" if counted else "uncounted"
        raise Wrong(
            f"The {kind} votes of {left} against {right} in {category} don't match the votes that were cast."
        )
    for category, reason in differences.uncounted:
        raise Wrong(f"The number of votes in {category} that are {reason} doesn't match the votes.")


def _check_elo(stored: Mapping[str, Any], due: Mapping[str, RevealedRating]) -> None:
    for model in {**due, **stored}:
        one, other = due.get(model), stored.get(model)
        if one is None or other is None:
            raise Wrong(f"The Elo of {model} is {'missing' if other is None else 'not backed by any vote'}.")
        if not same_elo(one, other):
            raise Wrong(f"The Elo of {model} is {other.rating:.1f}, and the votes come to {one.rating:.1f}.")


def _check_prior(stored: PriorSource | None, stated: Mapping[str, object]) -> None:
    """Check that published results are those whose digest the audit log has."""
    due = stated.get("sha256")
    if stored is None:
        if due is not None:
            raise Wrong(f"The published results of “{stated.get('source')}” are missing. Set them again.")
        return
    digest = hashlib.sha256(digest_text(stored.source, stored.weight, stored.content)).hexdigest()
    if not digest == stored.sha256 == due:
        raise Wrong(
            f"The published results of “{stored.source}” are not those that were set. Set them again."
        )


def same_elo(due: RevealedRating, stored: Any) -> bool:
    """Return whether a stored Elo is what its votes come to."""
    same_votes = (stored.votes, stored.updated_at) == (due.votes, due.updated_at)
    return same_votes and abs(due.rating - stored.rating) <= EXACT_TO


def _check_tables(repository: StandingsRepository, tally: _Tally) -> list[str]:
    """Check the stored lines; returns the methods whose lines are behind the counts."""
    row, replay, snapshot = repository.status(), repository.status(REPLAY), repository.snapshot()
    if snapshot.stale or snapshot.replay_due:
        return ["bradley-terry", "elo", "style-control"]
    from parley.features.standings.pair_counts import PairCounts
    from parley.features.standings.refit import refit_tables, style_tables

    now = datetime.fromtimestamp(0, UTC)
    counts = PairCounts(tally.totals.counts.rows().pairs)
    elos: Mapping[str, Ratings] = tally.totals.order.elos
    # How alike votes are is found now and then: tables in between take what was found last.
    last_fits, crowds = dict.fromkeys(counts.categories()), snapshot.crowd
    fitted: dict[Any, Any] = dict(refit_tables(counts, None, elos, last_fits, now, crowds, snapshot.prior))
    # Where no vote was ever counted, nothing can be behind.
    styled_now = row is None or (replay is not None and replay.version == row.version)
    if styled_now:
        _check_crowds(tally, snapshot)
        fitted |= style_tables(tally.totals.style, now, (), crowds)
    checked = {"bradley-terry", "elo", *(("style-control",) if styled_now else ())}
    stored = {key: lines for key, lines in snapshot.stored.items() if key[1] in checked}
    for key in {**fitted, **stored}:
        lines = {line.model: line for line in fitted[key].table.lines} if key in fitted else {}
        _check_lines(key, lines, stored.get(key, {}), tally)
    return [] if styled_now else ["style-control"]


def _check_crowds(tally: _Tally, snapshot: Snapshot) -> None:
    from parley.features.standings.refit import crowd_effects

    for category in tally.totals.crowd.rows:
        effects = crowd_effects(tally.totals.crowd, category, snapshot.prior)
        stored = snapshot.crowd(category)
        for model in {**effects, **stored}:
            pair = zip(effects.get(model, ()), stored.get(model, ()), strict=False)
            if not all(_rounded_alike(*values) for values in pair):
                raise Wrong(f"How alike the votes on {model} in {category} are is not what the votes show.")


def _check_lines(
    key: tuple[str, str], due: Mapping[str, Line], stored: Mapping[str, StoredLine], tally: _Tally
) -> None:
    category, method = key
    for model in {**due, **stored}:
        one, other = due.get(model), stored.get(model)
        where = f"The line of {model} in {category}, {method},"
        if one is None or other is None:
            raise Wrong(f"{where} is {'missing' if other is None else 'not backed by any vote'}.")
        for name in Line.__struct_fields__:
            agree = eq if name in ROUNDED else _agree
            if not agree(getattr(one, name), getattr(other.line, name)):
                raise Wrong(
                    f"{where} has {name} {getattr(other.line, name)} instead of {getattr(one, name)}."
                )
        if (other.first, other.last) != tally.totals.order.times[category][model]:
            raise Wrong(f"{where} has times of its first and last vote that don't match the votes.")


def _rounded_alike(due: float | None, stored: float | None) -> bool:
    """Return whether a rounded number is the stored one, or its neighbour, as on another machine."""
    if due is None or stored is None:
        return due == stored
    return stored == round(stored, CROWD_DECIMALS) and abs(due - stored) < 1.01 * 10**-CROWD_DECIMALS


def _agree(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= EXACT_TO
    return one == other
