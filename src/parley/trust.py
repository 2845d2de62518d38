"""The files that a person trusts, by place and content: those found in the working directory count only then."""

import hashlib
import os
import secrets
from pathlib import Path

import msgspec
import platformdirs

from parley.kernel.errors import ParleyError

LIST_FILE = "trusted.json"


class Untrusted(ParleyError):
    """A file was found in the working directory, and nobody said that it is theirs."""

    code = "untrusted_file"


class Trust:
    """The list of trusted files. It is outside of every folder that somebody else may have filled."""

    def __init__(self, file: Path | None = None) -> None:
        """`file` holds the list; by default one in the person's configuration folder."""
        self._file = file or platformdirs.user_config_path("parley", appauthor=False) / LIST_FILE

    def check(self, path: Path, content: bytes) -> None:
        """Raise Untrusted unless this file is trusted with this content."""
        known = self._read().get(_place(path))
        if known != hashlib.sha256(content).hexdigest():
            raise untrusted(path, changed=known is not None)

    def read(self, path: Path) -> bytes:
        """Return the content of a file. Raises Untrusted unless it is trusted, OSError."""
        if _place(path) not in self._read():
            # It may be huge, or a device: nothing of it is read.
            raise untrusted(path, changed=False)
        content = path.read_bytes()
        self.check(path, content)
        return content

    def add(self, path: Path, content: bytes) -> None:
        """Trust a file with this content. Raises OSError."""
        self._write({**self._read(), _place(path): hashlib.sha256(content).hexdigest()})

    def remove(self, path: Path) -> bool:
        """Trust a file no longer; return whether it was trusted. Raises OSError."""
        known = self._read()
        there = known.pop(_place(path), None) is not None
        if there:
            self._write(known)
        return there

    def paths(self) -> list[str]:
        """Return the trusted files in order."""
        return sorted(self._read())

    def _read(self) -> dict[str, str]:
        """Return the digests by place; none if others could have written the list."""
        try:
            with self._file.open("rb") as file:
                if _is_foreign(os.fstat(file.fileno())):
                    return {}
                return msgspec.json.decode(file.read(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            return {}

    def _write(self, known: dict[str, str]) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        part = self._file.with_name(f"{LIST_FILE}.{secrets.token_hex(4)}")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(known), indent=2))
        part.replace(self._file)


def untrusted(path: Path, *, changed: bool) -> Untrusted:
    """Return the error for a file that is not used; `changed` since it was trusted."""
    why = "it has changed since you trusted it" if changed else "you have not trusted it"
    flag = "--config" if path.name == "parley.yaml" else "--models"
    return Untrusted(
        f"{_place(path)} is not used: {why}.",
        f"If it is yours, run “parley trust” in this folder, or name the file: {flag} {path}",
    )


def _place(path: Path) -> str:
    """Return the absolute path. Links stay as they are: what they lead to is compared by content."""
    return os.path.abspath(path.expanduser())  # noqa: PTH100 - Path.resolve would follow links


def _is_foreign(stat: os.stat_result) -> bool:
    return os.name != "nt" and (stat.st_uid != os.getuid() or bool(stat.st_mode & 0o022))
