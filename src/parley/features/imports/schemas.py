"""Views of imports: their progress, their result, the rows they refused, and the data sets that are there."""

from datetime import datetime
from typing import TypeAlias

import msgspec

from parley.features.vote_files.model_names import MappedModelView
from parley.kernel.errors import Problem


class BadRowView(msgspec.Struct, frozen=True):
    """A row that is not a valid vote: its line (for Parquet its row), the column at fault if any, and the reason."""

    line: int
    field: str | None
    why: str


class FirstRow(msgspec.Struct, frozen=True, kw_only=True):
    """One of the first votes of a file, as it was understood; `voter` is in the file's words."""

    model_a: str
    model_b: str
    winner: str
    voter: str | None
    seconds: float | None
    categories: list[str]


class ImportView(msgspec.Struct, frozen=True, kw_only=True):
    """A data set: a file whose votes were imported."""

    id: str
    name: str
    format: str
    sha256: str
    votes: int
    duplicates: int
    bad_rows: int
    created_at: datetime


class ImportList(msgspec.Struct, frozen=True):
    """The data sets, the newest first."""

    items: list[ImportView]


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """The votes of a file.

    `imported` votes are new (in a preview: would be), and `not_counted` of them do not count. `duplicates` were cast
    here, or appear in the file twice. `bad_rows` are the first of the `bad` rows. `columns` are those of the file that
    are read, `ignored` the others. `earlier` is the import of the very same file.
    """

    read: int
    imported: int
    not_counted: int
    duplicates: int
    bad: int
    bad_rows: list[BadRowView]
    models: list[MappedModelView]
    preview: bool
    columns: list[str]
    ignored: list[str]
    categories: list[str]
    first_rows: list[FirstRow]
    earlier: ImportView | None = None
    import_id: str | None = None


class ImportProgress(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="import.progress"):
    """The progress of an import. `total` is null until it is known. `done` is the share of all the work, 0 to 1.

    Closing the request cancels the import; none of its votes is there before its end.
    """

    read: int
    imported: int
    duplicates: int
    bad: int
    total: int | None
    done: float


class ImportDone(msgspec.Struct, frozen=True, tag_field="kind", tag="import.done"):
    """The import is complete: all its votes are stored. A preview stored nothing."""

    report: ImportReport


class ImportFailed(msgspec.Struct, frozen=True, tag_field="kind", tag="import.failed"):
    """Nothing was imported. `report` is set if rows are the cause."""

    error: Problem
    report: ImportReport | None


ImportEvent: TypeAlias = ImportProgress | ImportDone | ImportFailed
