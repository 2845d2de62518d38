"""Sealing: texts of a sealed session are encrypted under a key that only its person has.

The key is made in the page and comes with each request; it is held in memory while that request, or the turn that it
started, lasts. AES-256-GCM with a random nonce; what is sealed is bound to its place, so a text that is moved to
another row or column can't be opened.
"""

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import Any, Final, TypeVar

import msgspec

from parley.kernel.errors import Conflict, Forbidden, Invalid, Problem
from parley.kernel.messages import mend_surrogates

SEALED: Final = "sealed:1:"
"""The beginning of every sealed text."""

WHOLE: Final = "§sealed"
"""The only field of a sealed document. No document of ours has such a field."""

KEY_BYTES, NONCE_BYTES = 32, 12
TITLE: Final = "Sealed session"
"""The title of every sealed session for who has no key."""

T = TypeVar("T")


class Seal:
    """The key of one sealed session. It is never shown, stored or logged."""

    __slots__ = ("_cipher", "_key")

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # loaded when first needed

        self._key = key
        self._cipher = AESGCM(key)

    def __repr__(self) -> str:
        return "Seal(…)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seal) and hmac.compare_digest(self._key, other._key)

    __hash__ = None  # type: ignore[assignment] - a key is no key of a dictionary

    @property
    def check(self) -> str:
        """A value by which the same key is recognised, and from which it can't be found (hex, SHA-256)."""
        return self._keyed("check").hex()

    def text(self, text: str, place: str) -> str:
        """Return a text, sealed for its place."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        plain = mend_surrogates(text).replace("\x00", "\ufffd").encode()
        sealed = nonce + self._cipher.encrypt(nonce, plain, place.encode())
        return SEALED + base64.urlsafe_b64encode(sealed).decode()

    def open(self, text: str, place: str) -> str:
        """Return a text that was sealed for this place. Raises Conflict `seal_broken`."""
        from cryptography.exceptions import InvalidTag

        if not text.startswith(SEALED):
            raise broken()
        try:
            sealed = base64.b64decode(text[len(SEALED) :], altchars=b"-_", validate=True)
            nonce, body = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
            return self._cipher.decrypt(nonce, body, place.encode()).decode()
        except (InvalidTag, ValueError, binascii.Error):
            raise broken() from None

    def document(self, value: object, place: str) -> dict[str, Any]:
        """Return plain data, sealed as a document for its place."""
        return {WHOLE: self.text(msgspec.json.encode(value).decode(), place)}

    def open_document(self, data: object, place: str) -> Any:
        """Return the plain data of a sealed document. Raises Conflict `seal_broken`."""
        if not is_sealed(data):
            raise broken()
        return msgspec.json.decode(self.open(data[WHOLE], place))  # type: ignore[index] - it is one

    def problem(self, problem: Problem | None, place: str) -> Problem | None:
        """Return a problem with its words sealed for their place: a provider's may quote what it was asked."""
        if problem is None:
            return None
        return Problem(code=problem.code, title=self.text(msgspec.json.encode(problem).decode(), place))

    def mask(self, digest: str, place: str) -> str:
        """Return a digest (hex, SHA-256) hidden, or a hidden one as it was: texts could be guessed by it."""
        pad = int.from_bytes(self._keyed(f"mask {place}"))
        return f"{int(digest, 16) ^ pad:064x}"

    def _keyed(self, purpose: str) -> bytes:
        return hmac.digest(self._key, f"parley {purpose}".encode(), hashlib.sha256)


def read_key(text: str) -> Seal:
    """Return the seal of a key as requests carry it: 32 bytes in base64url. Raises Invalid."""
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        key = b""
    if len(key) != KEY_BYTES:
        raise Invalid("Parley-Seal", "Parley-Seal: must be a key of 32 bytes in base64url.")
    return Seal(key)


def is_sealed(value: object) -> bool:
    """Return whether a stored text or document is sealed."""
    if isinstance(value, str):
        return value.startswith(SEALED)
    return isinstance(value, dict) and WHOLE in value


def key_needed() -> Conflict:
    """Return the error for what can't be done without the session's key."""
    return Conflict(
        "This session is sealed: its key is needed to read it.",
        "Open it in the page with its passkey or passphrase. Without the key nobody can read it; it can be deleted.",
        code="session_sealed",
    )


def wrong_key() -> Forbidden:
    """Return the error for another key than the session's."""
    return Forbidden(
        "This is not the key of this session.",
        "Nothing was read or changed. Open it with its own passkey or passphrase.",
        code="wrong_seal",
    )


def not_sealed() -> Conflict:
    """Return the error for a key where there is no seal."""
    return Conflict(
        "This session is not sealed, so it has no key.",
        "Nothing was changed. Leave the header Parley-Seal out.",
        code="not_sealed",
    )


def broken() -> Conflict:
    """Return the error for a sealed text that was changed or moved."""
    return Conflict(
        "A part of this session can't be opened: it is damaged, or was changed outside of Parley.",
        "Nothing of it is shown, since it may not be what was said. Restore a backup, or delete the session.",
        code="seal_broken",
    )


def not_in_sealed(what: str, why: str) -> Conflict:
    """Return the error for something that sealed sessions can't do. `what` begins a sentence."""
    return Conflict(f"{what} in a sealed session.", f"{why} Nothing was changed.", code="not_in_sealed")
