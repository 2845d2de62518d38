"""Attachments: the bytes of the pictures and files that messages name."""

from collections.abc import Sequence

from parley.kernel.errors import NotFound, Rejected
from parley.kernel.messages import Message, attachments_of
from parley.kernel.ports import Blobs


async def read_attachments(blobs: Blobs | None, messages: Sequence[Message]) -> dict[str, bytes]:
    """Return the bytes of the messages' pictures and files, by SHA-256. Raises Rejected if one is missing."""
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
