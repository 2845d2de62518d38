"""The plug-ins in the data folder: YAML files that whoever runs Parley puts there, for everybody."""

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from parley.features.plug_ins.reading import MOST_BYTES, Source, decoded, read_source
from parley.kernel.errors import Invalid

MOST_FILES = 200


class FolderFile(NamedTuple):
    """A file of the folder: what was read from it, or why that failed."""

    name: str
    text: str
    source: Source | None
    problem: str


class PlugInFolder:
    """Reads the files anew when they have changed. Blocking: call it in a thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[str, tuple[tuple[int, int], FolderFile]] = {}

    def read(self) -> Sequence[FolderFile]:
        """Return every file, by name. There are none without the folder."""
        try:
            paths = sorted(path for path in self.path.iterdir() if path.suffix in (".yaml", ".yml"))
        except OSError:
            paths = []
        known: dict[str, tuple[tuple[int, int], FolderFile]] = {}
        for path in paths[:MOST_FILES]:
            name = path.name.encode("utf-8", "replace").decode("utf-8")
            try:
                status = path.stat()
            except OSError as error:
                known[name] = (0, 0), FolderFile(name, "", None, f"It can't be read: {error.strerror}.")
                continue
            version = (status.st_mtime_ns, status.st_size)
            before = self._known.get(name)
            file = before[1] if before and before[0] == version else _read(path, name, status.st_mode)
            known[name] = version, file
        self._known = known
        return _without_doubles([file for _, file in known.values()])


def _read(path: Path, name: str, mode: int) -> FolderFile:
    if not stat.S_ISREG(mode):
        return FolderFile(name, "", None, "It is not a file.")
    text = ""
    try:
        with path.open("rb") as opened:
            text = decoded(opened.read(MOST_BYTES + 1))
        return FolderFile(name, text, read_source(text), "")
    except OSError as error:
        return FolderFile(name, "", None, f"It can't be read: {error.strerror}.")
    except Invalid as error:
        return FolderFile(name, text, None, error.title)


def _without_doubles(files: list[FolderFile]) -> list[FolderFile]:
    """Return the files; of two plug-ins with one kind and name the second has a problem."""
    first: dict[tuple[str, str], str] = {}
    checked: list[FolderFile] = []
    for file in files:
        if file.source is None:
            checked.append(file)
            continue
        key = file.source.plug_in.kind, file.source.plug_in.name
        other = first.setdefault(key, file.name)
        problem = "" if other == file.name else f"{other} has a {key[0]} named “{key[1]}” already."
        checked.append(file._replace(problem=problem))
    return checked
