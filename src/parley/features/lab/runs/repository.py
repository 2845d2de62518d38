"""The queries of runs, trials and scores. Everything is looked up together with its owner."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, func, select, update

from parley.features.lab.calling import PURPOSE
from parley.features.lab.experiments.repository import ExperimentsRepository
from parley.features.lab.tables import ImprovementRow, OutputRow, RunRow, ScoreRow, TrialRow
from parley.storage.database import Transaction
from parley.storage.dialects import insert_or_ignore, insert_or_replace
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.rows import select_rows

_RENEWED = tuple(name for name in TrialRow.__struct_fields__ if name not in ("key", "owner_id"))
_MANY = 400
"""Keys in one statement."""


class Measured(NamedTuple):
    """The recorded answers of a version with a model: their number, and what they took."""

    answers: int
    input_tokens: float
    output_tokens: float
    output_square: float
    latency_ms: float


class RunsRepository(ExperimentsRepository[RunRow]):
    """Queries of runs on one open transaction."""

    kind = RunRow
    noun = "run"

    def trials(self, owner_id: str, keys: Sequence[str]) -> dict[str, TrialRow]:
        """Return recorded trials by their keys."""
        rows: dict[str, TrialRow] = {}
        for start in range(0, len(keys), _MANY):
            wanted = TrialRow.c.key.in_(keys[start : start + _MANY])
            query = select_rows(TrialRow).where(wanted, TrialRow.c.owner_id == owner_id)
            rows |= {row.key: row for row in self._db.select(TrialRow, query)}
        return rows

    def states(self, owner_id: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the status of recorded trials by their keys."""
        states: dict[str, str] = {}
        for start in range(0, len(keys), _MANY):
            wanted = TrialRow.c.key.in_(keys[start : start + _MANY])
            query = select(TrialRow.c.key, TrialRow.c.status).where(wanted, TrialRow.c.owner_id == owner_id)
            states |= {row.key: row.status for row in self._db.execute(query)}
        return states

    def scores(self, keys: Sequence[str]) -> dict[str, dict[str, ScoreRow]]:
        """Return the verdicts on trials, by trial and by check."""
        scores: dict[str, dict[str, ScoreRow]] = {}
        for start in range(0, len(keys), _MANY):
            wanted = ScoreRow.c.trial_key.in_(keys[start : start + _MANY])
            for row in self._db.select(ScoreRow, select_rows(ScoreRow).where(wanted)):
                scores.setdefault(row.trial_key, {})[row.check_sha256] = row
        return scores

    def verdicts(self, owner_id: str, check_sha256: str) -> dict[str, bool]:
        """Return the decided verdicts of one check on an owner's trials, by trial."""
        query = select(ScoreRow.c.trial_key, ScoreRow.c.passed).where(
            ScoreRow.c.check_sha256 == check_sha256,
            ScoreRow.c.passed.is_not(None),
            ScoreRow.c.trial_key.in_(select(TrialRow.c.key).where(TrialRow.c.owner_id == owner_id)),
        )
        return {row.trial_key: row.passed for row in self._db.execute(query)}

    def outputs(self, owner_id: str, digests: Sequence[str]) -> dict[str, str]:
        """Return the texts of answers by their hashes."""
        texts: dict[str, str] = {}
        for start in range(0, len(digests), _MANY):
            query = select(OutputRow.c.sha256, OutputRow.c.text).where(
                OutputRow.c.owner_id == owner_id, OutputRow.c.sha256.in_(digests[start : start + _MANY])
            )
            texts |= {row.sha256: row.text for row in self._db.execute(query)}
        return texts

    def measured(self, owner_id: str, version_sha256: str, model_id: str) -> Measured:
        """Return what the recorded answers of a version with a model took."""
        out = TrialRow.c.output_tokens * 1.0
        query = select(
            func.count(),
            func.avg(TrialRow.c.input_tokens * 1.0),
            func.avg(out),
            func.avg(out * out),
            func.avg(TrialRow.c.latency_ms * 1.0),
        ).where(
            TrialRow.c.owner_id == owner_id,
            TrialRow.c.version_sha256 == version_sha256,
            TrialRow.c.model_id == model_id,
            TrialRow.c.status == "completed",
        )
        count, *means = self._db.execute(query).one()
        return Measured(count, *(float(mean or 0) for mean in means))

    def usual_latency_ms(self, owner_id: str, model_id: str) -> float | None:
        """Return the mean time of an owner's complete calls to a model in the lab, if there are any."""
        query = select(func.avg(CallRow.c.duration_ms * 1.0)).where(
            CallRow.c.owner_id == owner_id,
            CallRow.c.model_id == model_id,
            # Only calls of the lab: those of a blind match would tell who sits there.
            CallRow.c.purpose == PURPOSE,
            CallRow.c.outcome == "completed",
            CallRow.c.provider_id.is_not(None),
        )
        mean = self._db.scalar(query)
        return None if mean is None else float(mean)

    def remove_all(self, owner_id: str) -> int:
        """Delete every run, trial and answer of an owner; return how many runs."""
        count = select(func.count()).select_from(RunRow.table).where(RunRow.c.owner_id == owner_id)
        removed = self._db.scalar(count) or 0
        trials = select(TrialRow.c.key).where(TrialRow.c.owner_id == owner_id)
        self._db.execute(delete(ScoreRow.table).where(ScoreRow.c.trial_key.in_(trials)))
        for kind in (TrialRow, OutputRow, RunRow):
            self._db.execute(delete(kind.table).where(kind.c.owner_id == owner_id))
        return removed


def store_trial(transaction: Transaction, trial: TrialRow, text: str) -> None:
    """Store a trial with its answer."""
    if trial.output_sha256 is not None:
        output = {"owner_id": trial.owner_id, "sha256": trial.output_sha256, "text": text}
        transaction.run(insert_or_ignore(transaction, OutputRow), [output])
    values = {name: getattr(trial, name) for name in TrialRow.__struct_fields__}
    transaction.run(insert_or_replace(transaction, TrialRow, "key", _RENEWED), [values])


def add_spent(
    transaction: Transaction, kind: type[RunRow | ImprovementRow], payer_id: str, cost_micros: int
) -> None:
    """Add a cost to what an experiment has spent."""
    if cost_micros:
        spent = kind.c.spent_micros + cost_micros
        transaction.execute(update(kind.table).where(kind.c.id == payer_id).values(spent_micros=spent))


def store_scores(transaction: Transaction, rows: Sequence[ScoreRow]) -> None:
    """Store verdicts in place of earlier ones."""
    for row in rows:
        drop_score(transaction, row.trial_key, row.check_sha256)
        transaction.insert(row)


def drop_score(transaction: Transaction, trial_key: str, check_sha256: str) -> None:
    """Delete a verdict."""
    same = (ScoreRow.c.trial_key == trial_key, ScoreRow.c.check_sha256 == check_sha256)
    transaction.execute(delete(ScoreRow.table).where(*same))
