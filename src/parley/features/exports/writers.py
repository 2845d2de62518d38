"""Writers of exports: records in, the bytes of a file out."""

import sqlite3
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from parley.features.exports.layout import NOUNS, ColumnKind, ExportPlan, Record, TableName
from parley.features.vote_files.writers import ParquetWriter

Tables = Mapping[TableName, Mapping[str, ColumnKind]]
About = Mapping[str, object]


class ExportWriter(ABC):
    """Turns the records of several tables into the bytes of one file."""

    def start(self, about: About) -> bytes:  # noqa: ARG002 - few formats begin with it
        """Return what precedes the records."""
        return b""

    @abstractmethod
    def add(self, table: TableName, records: Sequence[Record]) -> bytes:
        """Return the bytes that are ready after these records; some may follow later."""

    @abstractmethod
    def end(self, about: About) -> bytes:
        """Return what is left. `about` says what the file is and how many records it has."""


def writer_of(plan: ExportPlan) -> ExportWriter:
    """Return the writer of a plan's format."""
    if plan.kind == "jsonl":
        return JsonLines()
    return ParquetFiles(plan.tables) if plan.kind == "parquet" else SqliteFile(plan.tables)


class JsonLines(ExportWriter):
    """Writes an object per line, each with its `kind`: what the file is, the records, and how many there were."""

    def start(self, about: About) -> bytes:
        """Return the line about the file."""
        return msgspec.json.encode({"kind": "export", **about}) + b"\n"

    def add(self, table: TableName, records: Sequence[Record]) -> bytes:
        """Return a line for each record."""
        return msgspec.json.Encoder().encode_lines({"kind": NOUNS[table], **record} for record in records)

    def end(self, about: About) -> bytes:
        """Return the line by which a reader knows that the file is whole."""
        return msgspec.json.encode({"kind": "end", "records": about["records"]}) + b"\n"


class ParquetFiles(ExportWriter):
    """Writes a ZIP with a Parquet file for each table, and `about.json`."""

    def __init__(self, tables: Tables) -> None:
        self._files = {name: ParquetWriter(columns) for name, columns in tables.items()}

    def add(self, table: TableName, records: Sequence[Record]) -> bytes:
        """Note the records."""
        return self._files[table].rows(records)

    def end(self, about: About) -> bytes:
        """Return the ZIP."""
        with TemporaryDirectory(prefix="parley-export-") as folder:
            path = Path(folder, "export.zip")
            with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
                archive.writestr("about.json", msgspec.json.format(msgspec.json.encode(about)))
                for name, file in self._files.items():
                    archive.writestr(f"{name}.parquet", file.end())
            return path.read_bytes()


class SqliteFile(ExportWriter):
    """Writes a SQLite database of plain tables, with views and a search, for `sqlite-utils` and Datasette."""

    _TYPES: Mapping[ColumnKind, str] = {"text": "TEXT", "int": "INTEGER", "float": "REAL", "bool": "INTEGER"}
    _REFERENCES: Mapping[str, str] = {"session_id": "sessions", "turn_id": "turns", "reply_id": "replies"}

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._folder = TemporaryDirectory(prefix="parley-export-")
        self._path = Path(self._folder.name, "export.db")
        # Pages are written in threads, one after the other.
        self._database = sqlite3.connect(self._path, check_same_thread=False)
        for name, columns in tables.items():
            self._database.execute(f"CREATE TABLE {name} ({self._declared(columns)})")

    def add(self, table: TableName, records: Sequence[Record]) -> bytes:
        """Insert the records."""
        columns = self._tables[table]
        names, places = ", ".join(columns), ", ".join(f":{column}" for column in columns)
        self._database.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", records)  # noqa: S608 - our names
        return b""

    def end(self, about: About) -> bytes:
        """Return the file."""
        with self._folder, closing(self._database) as database:
            database.execute("CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT)")
            values = [(name, msgspec.json.encode(value).decode()) for name, value in about.items()]
            database.executemany("INSERT INTO about VALUES (?, ?)", values)
            if "replies" in self._tables:
                database.executescript(_VIEWS)
            database.commit()
            database.execute("VACUUM")
            return self._path.read_bytes()

    def _declared(self, columns: Mapping[str, ColumnKind]) -> str:
        declared = [f"{name} {self._TYPES[kind]}" for name, kind in columns.items()]
        declared[0] += " PRIMARY KEY"
        keys = [
            f"FOREIGN KEY ({name}) REFERENCES {table} (id)"
            for name, table in self._REFERENCES.items()
            if name in columns and table in self._tables
        ]
        return ", ".join((*declared, *keys))


_VIEWS = """
CREATE INDEX turns_session_id ON turns (session_id, number);
CREATE INDEX replies_turn_id ON replies (turn_id);
CREATE INDEX votes_match_id ON votes (match_id);
CREATE VIEW transcript AS
  SELECT turns.created, sessions.title, turns.mode, turns.number, turns.prompt, replies.seat, replies.model,
    replies.text AS reply, replies.status, sessions.id AS session_id, turns.id AS turn_id, replies.id AS reply_id
  FROM replies JOIN turns ON turns.id = replies.turn_id JOIN sessions ON sessions.id = turns.session_id;
CREATE VIEW battles AS
  SELECT votes.created, votes.left_model, votes.right_model, votes.choice, votes.counted, votes.reason,
    (SELECT turns.prompt FROM turns WHERE turns.match_id = votes.match_id ORDER BY turns.number LIMIT 1) AS prompt,
    votes.match_id, votes.id AS vote_id
  FROM votes WHERE votes.kind = 'blind';
CREATE VIRTUAL TABLE replies_fts USING FTS5 (text, content=[replies]);
INSERT INTO replies_fts (rowid, text) SELECT rowid, text FROM replies;
"""
