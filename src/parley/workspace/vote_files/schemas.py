"""What an import reports: its progress, its result, and the rows it refused."""

from typing import Literal, TypeAlias

import msgspec

from parley.kernel.errors import Problem


class BadRowView(msgspec.Struct, frozen=True):
    """A row that is no vote: its line (of Parquet its row), the column where one is to blame, and why."""

    line: int
    field: str | None
    why: str


class MappedModelView(msgspec.Struct, frozen=True, kw_only=True):
    """What a name in a file stands for; `new`: nobody knew it, and it is kept among the retired models."""

    name: str
    model_id: str
    new: bool


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What a file held. `imported` are new votes (in a dry run: would be), of which `not_counted` do not count.

    `duplicates` were there already, or stand in the file twice. `bad_rows` are the first of `bad`.
    """

    read: int
    imported: int
    not_counted: int
    duplicates: int
    bad: int
    bad_rows: list[BadRowView]
    models: list[MappedModelView]
    dry_run: bool


class ImportProgress(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="import.progress"):
    """How far an import is. `total` is null while it is not known; `done` is the share of all the work, 0 to 1.

    While `reading` nothing is stored, and closing the request takes all back; once `storing` has begun it is
    carried out to its end.
    """

    phase: Literal["reading", "storing"]
    read: int
    imported: int
    duplicates: int
    bad: int
    total: int | None
    done: float


class ImportDone(msgspec.Struct, frozen=True, tag_field="kind", tag="import.done"):
    """The import is complete: every vote of it is there."""

    report: ImportReport


class ImportFailed(msgspec.Struct, frozen=True, tag_field="kind", tag="import.failed"):
    """Nothing was imported; `report` is there where rows are to blame."""

    error: Problem
    report: ImportReport | None


ImportEvent: TypeAlias = ImportProgress | ImportDone | ImportFailed
