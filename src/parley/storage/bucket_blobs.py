"""Blobs in a bucket of S3, or in a folder that is not this computer's, with the recent ones at hand here."""

import hashlib
import logging
import os
import shutil
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from parley.kernel.errors import NotFound, Unavailable
from parley.kernel.ids import random_id
from parley.storage.blobs import SHARD_CHARS, BlobStore, FolderBlobs, link_or_copy

if TYPE_CHECKING:
    from obstore.store import LocalStore, S3Store

ATTACHMENTS, CACHE = "attachments", "cache"
"""The folder of files in the data folder, and in it the one of copies from the bucket: found like other folders."""

CACHE_BYTES = 1 << 30
FRESH_S = 600.0
"""A copy that was used within this time stays, so that nobody loses a file under their hands."""

AT_ONCE = 8
CHUNK = 1 << 20
RETRIES = 2

log = logging.getLogger(__name__)


def open_blobs(data_dir: Path, url: str | None) -> BlobStore:
    """Return the store at an address, in the data folder without one. Nothing is asked yet."""
    near = FolderBlobs(data_dir / ATTACHMENTS)
    return near if url is None else BucketBlobs(url, near, data_dir / ATTACHMENTS / CACHE)


class BucketBlobs(BlobStore):
    """Files at a URL, as `folder/ab/ab…` like in the data folder.

    What can't be stored there is stored near until it can, since a picture may have cost something. What was in the
    data folder before moves by the same way.
    """

    def __init__(self, url: str, near: FolderBlobs, cache: Path) -> None:
        """`url`: `s3://bucket/prefix`, with the access and the server of the AWS_ variables, or `file:///folder`."""
        self._url = url
        self._near = near
        self._cache = cache
        self._own = ""
        self._opening = threading.Lock()
        self._opened: S3Store | LocalStore | None = None

    def check(self) -> None:
        """Write and delete a file. Raises Unavailable."""
        import obstore

        with self._answering() as store:
            obstore.put(store, probe := f"probe-{random_id()}", b"Parley")
            obstore.delete(store, probe)

    def use(self, name: str) -> None:
        """Store in and delete from this folder only."""
        self._own = name
        self._near.use(name)

    def adopt(self, files: Iterable[str]) -> None:
        """Move files in the data folder from where they were before each database had a folder. Raises OSError."""
        self._near.adopt(files)

    def has_earlier(self) -> bool:
        """Return whether the data folder has files from before each database had a folder."""
        return self._near.has_earlier()

    def find(self, sha256: str) -> Path | None:
        """Return a file here with these bytes, fetched if need be. Raises NotFound for damage, Unavailable."""
        copy = self._copy_of(sha256)
        with suppress(FileNotFoundError):
            os.utime(copy)
            return copy
        return self._near.find(sha256) or self._fetch(sha256)

    def store(self, path: Path, sha256: str) -> None:
        """Move a file to the bucket, or near until the bucket can be reached. Raises OSError."""
        try:
            self._put(path, sha256)
        except Unavailable as error:
            log.warning("%s The file is in the data folder until then.", error)
            self._near.store(path, sha256)
            return
        self._keep_copy(path, sha256)

    def sizes(self, files: Iterable[str]) -> Mapping[str, int]:
        """Return the bytes of each of these files that this database has. Raises Unavailable."""
        files = list(files)
        near = self._near.sizes(files)
        far = [sha256 for sha256 in files if sha256 not in near]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            heads = dict(zip(far, pool.map(self._head, far), strict=True))
        return {**near, **{sha256: head["size"] for sha256, head in heads.items() if head is not None}}

    def remove(self, sha256: str, since: datetime) -> bool:
        """Delete a file of this database unless it was stored anew since then. Raises OSError, Unavailable."""
        import obstore

        here = self._near.remove(sha256, since)
        head = self._head(sha256)
        if head is None or head["last_modified"] > since:
            return here
        with self._answering() as store:
            obstore.delete(store, self._key(sha256))
        for path in (self._near.own_path(sha256), self._copy_of(sha256)):
            path.unlink(missing_ok=True)
        return True

    def waiting(self) -> list[str]:
        """Return the SHA-256 of own files that are still in the data folder."""
        return [path.name for path in self._near.own_files()]

    def settle(self, sha256: str) -> None:
        """Bring a file from the data folder to the bucket; the next time, delete it here. Raises OSError, Unavailable.

        Meanwhile, who has found it here has opened it, and others find the copy.
        """
        path = self._near.own_path(sha256)
        if self._copy_of(sha256).exists() and self._head(sha256) is not None:
            path.unlink()
            return
        self._put(path, sha256)
        self._cache.mkdir(parents=True, exist_ok=True)
        part = self._cache / f"{random_id()}.part"
        link_or_copy(str(path), str(part))
        self._keep_copy(part, sha256)

    def elsewhere(self, name: str) -> Iterator[tuple[str, int]]:
        """Yield SHA-256 and bytes of the files of a folder in the bucket. Raises Unavailable."""
        import obstore

        with self._answering() as store:
            pages: Iterable[Any] = obstore.list(store, prefix=f"{name}/")  # pyright: ignore[reportUnknownMemberType] - of Arrow
            for page in pages:
                yield from ((each["path"].rpartition("/")[2], each["size"]) for each in page)

    def copy_folder(self, old: str, new: str) -> int:
        """Copy the files of a folder, within the bucket; return how many. Raises OSError, Unavailable."""
        import obstore

        number = self._near.copy_folder(old, new)
        for sha256, _ in self.elsewhere(old):
            with self._answering() as store:
                obstore.copy(store, _key(old, sha256), _key(new, sha256))
            number += 1
        return number

    def _put(self, path: Path, sha256: str) -> None:
        """Store a file unless the same one is there, stored lately. Raises OSError, Unavailable."""
        import obstore

        # An old one is stored again: its time tells an earlier state of the database that it is in use.
        head = self._head(sha256)
        if head is None or time.time() - head["last_modified"].timestamp() > FRESH_S:
            with self._answering() as store:
                obstore.put(store, self._key(sha256), path)

    def _head(self, sha256: str) -> Any:
        """Return an own file's size and time, None if there is none. Raises Unavailable."""
        import obstore

        with self._answering() as store:
            try:
                return obstore.head(store, self._key(sha256))
            except FileNotFoundError:
                return None

    def _fetch(self, sha256: str) -> Path | None:
        """Copy a file from the bucket. Raises OSError, NotFound for a damaged one, Unavailable."""
        import obstore

        self._cache.mkdir(parents=True, exist_ok=True)
        part = self._cache / f"{random_id()}.part"
        try:
            with self._answering() as store:
                for key in self._keys(store, sha256):
                    with suppress(FileNotFoundError):
                        content = obstore.get(store, key)
                        break
                else:
                    return None
                sha256_of = hashlib.sha256()
                with part.open("wb") as file:
                    for block in content.stream(CHUNK):
                        sha256_of.update(block)
                        file.write(block)
            if sha256_of.hexdigest() != sha256:
                raise NotFound(
                    "This picture or file is damaged.", "Attach it again, or restore it from a backup."
                )
            return self._keep_copy(part, sha256)
        finally:
            part.unlink(missing_ok=True)

    def _keys(self, store: "S3Store | LocalStore", sha256: str) -> Iterator[str]:
        """Yield where a file may be: in the own folder, then in those of other databases."""
        import obstore

        yield self._key(sha256)
        listed = obstore.list_with_delimiter(store)  # pyright: ignore[reportUnknownMemberType] - of Arrow
        for name in listed["common_prefixes"]:
            if name != self._own:
                yield _key(name, sha256)

    def _keep_copy(self, path: Path, sha256: str) -> Path:
        """Move a file to the copies at hand, and delete those that were used least recently. Raises OSError."""
        place = self._copy_of(sha256)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, place)
        os.utime(place)
        _evict(self._cache)
        return place

    def _copy_of(self, sha256: str) -> Path:
        return self._cache / sha256[:SHARD_CHARS] / sha256

    def _key(self, sha256: str) -> str:
        return _key(self._own, sha256)

    @contextmanager
    def _answering(self) -> Generator["S3Store | LocalStore"]:
        """Give the store. Raises Unavailable instead of its errors, save FileNotFoundError of a file."""
        from obstore.exceptions import BaseError

        try:
            yield self._open()
        except (BaseError, FileNotFoundError, ValueError) as error:
            raise Unavailable(
                f"The files at {self._url} can't be reached: {_words(error)}.",
                "What is stored is safe. Check PARLEY_FILES_URL, the AWS_ variables and the server, or try again.",
                code="files_unreachable",
                retry_after_s=30,
            ) from None

    def _open(self) -> "S3Store | LocalStore":
        from obstore.store import LocalStore, S3Store

        with self._opening:
            if self._opened is None:
                self._opened = (
                    LocalStore(urlsplit(self._url).path, mkdir=True)
                    if self._url.startswith("file:")
                    else S3Store.from_url(
                        self._url,
                        client_options={"allow_http": True, "connect_timeout": "5s", "timeout": "120s"},
                        retry_config={"max_retries": RETRIES},
                    )
                )
            return self._opened


def _key(name: str, sha256: str) -> str:
    return f"{name}/{sha256[:SHARD_CHARS]}/{sha256}"


def _evict(cache: Path) -> None:
    """Delete the copies that were used least recently, until the others fit."""
    files = [(path, path.stat()) for path in cache.glob("??/*")]
    total = sum(status.st_size for _, status in files)
    for path, status in sorted(files, key=lambda each: each[1].st_mtime):
        if total <= CACHE_BYTES or time.time() - status.st_mtime < FRESH_S:
            return
        path.unlink(missing_ok=True)
        total -= status.st_size


def _words(error: Exception) -> str:
    """Return the first line of an error, without what it repeats for programmers."""
    line = str(error).partition("\n")[0]
    code = str(error).partition("<Code>")[2].partition("</Code>")[0]
    line = line.partition(" - Server returned")[0].removeprefix("Generic S3 error: ")
    return (f"{line}: {code}" if code else line).rstrip(".")
