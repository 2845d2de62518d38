"""Reads a file of conversations: JSON of Parley, ChatGPT or Open WebUI, or a ZIP with `conversations.json`.

The export of all of a person's data is read too: of its JSON lines, those that are sessions.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from parley.features.session_files.archive import is_archive, read_archive
from parley.features.session_files.chatgpt import read_chatgpt
from parley.features.session_files.conversation import Conversation, Unreadable
from parley.features.session_files.fields import Table, table, text
from parley.features.session_files.json_text import mended, split_list
from parley.features.session_files.open_webui import read_open_webui
from parley.features.session_files.openai_messages import read_messages
from parley.features.session_files.schemas import SkippedConversation
from parley.features.session_files.transcript import transcript_of
from parley.features.session_files.writing import FORMAT, sessions_of
from parley.kernel.errors import Invalid
from parley.kernel.views import SessionView

CONVERSATIONS = 100_000
NOTHING = "Nothing was imported."

_EXPORTED = tuple(b'{"kind":"%b","%b":' % (kind, kind) for kind in (b"preset", b"template", b"session"))


class _Whole(msgspec.Struct):
    """A file that is one object: Parley's, or a single conversation."""

    format: object = None
    sessions: list[msgspec.Raw] | None = None


class _ExportedLine(msgspec.Struct):
    """A line of the export of all data: a session, a preset, a template."""

    kind: str
    session: SessionView | None = None


class Found(NamedTuple):
    """The content of a file: conversations with their places in it, from 1, and the unreadable ones."""

    conversations: list[tuple[int, Conversation]]
    skipped: list[SkippedConversation]


def read_file(path: Path, name: str) -> Found:
    """Return the conversations of a file; `name` is what errors call it. Raises Invalid."""
    documents = read_archive(path, name) if is_archive(path) else [(name, path.read_bytes())]
    found = Found([], [])
    for place, (raw, ours) in enumerate(_all(documents), 1):
        if place > CONVERSATIONS:
            raise Invalid("file", f"{name} has more than {CONVERSATIONS:,} conversations.", NOTHING)
        title = ""
        try:
            fields = _fields(raw)
            title = text(fields.get("title"))
            found.conversations.append((place, _conversation(fields, raw, ours=ours)))
        except Unreadable as error:
            found.skipped.append(SkippedConversation(place, title[:200], str(error)))
    if not found.conversations and not found.skipped:
        raise Invalid("file", f"{name} has no conversations.", NOTHING)
    return found


def _all(documents: list[tuple[str, bytes]]) -> Iterator[tuple[bytes, bool]]:
    """Yield the conversations of all documents, each with whether Parley wrote it. Raises Invalid."""
    for name, data in documents:
        body = data.removeprefix(b"\xef\xbb\xbf").strip()
        try:
            if body.startswith(_EXPORTED):
                yield from _exported(body)
                continue
            if body.startswith(b"["):
                yield from ((raw, False) for raw in _listed(body))
                continue
            whole = _whole(body)
        except RecursionError:
            raise Invalid("file", f"{name} is nested too deeply.", NOTHING) from None
        except ValueError as error:
            raise Invalid("file", f"{name} is not a JSON file of conversations: {error}.", NOTHING) from None
        if whole.sessions is None:
            yield body, False
        else:
            yield from ((bytes(raw), whole.format == FORMAT) for raw in whole.sessions)


def _exported(body: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the sessions of an export of all data as a file of sessions has them. What is none is yielded as it is."""
    for line in body.splitlines():
        try:
            found = msgspec.json.decode(line, type=_ExportedLine)
        except ValueError:
            yield line, False
        else:
            sessions = sessions_of(transcript_of(found.session)) if found.session else ()
            yield from ((msgspec.json.encode(each), True) for each in sessions)


def _listed(body: bytes) -> Iterator[bytes]:
    """Yield the items of a list. One that is malformed leaves the others as they are. Raises ValueError."""
    try:
        raws = msgspec.json.decode(body, type=list[msgspec.Raw])
    except (ValueError, RecursionError):
        yield from split_list(mended(body))
    else:
        yield from map(bytes, raws)


def _whole(body: bytes) -> _Whole:
    try:
        return msgspec.json.decode(body, type=_Whole)
    except ValueError:
        return msgspec.json.decode(mended(body), type=_Whole)


def _fields(raw: bytes) -> Table:
    """Return the fields of a conversation. Raises Unreadable."""
    try:
        return table(_decoded(raw))
    except RecursionError:
        raise Unreadable("it is nested too deeply") from None
    except ValueError as error:
        raise Unreadable(f"it is not valid JSON: {error}") from None


def _decoded(raw: bytes) -> object:
    try:
        return msgspec.json.decode(raw)
    except ValueError:
        return msgspec.json.decode(mended(raw))


def _conversation(fields: Table, raw: bytes, *, ours: bool) -> Conversation:
    digest = hashlib.sha256(raw).hexdigest()
    if "mapping" in fields:
        return read_chatgpt(fields, digest)
    if "chat" in fields:
        return read_open_webui(fields, digest)
    if "messages" in fields:
        return read_messages(fields, digest, ours=ours)
    raise Unreadable("it is not a conversation: it has no “messages”, “mapping” or “chat”")
