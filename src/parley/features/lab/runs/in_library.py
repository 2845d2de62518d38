"""Trials in the library: named code of their answers, answers that people keep, and where they were made."""

from collections.abc import Mapping, Sequence

from parley.features.lab.runs.loading import load_experiment, plan_of
from parley.features.lab.runs.plan import Cell, Experiment
from parley.features.lab.runs.repository import RunsRepository
from parley.features.lab.tables import RunRow, TrialRow
from parley.features.library.schemas import AssetCell
from parley.features.library.trials import MadeText, TrialSource
from parley.kernel.messages import text_of
from parley.storage.database import Transaction


class TrialsInLibrary:
    """Reads for the library where a trial was made."""

    def texts(self, transaction: Transaction, owner_id: str, keys: Sequence[str], /) -> Mapping[str, str]:
        """Return the texts of an owner's trials, by key."""
        repository = RunsRepository(transaction)
        digests = {key: trial.output_sha256 or "" for key, trial in repository.trials(owner_id, keys).items()}
        texts = repository.outputs(owner_id, list(digests.values()))
        return {key: texts[digest] for key, digest in digests.items() if digest in texts}

    def source(self, transaction: Transaction, owner_id: str, key: str, /) -> TrialSource | None:
        """Return where an owner's trial was made; None if it was deleted."""
        repository = RunsRepository(transaction)
        trial = repository.trials(owner_id, [key]).get(key)
        if trial is None:
            return None
        run = repository.of_job(trial.run_id)
        cell = _cell(repository, run, trial) if run is not None else None
        return TrialSource(
            prompt=prompt_of(cell) if cell else "",
            model_id=trial.model_id,
            cost_micros=trial.cost_micros,
            duration_ms=trial.latency_ms,
            cell=None if run is None else _place(repository, run, cell),
        )


def made_text(trial: TrialRow, cell: Cell, text: str) -> MadeText:
    """Return an answer as the library takes it."""
    return MadeText(
        owner_id=trial.owner_id,
        key=trial.key,
        model_id=trial.model_id,
        prompt=prompt_of(cell),
        text=text,
        made_at=trial.created_at,
    )


def prompt_of(cell: Cell) -> str:
    """Return the last message that was sent."""
    return text_of(cell.version.body.fill(cell.row.fields)[-1])


def _cell(repository: RunsRepository, run: RunRow, trial: TrialRow) -> Cell | None:
    """Return a trial's cell; None if its run was changed since, and no longer has it."""
    experiment: Experiment = load_experiment(repository, run.prompt_id, plan_of(run))
    versions = (it for it in experiment.versions if it.sha256 == trial.version_sha256)
    rows = (it for it in experiment.rows if it.sha256 == trial.row_sha256)
    version, row = next(versions, None), next(rows, None)
    if version is None or row is None or trial.model_id not in experiment.plan.models:
        return None
    return Cell(trial.key, row, version, trial.model_id, trial.repeat)


def _place(repository: RunsRepository, run: RunRow, cell: Cell | None) -> AssetCell:
    return AssetCell(
        prompt_id=run.prompt_id,
        prompt_name=repository.prompt_name(run.prompt_id),
        run_id=run.id,
        run=run.number,
        row=cell.row.place if cell else None,
        version=cell.version.number if cell else None,
    )
