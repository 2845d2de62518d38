"""Reads a file of conversations: JSON of Parley, ChatGPT, Claude, LibreChat or Open WebUI, or a ZIP with it.

The export of all of a person's data is read too: of its JSON lines, those that are sessions.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from parley.features.session_files.archive import is_archive, read_archive
from parley.features.session_files.chatgpt import read_chatgpt
from parley.features.session_files.checking import checked
from parley.features.session_files.claude import read_claude
from parley.features.session_files.conversation import Conversation, Unreadable
from parley.features.session_files.exported_lines import EXPORTED, conversations_of, session_of_line
from parley.features.session_files.fields import Table, table, text
from parley.features.session_files.json_text import members, mended, rest_of, split_list
from parley.features.session_files.librechat import read_librechat
from parley.features.session_files.one_at_a_time import limited_time
from parley.features.session_files.open_webui import read_open_webui
from parley.features.session_files.openai_messages import read_messages
from parley.features.session_files.transcript import Readable
from parley.features.session_files.writing import FORMAT
from parley.kernel.errors import Invalid

CONVERSATIONS = 100_000
NOTHING = "Nothing was imported."


class ReadConversation(msgspec.Struct, frozen=True, tag="read"):
    """A conversation of a file with its place there, from 1, and notes about what it lost."""

    place: int
    conversation: Conversation
    notes: tuple[str, ...] = ()


class UnreadConversation(msgspec.Struct, frozen=True, tag="unread"):
    """A conversation that cannot be imported, and why."""

    place: int
    title: str
    reason: str


Entry: TypeAlias = ReadConversation | UnreadConversation


class _Raw(NamedTuple):
    """The JSON of a conversation; `exported`: a line of the export of all data, `alone`: it is the whole file."""

    data: bytes
    ours: bool = False
    exported: bool = False
    alone: bool = False


def read_file(path: Path, name: str, readable: Readable) -> Iterator[Entry]:
    """Yield the conversations of a file, one after the other; errors call it `name`.

    Raises Invalid at the end if something could not be read, or nothing was there.
    """
    place, problem = 0, None
    documents = read_archive(path, name) if is_archive(path) else iter([(name, path.read_bytes())])
    for document_name, document in documents:
        try:
            for entry in _conversations(document, document_name, place, readable):
                place = entry.place
                if place > CONVERSATIONS:
                    raise Invalid("file", f"{name} has more than {CONVERSATIONS:,} conversations.", NOTHING)
                yield entry
        except Invalid as error:
            problem = problem or error
        if place > CONVERSATIONS:
            break
    if problem is not None or not place:
        raise problem or Invalid("file", f"{name} has no conversations.", NOTHING)


def _conversations(document: bytes | Invalid, name: str, before: int, readable: Readable) -> Iterator[Entry]:
    """Yield the conversations of one document, after as many `before`. Raises Invalid where it can't be read."""
    if isinstance(document, Invalid):
        raise document
    place = before
    try:
        for raw in _raw_conversations(document):
            for entry in _entries(raw, place + 1, readable):
                place = entry.place
                yield entry
    except RecursionError:
        raise Invalid("file", f"{name} is nested too deeply.", NOTHING) from None
    except ValueError as error:
        raise Invalid("file", f"{name} is not a JSON file of conversations: {error}.", NOTHING) from None


def _raw_conversations(document: bytes) -> Iterator[_Raw]:
    """Yield the conversations of a document. Raises ValueError where it breaks off or is something else."""
    at = len(document) - len(document.removeprefix(b"\xef\xbb\xbf").lstrip())
    if document.startswith(EXPORTED, at):
        yield from (_Raw(line, exported=True) for line in _lines(document, at))
    elif document.startswith(b"[", at):
        yield from map(_Raw, split_list(document, at))
    elif (listed := _sessions(document, at)) is not None:
        ours, start = listed
        yield from (_Raw(item, ours) for item in split_list(document, start))
    else:
        yield _Raw(document[at:].rstrip(), alone=True)


def _lines(document: bytes, at: int) -> Iterator[bytes]:
    while at < len(document):
        end = document.find(b"\n", at)
        end = len(document) if end < 0 else end
        if line := document[at:end].strip():
            yield line
        at = end + 1


def _sessions(document: bytes, at: int) -> tuple[bool, int] | None:
    """Return whether Parley wrote the object, and the place of its list `sessions`; None if it has none."""
    ours, start = False, None
    try:
        for key, value_at in members(document, at):
            if key == b'"format"':
                ours = document.startswith(b'"%b"' % FORMAT.encode(), value_at)
            elif key == b'"sessions"' and rest_of(document, value_at) == b"[":
                start = value_at
    except ValueError:
        # Of a list that breaks off, what is there can be read.
        if start is None:
            raise
    return None if start is None else (ours, start)


def _entries(raw: _Raw, place: int, readable: Readable) -> list[Entry]:
    """Return what a conversation became, a session of the export of all data with its branches."""
    title = ""
    try:
        with limited_time():
            if raw.exported:
                if (session := session_of_line(raw.data)) is None:
                    return []
                title = session.session.title
                conversations = enumerate(conversations_of(session, readable), place)
                return [_read(table(_decoded(data)), data, at, ours=True) for at, data in conversations]
            fields = table(_decoded(raw.data))
            title = text(fields.get("title")) or text(fields.get("name"))
            return [_read(fields, raw.data, place, ours=raw.ours)]
    except Unreadable as error:
        reason = str(error)
    except RecursionError:
        if raw.alone:
            raise
        reason = "it is nested too deeply"
    except msgspec.DecodeError as error:
        if raw.alone:
            raise
        reason = f"it is not valid JSON: {error}"
    except MemoryError:
        reason = "it needs more memory to read than is allowed"
    except Exception:  # noqa: BLE001 - a hostile value can make a reader raise anything
        reason = "it is damaged"
    return [UnreadConversation(place, title[:200].encode("utf-8", "replace").decode(), reason)]


def _decoded(raw: bytes) -> object:
    try:
        return msgspec.json.decode(raw)
    except ValueError:
        return msgspec.json.decode(mended(raw))


def _read(fields: Table, raw: bytes, place: int, *, ours: bool) -> ReadConversation:
    """Return a conversation in a storable form. Raises Unreadable."""
    conversation, notes = checked(_conversation(fields, hashlib.sha256(raw).hexdigest(), ours=ours))
    return ReadConversation(place, conversation, notes)


def _conversation(fields: Table, digest: str, *, ours: bool) -> Conversation:
    if "mapping" in fields:
        return read_chatgpt(fields, digest)
    if "chat_messages" in fields:
        return read_claude(fields, digest)
    if "chat" in fields:
        return read_open_webui(fields, digest)
    if "messages" in fields and "conversationId" in fields:
        return read_librechat(fields, digest)
    if "messages" in fields:
        return read_messages(fields, digest, ours=ours)
    raise Unreadable("it is not a conversation: it has no “messages”, “chat_messages”, “mapping” or “chat”")
