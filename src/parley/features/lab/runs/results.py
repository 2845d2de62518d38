"""Reads the results of runs: reports, single cells, CSV."""

import csv
import io
from collections.abc import Sequence

import msgspec

from parley.features.lab.checks.contract import CheckSpec, Rubric
from parley.features.lab.checks_of_answer import check_sha256, label_of
from parley.features.lab.judges.service import passports_of
from parley.features.lab.prompts.body import as_text
from parley.features.lab.runs.grades import grade_in
from parley.features.lab.runs.loading import checks_of, load_experiment, plan_of
from parley.features.lab.runs.plan import Cell, Experiment
from parley.features.lab.runs.report import grade, make_report
from parley.features.lab.runs.repository import RunsRepository
from parley.features.lab.runs.schemas import (
    MICROS,
    CellDetail,
    RunReport,
    SentMessage,
    TrialCheck,
    TrialView,
)
from parley.features.lab.runs.service import RunsService
from parley.features.lab.tables import RunRow, ScoreRow, TrialRow
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound, Problem
from parley.kernel.messages import text_of
from parley.storage.database import Database, Transaction


class RunResults:
    """Reads what runs have recorded."""

    def __init__(self, database: Database, runs: RunsService) -> None:
        self._database = database
        self._runs = runs

    async def report(self, caller: Caller, run_id: str) -> RunReport:
        """Return the grid of a run with its figures. Raises NotFound."""
        return await self._database.search(lambda transaction: self._report(transaction, caller, run_id))

    async def cell(self, caller: Caller, run_id: str, row: int, version: int, model: str) -> CellDetail:
        """Return a cell of the grid with every repeat. Raises NotFound."""

        def read(transaction: Transaction) -> CellDetail:
            repository = RunsRepository(transaction)
            run = repository.get(caller.person_id, run_id)
            experiment = load_experiment(repository, run.prompt_id, plan_of(run))
            cells = cells_at(experiment, caller, row, version, model)
            return detail_of(repository, run, cells)

        return await self._database.read(read)

    async def csv(self, caller: Caller, run_id: str) -> str:
        """Return every answer of a run as CSV. Raises NotFound."""

        def read(transaction: Transaction) -> str:
            repository = RunsRepository(transaction)
            run = repository.get(caller.person_id, run_id)
            experiment = load_experiment(repository, run.prompt_id, plan_of(run))
            return _as_csv(repository, run, experiment)

        return await self._database.search(read)

    def _report(self, transaction: Transaction, caller: Caller, run_id: str) -> RunReport:
        repository = RunsRepository(transaction)
        run = repository.get(caller.person_id, run_id)
        experiment = load_experiment(repository, run.prompt_id, plan_of(run))
        keys = [cell.key for cell in experiment.cells(run.owner_id)]
        trials = repository.trials(run.owner_id, keys)
        scores = repository.scores(keys) if run.checks else {}
        view = self._runs.view(repository, run, [trial.status for trial in trials.values()])
        passports = passports_of(transaction, run.owner_id)
        return make_report(view, experiment, run.owner_id, trials, scores, passports)


def cells_at(experiment: Experiment, caller: Caller, row: int, version: int, model: str) -> list[Cell]:
    """Return every repeat of a cell of the grid. Raises NotFound."""
    cells = [
        cell
        for cell in experiment.cells(caller.person_id)
        if (cell.row.place, cell.version.number, cell.model_id) == (row, version, model)
    ]
    if not cells:
        raise NotFound("The run has no such cell.", "Reload to see its rows and columns.")
    return cells


def detail_of(repository: RunsRepository, run: RunRow, cells: Sequence[Cell]) -> CellDetail:
    """Return a cell of the grid as the API shows it."""
    first = cells[0]
    keys = [cell.key for cell in cells]
    trials, scores, checks = repository.trials(run.owner_id, keys), repository.scores(keys), checks_of(run)
    digests = [trial.output_sha256 or "" for trial in trials.values()]
    texts = repository.outputs(run.owner_id, digests)
    messages = first.version.body.fill(first.row.fields)
    views = [
        _trial(cell, trials.get(cell.key), scores.get(cell.key, {}), checks, texts, plan_of(run).failed)
        for cell in cells
    ]
    return CellDetail(
        place=first.row.place,
        version=first.version.number,
        model=first.model_id,
        fields=first.row.fields,
        expected=first.row.expected,
        prompt=tuple(SentMessage(it.role, text_of(it)) for it in messages),
        trials=tuple(views),
    )


