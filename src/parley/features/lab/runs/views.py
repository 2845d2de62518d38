"""Views of runs, with their progress."""

import msgspec

from parley.features.lab.runs.live import LiveRun
from parley.features.lab.runs.loading import checks_of, load_experiment, plan_of
from parley.features.lab.runs.repository import RunsRepository
from parley.features.lab.runs.schemas import MICROS, RunProgress, RunView
from parley.features.lab.tables import RunRow
from parley.kernel.errors import NotFound, Problem


def view_of(repository: RunsRepository, row: RunRow, live: LiveRun | None) -> RunView:
    """Return a run as the API shows it."""
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
        progress=_live_progress(live) if live else _stored_progress(repository, row),
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


def _stored_progress(repository: RunsRepository, row: RunRow) -> RunProgress:
    """Return the counts of a run that this process does not carry out."""
    try:
        cells = list(load_experiment(repository, row.prompt_id, plan_of(row)).cells(row.owner_id))
    except NotFound:
        cells = []
    states = list(repository.states(row.owner_id, [cell.key for cell in cells]).values())
    completed = states.count("completed")
    return RunProgress(
        cells=len(cells),
        completed=completed,
        failed=len(states) - completed,
        recorded=completed,
        running=0,
        held_usd=0.0,
        rate=None,
        seconds_left=None,
    )
