"""Views of runs, with their progress."""

from collections.abc import Sequence

import msgspec

from parley.features.lab.runs.live import LiveRun
from parley.features.lab.runs.loading import checks_of, load_experiment, plan_of
from parley.features.lab.runs.repository import RunsRepository
from parley.features.lab.runs.schemas import MICROS, RunProgress, RunView
from parley.features.lab.tables import RunRow
from parley.kernel.errors import NotFound, Problem


def view_of(
    repository: RunsRepository, row: RunRow, live: LiveRun | None, states: Sequence[str] | None = None
) -> RunView:
    """Return a run as the API shows it. `states` are those of its recorded trials, if they are known."""
    plan = plan_of(row)
    spent = live.allowance.spent if live else row.spent_micros
    return RunView(
        id=row.id,
        prompt_id=row.prompt_id,
        prompt=repository.prompt_name(row.prompt_id),
        number=row.number,
        status=msgspec.convert(row.status, RunView.__annotations__["status"]),
        plan=plan,
        checks=tuple(checks_of(row)),
        cap_usd=None if row.cap_micros is None else row.cap_micros / MICROS,
        spent_usd=spent / MICROS,
        progress=_live_progress(live) if live else _stored_progress(repository, row, states),
        problem=None if row.problem is None else msgspec.convert(row.problem, Problem),
        created_at=row.created_at.isoformat(),
        started_at=row.started_at.isoformat(),
        ended_at=None if row.ended_at is None else row.ended_at.isoformat(),
    )


def _live_progress(live: LiveRun) -> RunProgress:
    return RunProgress(
        cells=live.cells,
        completed=live.completed,
        failed=live.failed,
        recorded=live.recorded,
        running=live.running,
        held_usd=live.allowance.held / MICROS,
        rate=live.rate(),
        seconds_left=live.seconds_left(),
    )


def _stored_progress(repository: RunsRepository, row: RunRow, states: Sequence[str] | None) -> RunProgress:
    """Return the counts of a run that this process does not carry out."""
    try:
        experiment = load_experiment(repository, row.prompt_id, plan_of(row))
    except NotFound:
        experiment = None
    if states is None:
        keys = [cell.key for cell in experiment.cells(row.owner_id)] if experiment else []
        states = list(repository.states(row.owner_id, keys).values())
    completed = states.count("completed")
    return RunProgress(
        cells=experiment.size if experiment else 0,
        completed=completed,
        failed=len(states) - completed,
        recorded=completed,
        running=0,
        held_usd=0.0,
        rate=None,
        seconds_left=None,
    )
