"""Recounting: a vote that changes after it was cast, in the transaction that changes it."""

from collections.abc import Iterable

from parley.storage.database import Transaction
from parley.workspace.standings.countable import Countable
from parley.workspace.standings.delta import Delta
from parley.workspace.standings.repository import REPLAY, StandingsRepository


def lock_standings(transaction: Transaction) -> None:
    """Lock the standings until the transaction ends.

    Whoever changes what of votes counts takes this lock first: before the votes, before the end of the audit log.
    """
    StandingsRepository(transaction).lock()


def recount(transaction: Transaction, before: Countable | None, after: Countable | None) -> None:
    """Take a vote out of the counts as it was and put it in as it is; one that is not counted yet changes nothing.

    The tables follow with the worker's next run: wake it after the transaction.
    """
    recount_all(transaction, [(before, after)])


def recount_all(
    transaction: Transaction, changes: Iterable[tuple[Countable | None, Countable | None]]
) -> None:
    """Recount several votes, each as it was and as it is."""
    repository = StandingsRepository(transaction)
    version = repository.lock()
    # A worker that has read a vote as it was must read it again, whether or not it was counted.
    repository.set_status(version=version + 1)
    delta = Delta()
    for change in changes:
        for vote, times in zip(change, (-1, 1), strict=True):
            if vote is not None and vote.processed:
                delta.add(vote, times)
    if delta.pairs:
        repository.add(delta.sums())
        repository.set_status(status="running")
        repository.set_status(REPLAY, status="due")
