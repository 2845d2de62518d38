"""Passwords: how strong one must be, its argon2id hash, and the check against it in a thread of its own."""

import asyncio
from functools import cache
from typing import TYPE_CHECKING

from parley.kernel.errors import Invalid

if TYPE_CHECKING:
    from pwdlib import PasswordHash

LEAST_CHARS = 10
MOST_CHARS = 200
LEAST_GUESSES_LOG10 = 8
"""A password that a hundred million guesses find is refused."""

AT_ONCE = 2
"""The most hashes computed at once: each takes 64 MB and a tenth of a second of a processor."""


def check_strength(password: str, *known: str) -> None:
    """Raise Invalid for a password that is short, common, or made of what is `known` of the person."""
    if len(password) < LEAST_CHARS:
        raise Invalid(
            "password", f"password: must have at least {LEAST_CHARS} characters.", code="weak_password"
        )
    if len(password) > MOST_CHARS:
        raise Invalid(
            "password", f"password: must have at most {MOST_CHARS} characters.", code="weak_password"
        )
    from zxcvbn import zxcvbn

    if zxcvbn(password[:72], user_inputs=[*known, "parley"])["guesses_log10"] < LEAST_GUESSES_LOG10:
        raise Invalid(
            "password",
            "password: is too easy to guess.",
            "Choose a longer one, for example four unrelated words.",
            code="weak_password",
        )


class Passwords:
    """Hashes passwords and checks them, a few at once, without holding up the server."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def hash(self, password: str) -> str:
        """Return the hash of a password."""
        async with self._slots:
            return await asyncio.to_thread(_hasher().hash, password)

    async def fits(self, password: str, stored: str | None) -> bool:
        """Return whether a password has a stored hash. Without one it takes as long, so nobody learns of it."""
        async with self._slots:
            fits = await asyncio.to_thread(_verify, password[:MOST_CHARS], stored or _nobodys_hash())
        return fits and stored is not None


@cache
def _hasher() -> "PasswordHash":
    from pwdlib import PasswordHash

    return PasswordHash.recommended()


@cache
def _nobodys_hash() -> str:
    return _hasher().hash("the password of nobody")


def _verify(password: str, stored: str) -> bool:
    return _hasher().verify(password, stored)
