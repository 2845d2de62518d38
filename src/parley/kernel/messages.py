"""Messages: a conversation as it is sent to a model."""

import hashlib
import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import msgspec

from parley.kernel.options import NO_OPTIONS, AskOptions

Author: TypeAlias = Literal["system", "user", "assistant", "tool"]
Channel: TypeAlias = Literal["text", "reasoning"]

PLAIN_TEXT = "text/plain"

_LONE = re.compile("[\ud800-\udfff]")


class TextPart(msgspec.Struct, frozen=True, tag_field="type", tag="text"):
    """Text within a message of several parts."""

    text: str


class ImagePart(msgspec.Struct, frozen=True, tag_field="type", tag="image"):
    """A picture, by the SHA-256 (hex) of its bytes."""

    sha256: str
    media_type: str


class FilePart(msgspec.Struct, frozen=True, tag_field="type", tag="file"):
    """A file, by the SHA-256 (hex) of its bytes. If it is PLAIN_TEXT, it is sent as text, which every model reads."""

    sha256: str
    media_type: str
    name: str


Attachment: TypeAlias = ImagePart | FilePart
Part: TypeAlias = TextPart | Attachment


class Attached(msgspec.Struct, frozen=True, kw_only=True):
    """A picture or file of a question or a reply, by the SHA-256 (hex) of its bytes. `size` is in bytes.

    Models get the text with `text_sha256`, or the picture itself if it is null. `tokens` is an estimate.
    `encoding`: the one in which an older text was read, as Python names it.
    """

    sha256: str
    name: str
    media_type: str
    size: int
    tokens: int
    text_sha256: str | None = None
    width: int | None = None
    height: int | None = None
    pages: int | None = None
    encoding: str | None = None

    @property
    def part(self) -> Attachment:
        """The part of the message that a model gets."""
        if self.text_sha256 is None:
            return ImagePart(self.sha256, self.media_type)
        return FilePart(self.text_sha256, PLAIN_TEXT, self.name)


class ReplyPart(msgspec.Struct, frozen=True):
    """A picture or file of a reply; so many code points of the reply's text stand before it.

    `seed`: the one from which a picture was drawn, null where the server has none, or says none.
    """

    offset: int
    attached: Attached
    seed: int | None = None


class ToolCall(msgspec.Struct, frozen=True, gc=False):
    """One complete tool call, assembled by index; `arguments` is JSON text as the model wrote it."""

    index: int
    id: str
    name: str
    arguments: str


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of a conversation with a model: a text, or parts. See `text_of`.

    An assistant's message has its tool calls; a tool's has the id of the call that it answers, and `failed`.
    """

    role: Author
    content: str | tuple[Part, ...]
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    failed: bool = False


def text_of(message: Message) -> str:
    """Return the text of a message, with a blank line between parts; pictures and files have none."""
    if isinstance(message.content, str):
        return message.content
    return "\n\n".join(part.text for part in message.content if isinstance(part, TextPart))


def content_of(text: str, parts: Sequence[ReplyPart]) -> str | tuple[Part, ...]:
    """Return a reply's text and parts as the content of a message; a text if there are no parts."""
    if not parts:
        return text
    ends = (*(part.offset for part in parts[1:]), len(text))
    content: list[Part] = [TextPart(text[: parts[0].offset])]
    for part, end in zip(parts, ends, strict=True):
        content += [part.attached.part, TextPart(text[part.offset : end])]
    return tuple(part for part in content if not isinstance(part, TextPart) or part.text.strip())


def attachments_of(messages: Sequence[Message]) -> tuple[Attachment, ...]:
    """Return the pictures and files of a conversation, in order."""
    parted = [message.content for message in messages if not isinstance(message.content, str)]
    return tuple(part for parts in parted for part in parts if not isinstance(part, TextPart))


def with_texts(message: Message, change: Callable[[str], str]) -> Message:
    """Return a message with each of its texts changed."""
    content = message.content
    if isinstance(content, str):
        return msgspec.structs.replace(message, content=change(content))
    parts = [TextPart(change(part.text)) if isinstance(part, TextPart) else part for part in content]
    return msgspec.structs.replace(message, content=tuple(parts))


def fingerprint(messages: Sequence[Message], options: AskOptions = NO_OPTIONS) -> str:
    """Return the SHA-256 (hex) of a question; a replayed step must match it.

    Default options are left out, so that the fingerprints of stored turns stay valid.
    """
    valid = [with_texts(message, mend_surrogates) for message in messages]
    digest = hashlib.sha256(msgspec.msgpack.encode(valid))
    if options != NO_OPTIONS:
        digest.update(msgspec.msgpack.encode(options, order="sorted"))
    return digest.hexdigest()


def sha256_text(text: str) -> str:
    """Return the SHA-256 (hex) of a text in UTF-8; lone surrogates count as U+FFFD."""
    return hashlib.sha256(mend_surrogates(text).encode()).hexdigest()


def mend_surrogates(text: str) -> str:
    """Return a text with each lone surrogate replaced by U+FFFD; its length stays the same."""
    return text if text.isascii() else _LONE.sub("\ufffd", text)
