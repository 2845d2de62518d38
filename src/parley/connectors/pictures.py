"""Pictures as servers send them: base64, with or without the head of a `data:` URL."""

import asyncio
from binascii import Error, a2b_base64
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TypeVar

from parley.kernel.connector import Made, Progress
from parley.kernel.errors import Garbled, Rejected

T = TypeVar("T")

PICTURE_BYTES = 64 << 20
"""The most bytes of one answer with pictures."""


def picture_of(encoded: object) -> Made:
    """Return a picture from its base64. Raises Garbled."""
    text = encoded if isinstance(encoded, str) else ""
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        data = a2b_base64(text, strict_mode=True)
    except (Error, ValueError):
        data = b""
    if not data:
        raise unreadable("It is not valid base64.")
    return Made(data)


def unreadable(why: str) -> Garbled:
    """Return the error for an answer without a usable picture."""
    return Garbled(
        "The server sent a picture that can't be read.", f"{why} Ask again, or choose another model."
    )


def interrupted() -> Rejected:
    """Return the error for a picture that may exist, and may have been paid for, out of reach."""
    return Rejected(
        "The connection ended while this picture was being drawn.",
        "The provider may have drawn and charged it, so Parley didn't ask again by itself. Retry to draw it again.",
        code="picture_interrupted",
    )


def restarted() -> Rejected:
    """Return the error for a picture that was being drawn when Parley was restarted."""
    return Rejected(
        "Parley was restarted while this picture was being drawn.",
        "The provider may have drawn and charged it, so Parley didn't ask again by itself. Retry to draw it again.",
        code="picture_interrupted",
    )


async def _unknown() -> Progress:
    return Progress()


async def progress_until(
    task: asyncio.Future[T], every_s: float, ask: Callable[[], Awaitable[Progress]] = _unknown
) -> AsyncGenerator[Progress]:
    """Yield the progress at intervals until a task has ended; cancel it when closed."""
    try:
        while not (await asyncio.wait({task}, timeout=every_s))[0]:
            yield await ask()
    finally:
        task.cancel()
