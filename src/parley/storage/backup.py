"""Backups: a SQLite installation as one file, made while it serves, and put back where there is none.

A backup is a ZIP with `manifest.json`, the database, attachments and secrets. Its last bytes are the SHA-256 of all
before them, so that a single flipped bit is noticed, and the manifest has the SHA-256 of each file.
"""

import hashlib
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, NamedTuple, TypeAlias

import msgspec

from parley import __version__
from parley.kernel.errors import Unavailable
from parley.storage import schema
from parley.storage.blobs import BlobStore, digest
from parley.storage.bucket_blobs import ATTACHMENTS, CACHE
from parley.storage.private import OWN

MANIFEST, DATABASE = "manifest.json", "parley.db"
"""Names within a backup."""

FORMAT = "parley backup/1"

LEFT_OUT = ("parley.lock", "parley.address", "parley.command", "parley.installed")
"""Files that say where a folder is and who runs it, not what is in it."""

SEAL = "sha256:"
"""Begins the ZIP's comment, which ends the file."""

CHUNK = 1 << 20

Report: TypeAlias = Callable[[str, float], None]
"""Takes the current step, in words, and the share that is done."""


class StoredFile(msgspec.Struct, frozen=True):
    """A file within a backup: its size in bytes, and its SHA-256 (hex)."""

    bytes: int
    sha256: str


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """The manifest of a backup. `made_at` is ISO 8601, `revision` the database's, which is one of the `files`."""

    format: str = FORMAT
    parley: str = __version__
    made_at: str
    revision: str
    files: Mapping[str, StoredFile]


def write(
    data_dir: Path, database: Path, blobs: BlobStore, target: Path, made_at: str, report: Report
) -> Backup:
    """Back up an installation, which may be running, as one file that only its owner can read. Blocks.

    The database is as it is at one moment. Files never change, and one that it names is deleted days later at the
    earliest, so they are copied after it, those in a bucket too. Raises Unavailable; then there is no file, or the
    one that was there before.
    """
    target = target.absolute()
    unfinished = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="parley-backup-", dir=target.parent) as folder:
            report("the database", 0.0)
            snapshot = Path(folder, DATABASE)
            _copy_database(database, snapshot)
            blobs.use(own := _blob_folder(snapshot))
            entries = [_here(DATABASE, snapshot), *_files(data_dir, database)]
            entries += _elsewhere(blobs, own, {entry.name for entry in entries})
            with os.fdopen(os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b") as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                    files = _add_files(archive, entries, report)
                    backup = Backup(made_at=made_at, revision=_revision(snapshot), files=files)
                    archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(backup)))
                    archive.comment = (SEAL + "0" * 64).encode()
                _seal(file)
                os.fsync(file.fileno())
        unfinished.replace(target)
    except Unavailable:
        unfinished.unlink(missing_ok=True)
        raise
    except (OSError, sqlite3.Error) as error:
        unfinished.unlink(missing_ok=True)
        raise Unavailable(
            f"The backup {target} could not be written: {_words(error)}.",
            "The installation is unchanged, and so is an earlier backup of this name. Free some space, or name "
            "another place.",
            code="backup_not_written",
        ) from None
    return backup


def read(source: Path, report: Report) -> Backup:
    """Check a backup and return its contents. Blocks. Raises Unavailable for one that is not as it was written."""
    try:
        _check_seal(source, report)
        with zipfile.ZipFile(source) as archive:
            backup = _manifest(archive)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise _unreadable(source, _words(error)) from None
    if backup.format != FORMAT:
        raise _unreadable(source, "it was written by a newer Parley")
    return backup


def restore(source: Path, data_dir: Path, report: Report) -> Backup:
    """Check a backup and put it into a folder that holds no installation. Blocks.

    All of it arrives, or nothing. Raises Unavailable, also if the folder holds anything.
    """
    backup = read(source, lambda step, share: report(step, share / 2))
    if backup.revision != schema.HEAD:
        raise _unreadable(
            source, f"its database is at revision {backup.revision}, and this Parley has {schema.HEAD}"
        )
    data_dir = data_dir.absolute()
    if data_dir.exists() and (not data_dir.is_dir() or any(data_dir.iterdir())):
        raise Unavailable(
            f"{data_dir} is not empty.",
            "Nothing was changed. Name a new folder: parley restore FILE --data-dir PATH",
            code="folder_not_empty",
        )
    try:
        data_dir.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="parley-restore-", dir=data_dir.parent) as folder:
            complete = Path(folder, "data")
            complete.mkdir(mode=0o700)
            _extract(source, complete, report)
            if data_dir.exists():
                data_dir.rmdir()
            complete.replace(data_dir)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise Unavailable(
            f"The backup could not be restored to {data_dir}: {_words(error)}.",
            "Nothing was changed there.",
            code="backup_not_restored",
        ) from None
    return backup


