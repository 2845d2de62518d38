"""Transcripts as files: Markdown, and JSON with messages in the format of OpenAI's API."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from parley.features.session_files.markdown import closed
from parley.features.session_files.schemas import SessionFormat
from parley.features.session_files.transcript import Transcript, TranscriptLine, branch_title, questions
from parley.features.session_files.web_page import write_html

FORMAT = "parley-sessions"
MEDIA_TYPES: dict[SessionFormat, str] = {
    "markdown": "text/markdown",
    "json": "application/json",
    "html": "text/html",
}
ENDINGS: dict[SessionFormat, str] = {"markdown": "md", "json": "json", "html": "html"}
NAME_CHARS = 64
"""The longest name of a message that OpenAI's API accepts."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
_NOT_IN_FILES = re.compile(r"[\W_]+")


def write_file(transcripts: Sequence[Transcript], kind: SessionFormat, *, are_sources: bool = False) -> bytes:
    """Return the transcripts as one file, UTF-8. `are_sources`: a web page has the texts as they were written."""
    if kind == "json":
        return _json(transcripts)
    text = write_html(transcripts, are_sources) if kind == "html" else _markdown(transcripts)
    return text.encode("utf-8", "replace")


def file_name(transcripts: Sequence[Transcript], kind: SessionFormat) -> str:
    """Return a safe file name; that of a single session is made from its title."""
    title = transcripts[0].title if len(transcripts) == 1 else f"{len(transcripts)} sessions"
    return f"{_NOT_IN_FILES.sub('-', title).strip('-')[:60].lower() or 'session'}.{ENDINGS[kind]}"


def _json(transcripts: Sequence[Transcript]) -> bytes:
    sessions = [session for each in transcripts for session in sessions_of(each)]
    whole = msgspec.json.encode({"format": FORMAT, "version": 1, "sessions": sessions})
    return msgspec.json.format(whole, indent=2) + b"\n"


def sessions_of(transcript: Transcript) -> Iterator[dict[str, Any]]:
    """Yield a session, then each other branch as one of its own."""
    session = {
        "id": transcript.id,
        "title": transcript.title,
        "mode": transcript.mode,
        "created_at": transcript.created_at,
        "updated_at": transcript.updated_at,
        "tags": transcript.tags,
        "archived": transcript.archived,
        "pinned": transcript.pinned,
    }
    yield session | _said(transcript.lines)
    for number, each in enumerate(transcript.branches, 1):
        branch = {
            "id": f"{transcript.id}.{each.turn_id}",
            "title": f"{transcript.title} (branch {number})",
            "branch_of": transcript.id,
            "pinned": False,
        }
        yield session | branch | _said(each.lines)


def _said(lines: Sequence[TranscriptLine]) -> dict[str, Any]:
    """Return messages, and the models that their names stand for."""
    models = {_name(line): line.model for line in lines if line.model}
    messages = [_message(line) for line in lines if line.kind != "vote"]
    return {"models": models, "messages": messages, "messages_sha256": digest_of(messages)}


def digest_of(messages: object) -> str:
    """Return the SHA-256 (hex) of messages: an import knows by it that nobody edited them."""
    return hashlib.sha256(msgspec.json.encode(messages)).hexdigest()


def _message(line: TranscriptLine) -> dict[str, str]:
    if line.kind == "rules":
        return {"role": "system", "content": line.text}
    if line.name is None:
        return {"role": "user", "content": line.text}
    name = _name(line)
    text = f"**{line.heading}**\n\n{line.text}" if line.heading else line.text
    return {"role": "assistant", "content": text, **({"name": name} if name else {})}


def _name(line: TranscriptLine) -> str:
    """Return the name of a model as OpenAI's API accepts it."""
    return _NOT_IN_NAMES.sub("_", line.model or line.name or "")[:NAME_CHARS].strip("_")


def _markdown(transcripts: Sequence[Transcript]) -> str:
    return "\n\n---\n\n".join(map(_markdown_of, transcripts)) + "\n"


def _markdown_of(transcript: Transcript) -> str:
    parts = [f"# {transcript.title}", *_parts(transcript.lines, 0)]
    for each in transcript.branches:
        before = questions(each.lines[: each.shared])
        parts += [f"## {branch_title(each)}", *_parts(each.lines[each.shared :], before)]
    return "\n\n".join(filter(None, parts))


def _parts(lines: Sequence[TranscriptLine], number: int) -> Iterator[str]:
    """Yield the paragraphs of lines; `number` questions were asked before."""
    for line in lines:
        if line.kind == "vote":
            yield f"*{line.text}*"
        elif line.kind == "rules":
            yield from ("## System prompt", _quoted(line.text or "None from here."))
        elif line.name is None:
            number += 1
            yield from (f"## {number}. Question", _quoted(line.text))
        else:
            yield from (f"### {line.name}", closed(line.text))


def _quoted(text: str) -> str:
    return "\n".join(f"> {each}".rstrip() for each in text.strip().split("\n"))
