"""What an import reports: its progress, its result, and the rows it refused."""

from typing import Literal, TypeAlias

import msgspec

from parley.kernel.errors import Problem


class BadRowView(msgspec.Struct, frozen=True):
    """A row that is not a valid vote: its line (for Parquet its row), the column at fault if any, and the reason."""

    line: int
    field: str | None
    why: str


class MappedModelView(msgspec.Struct, frozen=True, kw_only=True):
    """The model that a name in a file stands for. `new`: the name was unknown, so it became a retired model."""

    name: str
    model_id: str
    new: bool


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in a file.

    `imported` votes are new (in a dry run: would be), and `not_counted` of them do not count. `duplicates` were already
    stored, or appear in the file twice. `bad_rows` are the first of the `bad` rows.
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
    """The progress of an import. `total` is null until it is known. `done` is the share of all the work, 0 to 1.

    While `reading`, nothing is stored, and closing the request cancels the import. Once `storing` has begun, the import
    always runs to its end.
    """

    phase: Literal["reading", "storing"]
    read: int
    imported: int
    duplicates: int
    bad: int
    total: int | None
    done: float


class ImportDone(msgspec.Struct, frozen=True, tag_field="kind", tag="import.done"):
    """The import is complete: all its votes are stored."""

    report: ImportReport


class ImportFailed(msgspec.Struct, frozen=True, tag_field="kind", tag="import.failed"):
    """Nothing was imported. `report` is set if rows are the cause."""

    error: Problem
    report: ImportReport | None


ImportEvent: TypeAlias = ImportProgress | ImportDone | ImportFailed
