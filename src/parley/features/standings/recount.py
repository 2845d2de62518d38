"""Recount votes: one that changed, or all of them as the audit log confirms them."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from parley.features.standings.accumulators import RevealedElo, RevealedRating, VoteTotals
from parley.features.standings.counts_delta import CountsDelta
from parley.features.standings.live_tables import LiveTables
from parley.features.standings.rated_votes import RatedVote, rated_vote
from parley.features.standings.replay import read_votes
from parley.features.standings.repository import REPLAY, StandingsRepository, VersionChanged
from parley.features.standings.schemas import Rebuilt
from parley.features.standings.table_writes import TableWrite
from parley.features.standings.verification import same_elo
from parley.features.standings.vote_repository import VoteRepository
from parley.kernel.errors import Conflict
from parley.storage.audit_check import check_audit
from parley.storage.database import Database, Transaction

if TYPE_CHECKING:
    from parley.features.standings.table_writes import Tables

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of votes read, and of all votes."""

TRIES = 3
"""The times that all is recounted and rated anew while votes keep changing, before the counts are corrected alone."""


def lock_standings(transaction: Transaction) -> None:
    """Lock the standings until the transaction ends.

    A change of what votes count takes this lock first: before the votes, before the end of the audit log.
    """
    StandingsRepository(transaction).lock()


def recount(transaction: Transaction, *changes: tuple[RatedVote | None, RatedVote | None]) -> None:
    """Replace changed votes in the counts; each change is a vote before and after.

    One that is not counted yet changes nothing. The tables follow with the worker's next run: wake it afterwards.
    """
    repository = StandingsRepository(transaction)
    version = repository.lock()
    # A worker that has read the vote as it was must read it again, whether or not it was counted.
    repository.set_status(version=version + 1)
    delta = CountsDelta()
    for before, after in changes:
        for vote, times in ((before, -1), (after, 1)):
            if vote is not None and vote.processed:
                delta.add(vote, times)
    if delta.pairs:
        repository.add(delta.rows())
        repository.set_status(status="running")
        repository.set_status(REPLAY, status="due")


async def confirm_votes(database: Database) -> int:
    """Restore the columns of votes that differ from the audit log; returns for how many votes.

    Raises Conflict where the log does not confirm the votes themselves: then nothing is recounted.
    """
    report, restored = await check_audit(database), 0
    if report.broken is not None and report.broken.fault == "state_changed":
        restored = await database.write(_restore, alone=True)
        report = await check_audit(database)
    if report.broken is not None:
        raise Conflict(
            f"Can't recount: the audit log does not match the votes. {report.broken.text}",
            "Nothing was changed. Restore a backup that passes “parley audit verify”.",
            code="audit_broken",
        )
    return restored


async def confirm_elo(database: Database) -> int:
    """Correct the revealed Elo of models that differ from their votes; returns how many."""
    if not await database.read(lambda transaction: _wrong_elo(VoteRepository(transaction))):
        return 0

    def correct(transaction: Transaction) -> int:
        repository = VoteRepository(transaction)
        repository.lock_votes()
        wrong = _wrong_elo(repository)
        repository.put_elos(wrong)
        return len(wrong)

    return await database.write(correct, alone=True)


async def rebuild(database: Database, tables: LiveTables, progress: Progress) -> "tuple[Rebuilt, Tables]":
    """Recount all counted votes and write only what differs; returns the tables that it made too.

    Where votes keep changing meanwhile, the counts are corrected alone: the tables follow from them.
    """
    for _ in range(TRIES):
        try:
            return await _rebuild(database, tables, progress)
        except VersionChanged:
            await tables.load(again=True, pair_counts=True)
    return await _correct_counts(database, progress), {}


