"""Reads a file of conversations: JSON of Parley, ChatGPT or Open WebUI, or a ZIP with `conversations.json`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from parley.kernel.errors import Invalid
from parley.workspace.session_files.archive import is_archive, read_archive
from parley.workspace.session_files.chatgpt import read_chatgpt
from parley.workspace.session_files.conversation import Conversation, Unreadable
from parley.workspace.session_files.open_webui import read_open_webui
from parley.workspace.session_files.openai_messages import read_messages
from parley.workspace.session_files.schemas import SkippedConversation
from parley.workspace.session_files.writing import FORMAT

CONVERSATIONS = 100_000
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.|\\\Z)*+(?:"|\Z)|-?\b(?:NaN|Infinity)\b', re.DOTALL)
"""A string, also one that is never closed: its end is looked for once. Or a number that JSON does not have."""
_ESCAPE = re.compile(rb"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u([dD][89a-fA-F]..)|\\.", re.DOTALL)
"""A pair of surrogates, one alone, or any other escape."""

NOTHING = "Nothing was imported."


class _Keys(msgspec.Struct):
    """The fields that tell which program wrote a conversation."""

    mapping: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    chat: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    messages: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    title: object = None


class _Whole(msgspec.Struct):
    """A file that is one object: Parley's, or a single conversation."""

    format: object = None
    sessions: list[msgspec.Raw] | None = None


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
            keys = msgspec.json.decode(raw, type=_Keys)
            title = keys.title if isinstance(keys.title, str) else ""
            found.conversations.append((place, _conversation(raw, keys, ours=ours)))
        except Unreadable as error:
            found.skipped.append(SkippedConversation(place, title[:200], str(error)))
        except msgspec.MsgspecError as error:
            why = f"it is not as such files are: {error}"
            found.skipped.append(SkippedConversation(place, title[:200], why))
        except RecursionError:
            found.skipped.append(SkippedConversation(place, title[:200], "it is nested too deeply"))
    if not found.conversations and not found.skipped:
        raise Invalid("file", f"{name} has no conversations.", NOTHING)
    return found


def _all(documents: list[tuple[str, bytes]]) -> Iterator[tuple[msgspec.Raw, bool]]:
    """Yield the conversations of all documents, each with whether Parley wrote it. Raises Invalid."""
    for name, data in documents:
        body = data.removeprefix(b"\xef\xbb\xbf").strip()
        try:
            found = _split(body)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            try:
                found = _split(_mended(body))
            except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
                why = f"{name} is not a JSON file of conversations: {error}."
                raise Invalid("file", why, NOTHING) from None
        yield from found


def _split(body: bytes) -> list[tuple[msgspec.Raw, bool]]:
    if body.startswith(b"["):
        return [(raw, False) for raw in msgspec.json.decode(body, type=list[msgspec.Raw])]
    whole = msgspec.json.decode(body, type=_Whole)
    if whole.sessions is None:
        return [(msgspec.Raw(body), False)]
    return [(raw, whole.format == FORMAT) for raw in whole.sessions]


def _mended(body: bytes) -> bytes:
    """Return JSON without what some programs write and JSON does not have: half characters, and NaN."""

    def token(found: re.Match[bytes]) -> bytes:
        text = found[0]
        if not text.startswith(b'"'):
            return b"null"
        return _ESCAPE.sub(whole, text) if b"\\u" in text else text

    def whole(found: re.Match[bytes]) -> bytes:
        return b"\\ufffd" if found[1] else found[0]

    return _TOKEN.sub(token, body.decode("utf-8", "replace").encode())


def _conversation(raw: msgspec.Raw, keys: _Keys, *, ours: bool) -> Conversation:
    if keys.mapping is not msgspec.UNSET:
        return read_chatgpt(raw)
    if keys.chat is not msgspec.UNSET:
        return read_open_webui(raw)
    if keys.messages is not msgspec.UNSET:
        return read_messages(raw, ours=ours)
    raise Unreadable("it is not a conversation: it has no “messages”, “mapping” or “chat”")