def _trial(
    cell: Cell,
    trial: TrialRow | None,
    verdicts: dict[str, ScoreRow],
    checks: Sequence[CheckSpec],
    texts: dict[str, str],
    failed: str,
) -> TrialView:
    digests = [check_sha256(check) for check in checks]
    graded = grade(cell, trial, verdicts, checks, digests, "fail" if failed == "fail" else "exclude")
    outcomes = tuple(
        _outcome(check, verdicts.get(digest)) for check, digest in zip(checks, digests, strict=True)
    )
    if trial is None:
        return TrialView(
            key=cell.key,
            repeat=cell.repeat,
            state="missing",
            text="",
            finish_reason=None,
            latency_ms=0,
            input_tokens=0,
            output_tokens=0,
            cost_usd=None,
            attempt=0,
            error=None,
            score=None,
            good=None,
            checks=outcomes,
            created_at=None,
        )
    return TrialView(
        key=cell.key,
        repeat=cell.repeat,
        state="completed" if trial.status == "completed" else "failed",
        text=texts.get(trial.output_sha256 or "", ""),
        finish_reason=trial.finish_reason,
        latency_ms=trial.latency_ms,
        input_tokens=trial.input_tokens,
        output_tokens=trial.output_tokens,
        cost_usd=None if trial.cost_micros is None else trial.cost_micros / MICROS,
        attempt=trial.attempt,
        error=None if trial.error is None else msgspec.convert(trial.error, Problem),
        score=graded.score,
        good=grade_in(verdicts),
        checks=outcomes,
        created_at=trial.created_at.isoformat(),
    )


def _outcome(check: CheckSpec, row: ScoreRow | None) -> TrialCheck:
    return TrialCheck(
        label=label_of(check),
        by_hand=isinstance(check, Rubric),
        passed=row.passed if row else None,
        score=row.score if row else None,
        reason=row.reason if row else "",
        by=row.by if row else "",
    )


def _as_csv(repository: RunsRepository, run: RunRow, experiment: Experiment) -> str:
    cells = list(experiment.cells(run.owner_id))
    keys = [cell.key for cell in cells]
    trials, scores, checks = repository.trials(run.owner_id, keys), repository.scores(keys), checks_of(run)
    digests = [check_sha256(check) for check in checks]
    texts = repository.outputs(run.owner_id, [it.output_sha256 or "" for it in trials.values()])
    columns = list(dict.fromkeys(name for row in experiment.rows for name in row.fields))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    labels = [label_of(check) for check in checks]
    head = [
        "row",
        "version",
        "model",
        "repeat",
        "status",
        "score",
        "answer",
        "cost_usd",
        "latency_ms",
        "error",
    ]
    writer.writerow([*head, "expected", *columns, *labels])
    for cell in cells:
        trial = trials.get(cell.key)
        graded = grade(cell, trial, scores.get(cell.key, {}), checks, digests, plan_of(run).failed)
        text = texts.get(trial.output_sha256 or "", "") if trial else ""
        cost = trial.cost_micros / MICROS if trial and trial.cost_micros is not None else ""
        error = trial.error.get("title", "") if trial and trial.error else ""
        status = trial.status if trial else "missing"
        shown = [cell.row.place, cell.version.number, cell.model_id, cell.repeat, status]
        score = "" if graded.score is None else round(graded.score, 4)
        rest = [score, text, cost, trial.latency_ms if trial else "", error, cell.row.expected or ""]
        values = [as_text(cell.row.fields.get(name, "")) for name in columns]
        writer.writerow([_safe(it) for it in (*shown, *rest, *values, *graded.passed)])
    return out.getvalue()


def _safe(value: object) -> object:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
