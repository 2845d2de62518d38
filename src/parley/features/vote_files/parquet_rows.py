"""Rows of Parquet, read by DuckDB within a limit of memory."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import msgspec

from parley.features.vote_files.columns import CheckColumns, FileRow, refuse_columns
from parley.features.vote_files.limits import (
    RATIO,
    ROW_BYTES,
    ROWS_FREE,
    ROWS_PER_BYTE,
    UNPACKED_FREE,
    VALUES,
    FileLimits,
)
from parley.kernel.errors import Invalid

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

AT_ONCE = 64
"""Rows that become Python values at a time: each may have `ROW_BYTES`."""

_UNPACKED = "SELECT coalesce(sum(total_uncompressed_size), 0) FROM parquet_metadata(?)"
_ROWS = "SELECT coalesce(sum(num_rows), 0) FROM parquet_file_metadata(?)"


def open_duckdb(memory_mb: int) -> "DuckDBPyConnection":
    """Return a database in memory, which reads and writes no more than it is told."""
    import duckdb

    options: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory_mb}MB",
        "threads": 1,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    return duckdb.connect(config=options)


class ParquetRows:
    """Iterates over a file's rows. `columns` are those that are read, of those that are there."""

    def __init__(
        self, path: Path, name: str, check: CheckColumns, columns: Sequence[str] | None, limits: FileLimits
    ) -> None:
        """Open the file. Raises Invalid."""
        self._path, self._name, self._limits = str(path), name, limits
        self._packed = path.stat().st_size
        self._database = open_duckdb(limits.memory_mb)
        try:
            self._types = self._described(check)
            self.total = self._counted()
        except BaseException:
            self._database.close()
            raise
        self._wanted = [column for column in self._types if columns is None or column in columns]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._database.close()

    def interrupt(self) -> None:
        """End the reading at once; may be called from any thread."""
        import duckdb

        with suppress(duckdb.Error):  # it may be closed already
            self._database.interrupt()

    def __iter__(self) -> Iterator[FileRow | str]:
        import duckdb

        cells = [_cell(name, self._types[name]) for name in self._wanted]
        nested = [at for at, name in enumerate(self._wanted) if _is_nested(self._types[name])]
        unpacked = 0
        sizes = " + ".join(f"coalesce(strlen(CAST({cell} AS VARCHAR)), 0)" for cell in cells) or "0"
        try:
            result = self._database.execute(
                f"SELECT {sizes}, {', '.join(cells)} FROM read_parquet(?)",  # noqa: S608 - our quotes
                [self._path],
            )
            while rows := result.fetchmany(AT_ONCE):
                unpacked += sum(row[0] for row in rows)
                self._refuse_ratio(unpacked)
                for size, *values in rows:
                    if size > ROW_BYTES:
                        yield f"it is longer than {ROW_BYTES >> 20} MiB"
                    elif any(value and value.count(",") > VALUES for value in (values[at] for at in nested)):
                        yield f"it has more than {VALUES:,} values"
                    else:
                        for at in nested:
                            values[at] = values[at] and msgspec.json.decode(values[at])
                        yield dict(zip(self._wanted, values, strict=True))
        except (duckdb.OutOfMemoryException, MemoryError):
            raise self._too_large() from None
        except (duckdb.Error, UnicodeDecodeError) as error:
            raise self._unreadable(error) from None

    def _described(self, check: CheckColumns) -> dict[str, str]:
        import duckdb

        try:
            described = self._database.execute("DESCRIBE SELECT * FROM read_parquet(?)", [self._path])
            types = {str(row[0]): str(row[1]) for row in described.fetchall()}
        except (duckdb.OutOfMemoryException, MemoryError):
            raise self._too_large() from None
        except (duckdb.Error, UnicodeDecodeError) as error:
            raise self._unreadable(error) from None
        refuse_columns(self._name, 1, len(types))
        check(self._name, types)
        return types

    def _counted(self) -> int:
        import duckdb

        try:
            rows, unpacked = (self._number(query) for query in (_ROWS, _UNPACKED))
        except duckdb.Error as error:
            raise self._unreadable(error) from None
        self._refuse_rows(rows)
        self._refuse_ratio(unpacked)
        return rows

    def _number(self, query: str) -> int:
        row: Any = self._database.execute(query, [self._path]).fetchone()
        return int(row[0])

    def _refuse_rows(self, rows: int) -> None:
        if rows > self._limits.rows:
            raise Invalid(
                "file",
                f"{self._name} has {rows:,} rows; the limit is {self._limits.rows:,}.",
                "Import it in parts, or raise the setting import_max_rows.",
            )
        if rows > ROWS_FREE + ROWS_PER_BYTE * self._packed:
            raise Invalid(
                "file",
                f"{self._name} has {rows:,} rows in {self._packed:,} bytes; the limit is {ROWS_PER_BYTE} rows a byte.",
                "Identical rows are not real votes. If these are votes, write them as JSON Lines.",
            )

    def _refuse_ratio(self, unpacked: int) -> None:
        if unpacked > UNPACKED_FREE + RATIO * self._packed:
            raise Invalid(
                "file",
                f"{self._name} unpacks {self._packed:,} bytes to {unpacked:,}; the limit is {RATIO:,} times its size.",
                "If these are votes, write them as JSON Lines.",
            )

    def _too_large(self) -> Invalid:
        return Invalid(
            "file",
            f"{self._name} needs more memory than the {self._limits.memory_mb:,} MB that an import may use.",
            "Nothing was imported. Raise the setting import_memory_mb, or import the file in parts.",
        )

    def _unreadable(self, error: Exception) -> Invalid:
        return Invalid("file", f"Can't read {self._name} as Parquet.", str(error)[:300])


def _is_nested(kind: str) -> bool:
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION"))


def _cell(name: str, kind: str) -> str:
    """Return a column as a value that Python has: times in seconds, lists and objects as JSON."""
    quoted = '"' + name.replace('"', '""') + '"'
    if kind.startswith(("TIMESTAMP", "DATE")):
        return f"epoch({quoted})"
    if _is_nested(kind):
        return f"CAST(to_json({quoted}) AS VARCHAR)"
    if kind.startswith("DECIMAL") or kind in ("FLOAT", "HUGEINT", "UHUGEINT"):
        return f"CAST({quoted} AS DOUBLE)"
    plain = ("VARCHAR", "BOOLEAN", "DOUBLE", "TINYINT", "SMALLINT", "INTEGER", "BIGINT")
    return quoted if kind in (*plain, *(f"U{it}" for it in plain)) else f"CAST({quoted} AS VARCHAR)"
