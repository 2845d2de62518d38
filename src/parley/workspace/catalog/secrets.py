"""Providers' keys, encrypted for the database.

AES-256-GCM with a random nonce per key. The associated data are the provider's id and its address's origin, so that a
sealed key opens only where it was given.
"""

import base64
import binascii
import os
import secrets
from pathlib import Path

from parley.kernel.errors import ParleyError
from parley.wire.egress import origin_of

KEY_FILE = "secret.key"
KEY_BYTES = 32
NONCE_BYTES = 12


class KeyLost(ParleyError):
    """A saved key can't be opened: the secret that sealed it is another one, or the address has changed."""

    code = "key_lost"


class Secrets:
    """Seals and opens keys with the installation's secret.

    That is `given` (the setting `secret_key`), else the file `secret.key` in the data folder, which is made when a key
    is sealed first.
    """

    def __init__(self, folder: Path, given: str | None = None) -> None:
        self._file = folder / KEY_FILE
        self._given = None if given is None else parse_secret(given)

    def seal(self, key: str, provider_id: str, base_url: str | None) -> bytes:
        """Return a key, encrypted for one provider at one origin. Raises ParleyError if the secret can't be read."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = secrets.token_bytes(NONCE_BYTES)
        cipher = AESGCM(self._secret(make=True))
        return nonce + cipher.encrypt(nonce, key.encode(), _place(provider_id, base_url))

    def open(self, sealed: bytes, provider_id: str, base_url: str | None) -> str:
        """Return a key. Raises KeyLost."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce, text = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return AESGCM(self._secret()).decrypt(nonce, text, _place(provider_id, base_url)).decode()
        except (InvalidTag, ValueError):
            raise KeyLost(
                f"The saved key of “{provider_id}” can't be read: the installation's secret has changed.",
                "Enter the key again, or restore secret.key or PARLEY_SECRET_KEY.",
            ) from None

    def _secret(self, *, make: bool = False) -> bytes:
        if self._given is not None:
            return self._given
        try:
            return parse_secret(self._file.read_text("ascii"))
        except FileNotFoundError:
            if make:
                return self._make()
            raise KeyLost(
                f"Saved keys can't be read: {self._file} is missing.",
                "Restore it from a backup, or enter the keys again.",
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise KeyLost(f"Saved keys can't be read: {self._file}: {error}.") from None

    def _make(self) -> bytes:
        """Write a new secret, whole and readable by its owner alone, and return the one that is there then."""
        text = base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode()
        part = self._file.with_name(f"{KEY_FILE}.{secrets.token_hex(4)}")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            try:
                os.link(part, self._file)
            except FileExistsError:  # another start was faster
                return parse_secret(self._file.read_text("ascii"))
        finally:
            part.unlink()
        return parse_secret(text)


def parse_secret(text: str) -> bytes:
    """Return the 32 bytes of a secret in base64. Raises KeyLost for anything else."""
    try:
        secret = base64.b64decode(text.strip().replace("-", "+").replace("_", "/") + "==", validate=False)
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) != KEY_BYTES:
        raise KeyLost(
            "The installation's secret must be 32 bytes in base64.",
            "Make one: python -c 'import base64, os; print(base64.b64encode(os.urandom(32)).decode())'",
        )
    return secret


def _place(provider_id: str, base_url: str | None) -> bytes:
    return f"{provider_id}\n{origin_of(base_url) if base_url else ''}".encode()
