"""The report of a run: its grid, the figures of its columns, and their comparison in a sentence."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple, TypeAlias

from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.checks_of_answer import check_sha256, label_of
from parley.features.lab.prompts.body import as_text
from parley.features.lab.runs.check_counts import count_checks
from parley.features.lab.runs.figures import Difference, Scores, difference_of, mean_of, pooled
from parley.features.lab.runs.plan import Cell, Experiment, FailedCounts, PlannedRow
from parley.features.lab.runs.schemas import (
    MICROS,
    CellView,
    ColumnView,
    ComparisonView,
    GridRow,
    RunReport,
    RunView,
)
from parley.features.lab.tables import ScoreRow, TrialRow

TITLE_CHARS = 120


class Graded(NamedTuple):
    """A cell's trial, if there is one, with its score as the plan counts it."""

    cell: Cell
    trial: TrialRow | None
    score: float | None
    passed: tuple[bool | None, ...]


Column: TypeAlias = tuple[int, str]
"""A version's number and a model's id."""


def make_report(
    run: RunView,
    experiment: Experiment,
    owner_id: str,
    trials: Mapping[str, TrialRow],
    scores: Mapping[str, Mapping[str, ScoreRow]],
    passports: Mapping[str, str],
) -> RunReport:
    """Return the report from recorded trials, their verdicts and the passports of judges."""
    checks = run.checks
    digests = [check_sha256(check) for check in checks]
    graded: dict[Column, dict[int, list[Graded]]] = {
        (version.number, model_id): {}
        for model_id in experiment.plan.models
        for version in experiment.versions
    }
    for cell in experiment.cells(owner_id):
        each = grade(cell, trials.get(cell.key), scores.get(cell.key, {}), checks, digests, run.plan.failed)
        rows = graded[cell.version.number, cell.model_id]
        rows.setdefault(cell.row.place, []).append(each)
    counted = {column: _scores(rows) for column, rows in graded.items()}
    comparisons = tuple(_comparisons(run, counted))
    return RunReport(
        run=run,
        check_labels=tuple(label_of(check) for check in checks),
        check_counts=count_checks(checks, _verdicts(graded), passports),
        columns=tuple(_column(column, rows, counted[column]) for column, rows in graded.items()),
        rows=tuple(_grid_row(row, graded) for row in experiment.rows),
        comparisons=comparisons,
        sentence=_sentence(run, counted, comparisons),
    )


def _verdicts(
    graded: Mapping[Column, Mapping[int, Sequence[Graded]]],
) -> Iterator[tuple[dict[str, object], Sequence[bool | None]]]:
    """Yield the row's values and the verdicts of each complete answer."""
    for rows in graded.values():
        for each in (it for repeats in rows.values() for it in repeats):
            if each.trial is not None and each.trial.status == "completed":
                yield each.cell.row.fields, each.passed


def grade(
    cell: Cell,
    trial: TrialRow | None,
    verdicts: Mapping[str, ScoreRow],
    checks: Sequence[CheckSpec],
    digests: Sequence[str],
    failed: FailedCounts,
) -> Graded:
    """Return a trial with its score: the weighted mean of its verdicts; a failed one counts as the plan says."""
    if trial is None:
        return Graded(cell, None, None, (None,) * len(checks))
    if trial.status != "completed":
        return Graded(cell, trial, 0.0 if failed == "fail" else None, (None,) * len(checks))
    rows = [verdicts.get(digest) for digest in digests]
    decided = [
        (check.weight, row.score)
        for check, row in zip(checks, rows, strict=True)
        if row and row.passed is not None
    ]
    weight = sum(weight for weight, _ in decided)
    score = sum(weight * value for weight, value in decided) / weight if weight else None
    return Graded(cell, trial, score, tuple(row.passed if row else None for row in rows))


def _scores(rows: Mapping[int, Sequence[Graded]]) -> Scores:
    return {
        place: [each.score for each in repeats if each.score is not None]
        for place, repeats in rows.items()
        if any(each.score is not None for each in repeats)
    }


def _column(column: Column, rows: Mapping[int, Sequence[Graded]], scores: Scores) -> ColumnView:
    trials = [each.trial for repeats in rows.values() for each in repeats if each.trial is not None]
    complete = [trial for trial in trials if trial.status == "completed"]
    mean = mean_of(scores)
    costs = [trial.cost_micros for trial in trials if trial.cost_micros is not None]
    return ColumnView(
        version=column[0],
        model=column[1],
        rows=mean.rows,
        answers=len(complete),
        failed=len(trials) - len(complete),
        mean=mean.mean,
        low=mean.low,
        high=mean.high,
        sd_rows=mean.sd_rows,
        sd_repeats=mean.sd_repeats,
        cost_usd=sum(costs) / MICROS if costs else None,
        cost_usd_per_1000=sum(costs) / len(trials) * 1000 / MICROS if costs else None,
        latency_ms=round(fmean(trial.latency_ms for trial in complete)) if complete else None,
    )


