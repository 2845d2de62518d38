"""Loads what a plan names: versions, rows and checks."""

from collections.abc import Sequence

import msgspec

from parley.features.lab.checks.contract import CheckSpec
from parley.features.lab.prompts.service import body_of
from parley.features.lab.runs.plan import Experiment, PlannedRow, PlannedVersion, RunPlan
from parley.features.lab.runs.repository import RunsRepository
from parley.features.lab.tables import RunRow


def load_experiment(repository: RunsRepository, prompt_id: str, plan: RunPlan) -> Experiment:
    """Return a plan with its versions and rows; without the rows if their data set was removed. Raises NotFound."""
    stored = (repository.prompts.version(prompt_id, number) for number in plan.versions)
    versions = [PlannedVersion(row.number, row.sha256, body_of(row)) for row in stored]
    rows = repository.datasets.rows(
        plan.dataset_id, plan.dataset_number, splits=plan.splits, limit=plan.first_rows
    )
    planned = [PlannedRow(place, row.sha256, row.fields, row.expected) for place, row in enumerate(rows, 1)]
    return Experiment(plan, versions, planned)


def plan_of(row: RunRow) -> RunPlan:
    """Return the plan of a run."""
    return msgspec.convert(row.plan, RunPlan)


def checks_of(row: RunRow) -> Sequence[CheckSpec]:
    """Return the checks of a run."""
    return msgspec.convert(row.checks, list[CheckSpec])
