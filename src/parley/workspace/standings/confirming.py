"""Confirming: before votes are counted anew they are those of the audit log, and Elo is what they came to."""

from parley.kernel.errors import Conflict
from parley.storage.audit_check import check_audit
from parley.storage.database import Database, Transaction
from parley.workspace.standings.recounting import lock_standings
from parley.workspace.standings.sequence import Revealed, RevealedElo
from parley.workspace.standings.verification_repository import VerificationRepository
from parley.workspace.standings.verifying import same_elo


async def confirm_votes(database: Database) -> int:
    """Put back what stands beside votes without an entry; returns beside how many.

    Raises Conflict where the audit log does not confirm the votes themselves: nothing is counted then.
    """
    report, restored = await check_audit(database), 0
    if report.broken is not None and report.broken.fault == "state_changed":
        restored = await database.write(_restore, alone=True)
        report = await check_audit(database)
    if report.broken is not None:
        raise Conflict(
            f"The votes were not counted anew, since the audit log does not confirm them. {report.broken.text}",
            "Nothing was changed. Restore a backup whose “parley audit verify” is in order.",
            code="audit_broken",
        )
    return restored


async def confirm_elo(database: Database) -> int:
    """Put the Elo of models right where it is not what their votes came to; returns how many."""
    if not await database.read(lambda transaction: _wrong_elo(VerificationRepository(transaction))):
        return 0

    def put_right(transaction: Transaction) -> int:
        repository = VerificationRepository(transaction)
        repository.lock_votes()
        wrong = _wrong_elo(repository)
        repository.put_elos(wrong)
        return len(wrong)

    return await database.write(put_right, alone=True)


def _restore(transaction: Transaction) -> int:
    lock_standings(transaction)
    return VerificationRepository(transaction).restore_beside()


def _wrong_elo(repository: VerificationRepository) -> list[tuple[str, Revealed]]:
    """Return what the Elo must be of those models whose Elo is something else."""
    stored, revealed = repository.elos(), RevealedElo()
    for votes in repository.votes():
        for vote in votes:
            revealed.take(vote)
    return [
        (model, due)
        for model, due in revealed.models.items()
        if model not in stored or not same_elo(due, stored[model])
    ]
