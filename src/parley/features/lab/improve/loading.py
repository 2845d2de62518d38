"""Loads what the plan of a search names: the version, its checks, and the rows by their split."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from parley.features.lab.checks.contract import CheckSpec, Rubric
from parley.features.lab.improve.improving import LEAST_HELD_OUT
from parley.features.lab.improve.repository import ImprovementsRepository
from parley.features.lab.improve.rows import HoldOut, OpenRow, SealedRow
from parley.features.lab.improve.schemas import ImprovePlan
from parley.features.lab.improve.searching import Budget, refuse_small
from parley.features.lab.prompts.body import PromptBody, as_text
from parley.features.lab.prompts.service import body_of
from parley.features.lab.tables import LabRow
from parley.kernel.errors import Invalid


class Rows(NamedTuple):
    """The rows of a data set by their split."""

    training: Sequence[OpenRow]
    validation: Sequence[OpenRow]
    holdout: Sequence[SealedRow]


class Search(NamedTuple):
    """A plan with the body that it begins with, and the rows."""

    plan: ImprovePlan
    body: PromptBody
    rows: Rows

    @property
    def budget(self) -> Budget:
        """The budget and the stop rules of the plan."""
        plan = self.plan
        return Budget(answers=plan.answers, patience=plan.patience, target=plan.target)

    def check(self, checks: Sequence[CheckSpec]) -> None:
        """Raise Invalid for rows, checks or a budget with which a search makes no sense."""
        if all(isinstance(check, Rubric) for check in checks):
            raise Invalid(
                "checks",
                "Improve needs a check that decides without a person.",
                "Nothing was asked. Add one in Checks, such as “contains the expected answer”.",
            )
        training, validation, held_out = map(len, self.rows)
        if not training or not validation or held_out < LEAST_HELD_OUT:
            raise Invalid(
                "rows",
                f"“{self.plan.dataset_name}” has {training} rows for training, {validation} for validation and "
                f"{held_out} held out. Improve needs some of each, and at least {LEAST_HELD_OUT} held out.",
                "Nothing was asked. Add rows, or split them in Data.",
            )
        HoldOut(self.rows.holdout).refuse_leaks([*self.rows.training, *self.rows.validation])
        refuse_small(self.budget, len(self.rows.training), len(self.rows.validation))
        for row in (*self.rows.training, *self.rows.validation, *self.rows.holdout):
            try:
                self.body.fill(row.values, field="rows")
            except Invalid as error:
                first = as_text(next(iter(row.values.values()), ""))[:40]
                title = f"The row “{first}” does not fit v{self.plan.version}: {error.title}"
                advice = f"Nothing was asked. {error.detail or 'Change the row.'}"
                raise Invalid(error.field, title, advice, code="row_unfit") from None


def load_search(repository: ImprovementsRepository, prompt_id: str, plan: ImprovePlan) -> Search:
    """Return a plan with what it names. Raises NotFound for a version that does not exist."""
    body = body_of(repository.prompts.version(prompt_id, plan.version))
    rows = repository.datasets.rows(plan.dataset_id, plan.dataset_number)

    def open_rows(split: str) -> list[OpenRow]:
        return [
            OpenRow(id=row.sha256, values=row.fields, expected=row.expected) for row in _of_split(rows, split)
        ]

    sealed = [
        SealedRow(id=row.sha256, values=row.fields, expected=row.expected)
        for row in _of_split(rows, "holdout")
    ]
    return Search(plan, body, Rows(open_rows("train"), open_rows("validation"), sealed))


def improve_plan_of(document: dict[str, object]) -> ImprovePlan:
    """Return the plan of a stored search."""
    return msgspec.convert(document, ImprovePlan)


def _of_split(rows: Sequence[LabRow], split: str) -> Sequence[LabRow]:
    return [row for row in rows if row.split == split]