def _grid_row(row: PlannedRow, graded: Mapping[Column, Mapping[int, Sequence[Graded]]]) -> GridRow:
    cells = tuple(_cell(rows.get(row.place, ())) for rows in graded.values())
    return GridRow(place=row.place, title=title_of(row), cells=cells)


def _cell(repeats: Sequence[Graded]) -> CellView:
    scores = [each.score for each in repeats if each.score is not None]
    recorded = [each.trial for each in repeats if each.trial is not None]
    if any(trial.status != "completed" for trial in recorded):
        state = "failed"
    else:
        state = "completed" if repeats and len(recorded) == len(repeats) else "missing"
    return CellView(state, fmean(scores) if scores else None, repeats[0].passed if repeats else ())


def title_of(row: PlannedRow) -> str:
    """Return the first value of a row on one line, cut off."""
    text = " ".join(as_text(next(iter(row.fields.values()), "")).split())
    return text if len(text) <= TITLE_CHARS else text[: TITLE_CHARS - 1] + "…"


def _comparisons(run: RunView, counted: Mapping[Column, Scores]) -> Iterator[ComparisonView]:
    """Yield the last version against the first, for all models and each; or the best model against the next."""
    versions, models = list(run.plan.versions), run.plan.models
    if len(versions) > 1:
        first, last = versions[0], versions[-1]
        if len(models) > 1:
            both = pooled([counted[first, it] for it in models]), pooled([counted[last, it] for it in models])
            yield _compared((first, None), (last, None), difference_of(*both))
        for model_id in models:
            columns = (first, model_id), (last, model_id)
            yield _compared(*columns, difference_of(counted[columns[0]], counted[columns[1]]))
    elif len(models) > 1:
        ordered = sorted(models, key=lambda it: -(mean_of(counted[versions[0], it]).mean or 0))
        best = (versions[0], ordered[0])
        for model_id in ordered[1:]:
            other = (versions[0], model_id)
            yield _compared(other, best, difference_of(counted[other], counted[best]))


def compare(counted: Mapping[Column, Scores], first: Column, second: Column) -> ComparisonView:
    """Return two columns compared."""
    return _compared(first, second, difference_of(counted[first], counted[second]))


def _compared(a: tuple[int, str | None], b: tuple[int, str | None], difference: Difference) -> ComparisonView:
    return ComparisonView(
        a_version=a[0],
        a_model=a[1],
        b_version=b[0],
        b_model=b[1],
        rows=difference.rows,
        difference=difference.mean,
        low=difference.low,
        high=difference.high,
        better=difference.better,
        worse=difference.worse,
        p=difference.p,
        rows_needed=difference.rows_needed,
    )


def _sentence(run: RunView, counted: Mapping[Column, Scores], comparisons: Sequence[ComparisonView]) -> str:
    """Return the result in one sentence, with its interval."""
    if not run.checks:
        return "No checks yet, so there are no scores. Add a check to compare the answers."
    if not any(counted.values()):
        return "No answers are scored yet."
    if not comparisons:
        column, scores = next(iter(counted.items()))
        mean = mean_of(scores)
        return (
            f"v{column[0]} scores {_points(mean.mean)} on {_rows(mean.rows)}{_interval(mean.low, mean.high)}."
        )
    first = comparisons[0]
    return _compared_sentence(first)


def _compared_sentence(view: ComparisonView) -> str:
    a, b = _side(view, "a"), _side(view, "b")
    if view.difference is None:
        return f"{b} and {a} have no scored row in common yet."
    if view.low is None or view.high is None:
        return f"{b} scores {_points(view.difference, signed=True)} points against {a} on one row."
    interval = f"95% {_points(view.low)} to {_points(view.high)}, on {_rows(view.rows)}"
    if view.low > 0:
        return f"{b} beats {a} by {_points(view.difference, signed=True)} points ({interval})."
    if view.high < 0:
        return f"{a} beats {b} by {_points(-view.difference, signed=True)} points ({interval})."
    needed = f" About {view.rows_needed:,} rows would settle it." if view.rows_needed else ""
    return (
        f"No clear difference between {b} and {a}: "
        f"{_points(view.difference, signed=True)} points ({interval}).{needed}"
    )


def _side(view: ComparisonView, side: str) -> str:
    version, model = (view.a_version, view.a_model) if side == "a" else (view.b_version, view.b_model)
    same = view.a_version == view.b_version
    return str(model) if same else f"v{version}"


def _points(share: float | None, *, signed: bool = False) -> str:
    text = f"{(share or 0) * 100:{'+' if signed else ''}.1f}"
    return text.replace("-", "−")


def _rows(count: int) -> str:
    return "one row" if count == 1 else f"{count:,} rows"


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" (95% {_points(low)} to {_points(high)})"
