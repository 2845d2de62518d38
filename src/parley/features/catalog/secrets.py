"""Providers' keys, encrypted for the database.

AES-256-GCM with a random nonce per key. The associated data are the provider's id and its address's origin, so that a
sealed key opens only where it was given.
"""

import base64
import binascii
import os
import re
import secrets
import shlex
from pathlib import Path

from parley.kernel.errors import Conflict, Unavailable
from parley.storage.private import is_wide
from parley.wire.egress import origin_of

KEY_FILE = "secret.key"
NEXT_FILE = "secret.key.next"
KEY_BYTES = 32
NONCE_BYTES = 12

_PART = re.compile(rf"{re.escape(KEY_FILE)}(\.next)?\.[0-9a-f]{{8}}")
"""The names of secrets that are being written."""


class KeyLost(Unavailable):
    """A saved key can't be decrypted: the secret or the address has changed."""

    def __init__(self, title: str, detail: str) -> None:
        super().__init__(title, detail, code="key_lost")


class Secrets:
    """Seals and opens keys with the installation's secret.

    That is `given` (the setting `secret_key`), else the file `secret.key` in the data folder, which is made when a key
    is sealed first. `given` may hold several, separated by commas: the first seals, all open.

    The secret changes in two steps, so that a crash at any time leaves every key readable: from `begin_rotation` the
    next secret seals and both open, from `end_rotation` the one before is gone.
    """

    def __init__(self, folder: Path, key: str | None = None) -> None:
        """Raises KeyLost if `given` is no secret."""
        self._file = folder / KEY_FILE
        self._next = folder / NEXT_FILE
        parts = () if key is None else key.split(",")
        self._given = tuple(parse_secret(part, "PARLEY_SECRET_KEY") for part in parts)

    def seal(self, key: str, provider_id: str, base_url: str | None) -> bytes:
        """Return a key, encrypted for one provider at one origin. Raises KeyLost if the secret can't be read."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        known = self._known()
        secret = known[0] if known else self._make(self._file)
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + AESGCM(secret).encrypt(nonce, key.encode(), _place(provider_id, base_url))

    def open(self, sealed: bytes, provider_id: str, base_url: str | None) -> str:
        """Return a key. Raises KeyLost."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce, text, place = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _place(provider_id, base_url)
        known = self._known()
        for secret in known:
            try:
                return AESGCM(secret).decrypt(nonce, text, place).decode()
            except (InvalidTag, ValueError):
                continue
        why = "the installation's secret has changed" if known else f"{self._file} is missing"
        raise KeyLost(
            f"The saved key of “{provider_id}” can't be read: {why}.",
            "Enter the key again, or restore secret.key or PARLEY_SECRET_KEY.",
        )

    def begin_rotation(self) -> None:
        """Seal with the next secret from now on; one that a crash left behind is used.

        Raises KeyLost; Conflict if the setting holds the only secret, which nothing here can change.
        """
        if len(self._known()) == 1 and self._given:
            raise Conflict(
                "The secret is set by PARLEY_SECRET_KEY, so Parley can't replace it.",
                "Nothing was changed. Set PARLEY_SECRET_KEY to NEW,OLD, restart Parley, and rotate again.",
                code="secret_given",
            )
        if not self._given and _read(self._next) is None:
            self._make(self._next)

    def end_rotation(self) -> None:
        """Delete the previous secret; every key must have been sealed again."""
        if not self._given:
            self._next.replace(self._file)
            _sync(self._file.parent)

    def has_begun_rotation(self) -> bool:
        """Return whether a rotation was interrupted; delete secrets that were being written then. Blocks."""
        for part in self._file.parent.glob(f"{KEY_FILE}.*"):
            if _PART.fullmatch(part.name):
                part.unlink(missing_ok=True)
        return not self._given and self._next.exists()

    def _known(self) -> tuple[bytes, ...]:
        """Return the secrets that open keys; the first seals. Raises KeyLost for a file that can't be read."""
        files = (_read(self._next), _read(self._file))
        return (*self._given, *(secret for secret in files if secret is not None))

    def _make(self, file: Path) -> bytes:
        """Write a new secret atomically, readable by its owner only; return the one in the file afterwards."""
        text = base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode()
        part = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
        try:
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(descriptor, "w") as opened:
                    opened.write(text)
                    opened.flush()
                    os.fsync(opened.fileno())
                try:
                    os.link(part, file)
                except FileExistsError:  # another start was faster
                    return parse_secret(file.read_text("ascii"), str(file))
            finally:
                part.unlink()
            _sync(file.parent)
        except OSError as error:
            raise KeyLost(
                f"The key can't be encrypted: {file} can't be written: {error.strerror}.",
                "No key was saved. Make the data folder writable, or set PARLEY_SECRET_KEY.",
            ) from None
        return parse_secret(text, str(file))


def parse_secret(text: str, where: str) -> bytes:
    """Return the 32 bytes of a secret in base64. `where` it is written is named in errors. Raises KeyLost."""
    plain = text.strip().replace("-", "+").replace("_", "/").rstrip("=")
    try:
        secret = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) != KEY_BYTES:
        raise KeyLost(
            f"{where} must hold 32 bytes in base64.",
            "Restore it from a backup. To make a new one: openssl rand -base64 32",
        )
    return secret


def _read(file: Path) -> bytes | None:
    """Return the secret of a file, None if there is none. Raises KeyLost."""
    try:
        with file.open(encoding="ascii") as opened:
            if is_wide(os.fstat(opened.fileno())):
                raise KeyLost(
                    f"Saved keys are not used: other users of this computer can read {file}.",
                    f"Run: chmod 600 {shlex.quote(str(file))}. If somebody may have read it, run “parley keys rotate” "
                    "afterwards.",
                )
            text = opened.read()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise KeyLost(
            f"Saved keys can't be read: {file}: {reason}.", "Let Parley read it, or enter the keys again."
        ) from None
    return parse_secret(text, str(file))


def _sync(folder: Path) -> None:
    """Make a new name in a folder survive a power cut, where the system can."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _place(provider_id: str, base_url: str | None) -> bytes:
    return f"{provider_id}\n{origin_of(base_url) if base_url else ''}".encode()
