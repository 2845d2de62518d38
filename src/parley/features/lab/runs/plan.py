"""The plan of a run, its cells, and the key of each trial."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec

from parley.features.lab.prompts.body import PromptBody, digest_of
from parley.kernel.errors import Invalid
from parley.kernel.messages import Message, text_of
from parley.kernel.models import Model
from parley.kernel.options import AskOptions

FailedCounts: TypeAlias = Literal["fail", "exclude"]

MOST_CELLS = 50_000


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Versions × models × rows × repeats. `first_rows`: only so many rows, for a dry run.

    `failed`: a trial without an answer scores 0, or is excluded; it is counted either way.
    """

    versions: tuple[int, ...]
    models: tuple[str, ...]
    dataset_id: str
    dataset_name: str
    dataset_number: int
    splits: tuple[str, ...]
    repeats: int = 1
    first_rows: int | None = None
    failed: FailedCounts = "fail"
    parallel: int = 8


class PlannedVersion(NamedTuple):
    """A version in a run: its number, hash and body."""

    number: int
    sha256: str
    body: PromptBody


class PlannedRow(NamedTuple):
    """A row in a run: its place from 1 on, hash, values and expected answer."""

    place: int
    sha256: str
    fields: dict[str, Any]
    expected: str | None


class Cell(NamedTuple):
    """One trial that the plan asks for, under its key."""

    key: str
    row: PlannedRow
    version: PlannedVersion
    model_id: str
    repeat: int


class Experiment(NamedTuple):
    """A plan with the versions and rows that it names."""

    plan: RunPlan
    versions: Sequence[PlannedVersion]
    rows: Sequence[PlannedRow]

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.rows) * len(self.versions) * len(self.plan.models) * self.plan.repeats

    def cells(self, owner_id: str) -> Iterator[Cell]:
        """Yield the cells row by row, so that columns can be compared early."""
        keys = {it.number: (it.sha256, options_of(it.body)) for it in self.versions}
        for row in self.rows:
            for model_id in self.plan.models:
                for version in self.versions:
                    sha256, options = keys[version.number]
                    for repeat in range(1, self.plan.repeats + 1):
                        key = trial_key(owner_id, sha256, row.sha256, model_id, repeat, options)
                        yield Cell(key, row, version, model_id, repeat)

    def check(self) -> None:
        """Raise Invalid for a plan without cells or with too many, and for a row that lacks a value."""
        if not self.rows:
            raise Invalid(
                "splits", "The data set has no rows to run on.", "Add rows, or choose another split."
            )
        if self.size > MOST_CELLS:
            raise Invalid(
                "repeats",
                f"The run has {self.size:,} calls; the limit is {MOST_CELLS:,}.",
                "Choose fewer rows, models or repeats.",
            )
        for version in self.versions:
            for row in self.rows:
                try:
                    version.body.fill(row.fields, field=f"rows.{row.place}")
                except Invalid as error:
                    title = f"Row {row.place} does not fit v{version.number}: {error.title}"
                    advice = f"Nothing was asked. {error.detail or 'Change the row.'}"
                    raise Invalid(error.field, title, advice, code="row_unfit") from None


def options_of(body: PromptBody) -> AskOptions:
    """Return the options of every trial with a version."""
    return body.options.ask_options(limited=True)


def trial_key(
    owner_id: str, version_sha256: str, row_sha256: str, model_id: str, repeat: int, options: AskOptions
) -> str:
    """Return the hash of all that decides a trial: the same trial is never asked twice."""
    return digest_of([owner_id, version_sha256, row_sha256, model_id, repeat, options])


def bound_micros(model: Model, messages: Sequence[Message], options: AskOptions) -> int:
    """Return more than a call can cost, in micro-dollars; 0 without prices.

    A token has at least one byte, so a question has no more tokens than bytes, and some for each message's frame.
    """
    if model.prices is None:
        return 0
    most_input = sum(len(text_of(message).encode()) + 16 for message in messages)
    if options.json_schema is not None:
        most_input += len(msgspec.json.encode(options.json_schema))
    return model.prices.most_micros(most_input, options.max_output_tokens or 0)