def _copy_database(database: Path, target: Path) -> None:
    """Copy a SQLite database as it is at one moment; others read and write it meanwhile."""
    with (
        closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=30)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def _revision(database: Path) -> str:
    with closing(sqlite3.connect(database)) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def _blob_folder(database: Path) -> str:
    """Return the name of the folder of a database's files; empty if it has none yet."""
    with closing(sqlite3.connect(database)) as connection:
        row = connection.execute("SELECT name FROM blob_folders").fetchone()
    return str(row[0]) if row else ""


class _Entry(NamedTuple):
    """A file to back up: its name there, its bytes, and how to get it (None once nothing names it any more)."""

    name: str
    bytes: int
    open: Callable[[], Path | None]


def _here(name: str, path: Path) -> _Entry:
    return _Entry(name, path.stat().st_size, lambda: path)


def _elsewhere(blobs: BlobStore, own: str, here: Container[str]) -> Iterator[_Entry]:
    """Yield the files of the database that are in a bucket; they are fetched one by one."""
    for sha256, size in blobs.elsewhere(own) if own else ():
        name = f"{ATTACHMENTS}/{own}/{sha256[:2]}/{sha256}"
        if name not in here:
            yield _Entry(name, size, partial(blobs.find, sha256))


def _files(data_dir: Path, database: Path) -> Iterator[_Entry]:
    """Yield the files of an installation besides its database, by their names within a backup."""
    copies = data_dir / ATTACHMENTS / CACHE
    aside = {*LEFT_OUT, *(database.name + end for end in ("", "-wal", "-shm", "-journal", ".lock"))}
    for top in sorted(data_dir.iterdir()):
        if not top.name.startswith((*OWN, "secret.key")) or top.name in aside:
            continue
        paths = sorted(top.rglob("*")) if top.is_dir() else [top]
        yield from (
            _here(path.relative_to(data_dir).as_posix(), path)
            for path in paths
            if path.is_file() and not path.is_symlink() and not path.is_relative_to(copies)
        )


def _manifest(archive: zipfile.ZipFile) -> Backup:
    return msgspec.json.decode(archive.read(MANIFEST), type=Backup)


def _add_files(
    archive: zipfile.ZipFile, entries: Sequence[_Entry], report: Report
) -> Mapping[str, StoredFile]:
    total = sum(entry.bytes for entry in entries) or 1
    files: dict[str, StoredFile] = {}
    for name, _, open_it in entries:
        try:
            path = open_it()
            if path is None:
                continue
            files[name] = _add(archive, name, path)
        except FileNotFoundError:
            continue  # nothing named it any more
        report(name, sum(file.bytes for file in files.values()) / total)
    return files


def _add(archive: zipfile.ZipFile, name: str, path: Path) -> StoredFile:
    sha256, size = hashlib.sha256(), 0
    with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as target:
        while block := source.read(CHUNK):
            sha256.update(block)
            size += len(block)
            target.write(block)
    return StoredFile(size, sha256.hexdigest())


def _seal(file: BinaryIO) -> None:
    """Write the SHA-256 of all that is before it to the end of the file."""
    length = file.seek(0, os.SEEK_END) - 64
    file.seek(0)
    sha256 = _digest_of(file, length, lambda _: None)
    file.seek(length)
    file.write(sha256.encode())


def _check_seal(source: Path, report: Report) -> None:
    with source.open("rb") as file:
        length = file.seek(0, os.SEEK_END) - 64
        if length <= 0:
            raise ValueError("it is not a backup of Parley")
        file.seek(length - len(SEAL))
        if file.read(len(SEAL)) != SEAL.encode():
            raise ValueError("it is not a backup of Parley, or its end is missing")
        stored = file.read()
        file.seek(0)
        if _digest_of(file, length, lambda share: report("checking", share)).encode() != stored:
            raise ValueError("it is damaged: its checksum is not the one it was written with")


def _digest_of(file: BinaryIO, length: int, progress: Callable[[float], None]) -> str:
    sha256, left = hashlib.sha256(), length
    while left and (block := file.read(min(CHUNK, left))):
        sha256.update(block)
        left -= len(block)
        progress(1 - left / length)
    return sha256.hexdigest()


def _extract(source: Path, folder: Path, report: Report) -> None:
    with zipfile.ZipFile(source) as archive:
        files = _manifest(archive).files
        for number, (name, entry) in enumerate(files.items()):
            path = (folder / name).resolve()
            if not path.is_relative_to(folder.resolve()):
                raise ValueError(f"{name} is not a file of the data folder")
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with (
                archive.open(name) as packed,
                os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
            ):
                shutil.copyfileobj(packed, file, CHUNK)
                os.fsync(file.fileno())
            if digest(path) != entry.sha256:
                raise ValueError(f"{name} is damaged")
            report(name, 0.5 + 0.5 * (number + 1) / len(files))


def _unreadable(source: Path, why: str) -> Unavailable:
    return Unavailable(
        f"The backup {source} can't be used: {why}.",
        "Nothing was changed. Take an earlier one.",
        code="backup_unreadable",
    )


def _words(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
