"""Attachments: the bytes of the pictures and files that messages name, and of those that models make."""

from collections.abc import Mapping, Sequence
from itertools import count

import msgspec

from parley.kernel.calls import Call
from parley.kernel.connector import ChatRequest, Made
from parley.kernel.errors import Garbled, Invalid, NotFound, Rejected, Unavailable
from parley.kernel.messages import (
    PLAIN_TEXT,
    Attached,
    FilePart,
    ImagePart,
    Message,
    Part,
    TextPart,
    attachments_of,
    text_of,
)
from parley.kernel.models import Model
from parley.kernel.ports import Blobs

MOST_MADE = 16
"""The most pictures and files of one reply."""


async def read_request(blobs: Blobs | None, call: Call, model: Model) -> ChatRequest:
    """Return a call as a request for no route yet, with its files. Raises Rejected if one is missing."""
    messages = _hand_over(call.messages, sees="vision" in model.capabilities)
    attached = await _read(blobs, messages)
    return ChatRequest(
        model=call.model_id,
        messages=_write_out(messages, attached),
        seat_seed=call.seat_seed,
        attached=attached,
        pictures="images" in model.capabilities,
        passed=call.passed,
        **msgspec.structs.asdict(call.options),
    )


async def _read(blobs: Blobs | None, messages: Sequence[Message]) -> dict[str, bytes]:
    """Return the bytes of the messages' pictures and files by SHA-256. Raises Rejected if one is missing."""
    parts = attachments_of(messages)
    if parts and blobs is None:
        raise _no_blobs("Send text only.")
    attached: dict[str, bytes] = {}
    for part in parts:
        try:
            if blobs is not None and part.sha256 not in attached:
                attached[part.sha256] = await blobs.read(part.sha256)
        except NotFound:
            raise Rejected(
                "A picture or file in this conversation is missing.",
                "Add it again, or ask without it.",
                code="blob_missing",
            ) from None
    return attached


async def store_made(
    blobs: Blobs | None, owner_id: str, made: Made, number: int, *, alike: bool = False
) -> Attached:
    """Store a picture or file that a model made, after `number` others of its reply.

    `alike`: a picture gets the size and format that all pictures of a blind match have.
    Raises Garbled if it can't be used, Unavailable, and Rejected without a store.
    """
    if blobs is None:
        raise _no_blobs("Choose a model that answers with text.")
    if number >= MOST_MADE:
        raise _unusable(f"A reply can have {MOST_MADE} pictures and files at most.")
    try:
        return await blobs.store(owner_id, made.data, made.name, alike=alike)
    except Invalid as error:
        raise _unusable(error.title) from None


async def store_preview(blobs: Blobs | None, owner_id: str, preview: bytes | None) -> Attached | None:
    """Store a picture as it is so far; None if there is none, or none that can be used."""
    if blobs is None or preview is None:
        return None
    try:
        return await blobs.store(owner_id, preview, "")
    except (Invalid, Unavailable):
        return None


def _no_blobs(advice: str) -> Rejected:
    return Rejected("This installation doesn't store pictures or files.", advice, code="no_blobs")


def _unusable(why: str) -> Garbled:
    return Garbled(
        "The model sent a picture or file that can't be used.",
        f"{why} The reply so far is saved. Ask again, or choose another model.",
        code="upstream_unusable_file",
    )


def _hand_over(messages: tuple[Message, ...], *, sees: bool) -> tuple[Message, ...]:
    """Return the messages with a note for each picture that an assistant made.

    Model APIs take pictures only from the person: a model that `sees` gets them with the person's next message.
    """
    if not attachments_of(messages):
        return messages
    handed: list[Message] = []
    waiting: list[Part] = []
    notes = (TextPart(f"[image {number}]") for number in count(1))
    for message in messages:
        content = message.content
        if message.role == "assistant" and not isinstance(content, str):
            waiting += [part for part in content if isinstance(part, ImagePart)]
            content = tuple(next(notes) if isinstance(part, ImagePart) else part for part in content)
        elif message.role == "user" and sees and waiting:
            own = (TextPart(content),) if isinstance(content, str) else content
            content, waiting = (*waiting, *own), []
        handed.append(msgspec.structs.replace(message, content=content))
    return tuple(handed)


def _write_out(messages: Sequence[Message], attached: Mapping[str, bytes]) -> tuple[Message, ...]:
    """Return the messages with each text file as text, under its name, so that every model can read it.

    An assistant's message becomes one text: that is all that model APIs take.
    """
    return tuple(_written_message(message, attached) for message in messages)


def _written_message(message: Message, attached: Mapping[str, bytes]) -> Message:
    if isinstance(message.content, str):
        return message
    written = msgspec.structs.replace(
        message, content=tuple(_written(part, attached) for part in message.content)
    )
    return (
        msgspec.structs.replace(written, content=text_of(written)) if message.role == "assistant" else written
    )


def _written(part: Part, attached: Mapping[str, bytes]) -> Part:
    if not isinstance(part, FilePart) or part.media_type != PLAIN_TEXT:
        return part
    name = part.name.replace('"', "'")
    return TextPart(f'<file name="{name}">\n{attached[part.sha256].decode("utf-8", "replace")}\n</file>')
