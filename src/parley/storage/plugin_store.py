"""The store of the llm-consortium plugin: its saved consortia, in its own SQLite file."""

import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec

from parley.kernel.errors import Unavailable

APP = "io.datasette.llm"
FILES = ("consortium_logs.db", "logs.db")
"""The files of version 0.8 and of earlier versions."""

PATIENCE_S = 5.0
"""Seconds to wait for another program that locks the store."""

_LISTED = "SELECT name, config FROM consortium_configs ORDER BY name"
_TABLE = """CREATE TABLE IF NOT EXISTS consortium_configs (
    name TEXT PRIMARY KEY, config TEXT NOT NULL, created_at TEXT DEFAULT CURRENT_TIMESTAMP
)"""
_KEEP = (
    "INSERT OR REPLACE INTO consortium_configs (name, config, created_at) VALUES (?, ?, CURRENT_TIMESTAMP)"
)


class PluginEntry(msgspec.Struct, frozen=True):
    """A consortium in the store: its name, and its JSON, not parsed yet."""

    name: str
    config: str


def plugin_folder(variables: Mapping[str, str]) -> Path:
    """Return the folder of the plugin's own files: version 0.8 asks click's `get_app_dir`, not `LLM_USER_PATH`."""
    if sys.platform == "win32":
        return Path(variables.get("APPDATA") or Path.home()) / APP
    if sys.platform == "darwin":
        return Path("~/Library/Application Support").expanduser() / APP
    return Path(variables.get("XDG_CONFIG_HOME") or Path.home() / ".config") / APP


def llm_folder(variables: Mapping[str, str]) -> Path:
    """Return the folder of `llm` itself, where earlier versions of the plugin have their files too."""
    folder = variables.get("LLM_USER_PATH")
    return Path(folder) if folder else plugin_folder(variables)


def read_plugin_store(path: Path, *others: Path) -> list[PluginEntry]:
    """Return the consortia of a store, by name, without changing it.

    `path` is the file, or the folder with it; further folders count less. Raises Unavailable if there is none or it
    cannot be read.
    """
    folders = dict.fromkeys((path, *others))
    files = [path] if path.is_file() else [each / name for each in folders for name in FILES]
    files = [file for file in files if file.is_file()]
    entries: dict[str, PluginEntry] = {}
    for file in reversed(files):
        entries |= {entry.name: entry for entry in _entries(file)}
    if not files:
        raise Unavailable(
            f"There is no store of llm-consortium at {path}.",
            f"Give the path of its {FILES[0]} or {FILES[1]}; “llm logs path” prints the folder.",
            code="no_plugin_store",
        )
    return sorted(entries.values(), key=lambda entry: entry.name)


def write_plugin_store(folder: Path, name: str, config: Mapping[str, object]) -> Path:
    """Save a consortium where the plugin (0.8) finds it; return the file.

    One of the same name is replaced.
    Raises Unavailable; the store is as it was then.
    """
    file = folder if folder.suffix == ".db" or folder.is_file() else folder / FILES[0]
    text = msgspec.json.encode(config).decode()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(file, timeout=PATIENCE_S)) as store, store:
            store.execute(_TABLE)
            store.execute(_KEEP, (name, text))
    except (sqlite3.Error, OSError) as error:
        raise _unusable(file, error) from None
    return file


def _entries(file: Path) -> list[PluginEntry]:
    try:
        with closing(
            sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE_S)
        ) as store:
            store.text_factory = _text
            tables = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'consortium_configs'"
            if store.execute(tables).fetchone() is None:
                return []
            return [PluginEntry(str(name), str(config)) for name, config in store.execute(_LISTED)]
    except (sqlite3.Error, OSError) as error:
        raise _unusable(file, error) from None


def _text(data: bytes) -> str:
    """One entry that is not UTF-8 must not hide the others."""
    return data.decode("utf-8", "replace")


def _unusable(file: Path, error: Exception) -> Unavailable:
    return Unavailable(
        f"The store {file} cannot be used: {error}.",
        "It was not changed. Check that it is a file of llm-consortium and that you may read it.",
        code="no_plugin_store",
    )
