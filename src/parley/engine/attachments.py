"""Attachments: the bytes of the pictures and files that messages name."""

from collections.abc import Mapping, Sequence

import msgspec

from parley.kernel.errors import NotFound, Rejected
from parley.kernel.messages import PLAIN_TEXT, FilePart, Message, Part, TextPart, attachments_of
from parley.kernel.ports import Blobs


async def read_attachments(blobs: Blobs | None, messages: Sequence[Message]) -> dict[str, bytes]:
    """Return the bytes of the messages' pictures and files by SHA-256. Raises Rejected if one is missing."""
    parts = attachments_of(messages)
    if parts and blobs is None:
        raise Rejected(
            "This installation doesn't store pictures or files.", "Send text only.", code="no_blobs"
        )
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


def write_out(messages: Sequence[Message], attached: Mapping[str, bytes]) -> tuple[Message, ...]:
    """Return the messages with each text file as text, under its name, so that every model can read it."""
    return tuple(
        message
        if isinstance(message.content, str)
        else msgspec.structs.replace(
            message, content=tuple(_written(part, attached) for part in message.content)
        )
        for message in messages
    )


def _written(part: Part, attached: Mapping[str, bytes]) -> Part:
    if not isinstance(part, FilePart) or part.media_type != PLAIN_TEXT:
        return part
    name = part.name.replace('"', "'")
    return TextPart(f'<file name="{name}">\n{attached[part.sha256].decode("utf-8", "replace")}\n</file>')