async def _correct_counts(database: Database, progress: Progress) -> Rebuilt:
    """Add what the counts lack to those of their votes, both read as they were at one moment.

    What changes votes afterwards adds its own change to the counts, so this is right however many there are.
    """

    def compare(transaction: Transaction) -> tuple[CountsDelta, int]:
        repository, due, votes = VoteRepository(transaction), CountsDelta(), 0
        repository.hold_still()
        for rows in repository.all_processed():
            votes += len(rows)
            for row in rows:
                due.add_replies(row.result)
                if (vote := rated_vote(row)) is not None:
                    due.add(vote)
        return due.minus(StandingsRepository(transaction).counts()), votes

    delta, votes = await database.read(compare)
    progress(votes, votes)

    def correct(transaction: Transaction) -> None:
        repository = StandingsRepository(transaction)
        version = repository.lock()
        repository.add(delta.rows())
        repository.set_status(version=version + 1, status="running")
        repository.set_status(REPLAY, status="due")

    await database.write(correct)
    categories = {category for category, _ in delta.pairs}
    return Rebuilt(votes=votes, categories=len(categories), corrected=delta.size, duration_ms=0)


async def _rebuild(database: Database, tables: LiveTables, progress: Progress) -> "tuple[Rebuilt, Tables]":
    snapshot = tables.snapshot
    totals, votes = VoteTotals(), 0
    cast = await database.read(lambda transaction: VoteRepository(transaction).number_cast())
    async for rows in read_votes(database, snapshot.last_seq, result=True):
        for row in rows:
            totals.counts.add_replies(row.result)
            totals.add(row)
        votes += len(rows)
        progress(votes, cast)
    stored = await database.read(lambda transaction: StandingsRepository(transaction).counts())
    delta = totals.counts.minus(stored)
    refitted, now = await _refit_all(totals, tables), tables.now()
    write = TableWrite(snapshot, {}, refitted, totals.order.times, now, delta=delta)

    def store(transaction: Transaction) -> None:
        repository = StandingsRepository(transaction)
        repository.lock_at(snapshot.version)
        repository.add(delta.rows())
        write.store(repository)
        version = snapshot.version + 1
        repository.set_status(version=version, status="idle", error=None)
        repository.set_status(votes_processed=votes, last_run_at=now, last_vote_seq=snapshot.last_seq)
        repository.set_status(REPLAY, status="done", version=version)

    await database.write(store)
    categories = {category for category, _ in refitted}
    return Rebuilt(votes=votes, categories=len(categories), corrected=delta.size, duration_ms=0), refitted


async def _refit_all(totals: VoteTotals, tables: LiveTables) -> "Tables":
    """Return every table; an empty one for a category that lost its votes."""
    snapshot = tables.snapshot
    known = {category for category, _ in snapshot.tables}
    if not totals.counts.pairs and not known:
        return {}

    def refit() -> "Tables":
        from parley.features.standings.pair_counts import PairCounts
        from parley.features.standings.refit import crowd_effects, refit_tables, style_tables

        counts, now = PairCounts(totals.counts.rows().pairs), tables.now()
        last_fits, prior = dict.fromkeys((*counts.categories(), *known)), snapshot.prior
        crowds = {
            category: crowd_effects(totals.crowd, category, prior) for category in last_fits
        }.__getitem__
        return {
            **refit_tables(counts, None, totals.order.elos, last_fits, now, crowds, prior),
            **style_tables(totals.style, now, snapshot.styled, crowds),
        }

    return await asyncio.to_thread(refit)


def _restore(transaction: Transaction) -> int:
    lock_standings(transaction)
    return VoteRepository(transaction).restore_beside()


def _wrong_elo(repository: VoteRepository) -> list[tuple[str, RevealedRating]]:
    """Return the correct Elo of each model whose stored one differs."""
    stored, revealed = repository.elos(), RevealedElo(repository.withdrawn())
    for votes in repository.all_votes():
        for vote in votes:
            revealed.add(vote)
    return [
        (model, due)
        for model, due in revealed.models.items()
        if model not in stored or not same_elo(due, stored[model])
    ]
