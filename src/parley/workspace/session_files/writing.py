"""Transcripts as files: Markdown, and JSON with messages as OpenAI's API takes them."""

import re
from collections.abc import Sequence

import msgspec

from parley.workspace.session_files.schemas import SessionFormat
from parley.workspace.session_files.transcript import Line, Transcript
from parley.workspace.session_files.web_page import write_html

FORMAT = "parley-sessions"
MEDIA_TYPES: dict[SessionFormat, str] = {
    "markdown": "text/markdown",
    "json": "application/json",
    "html": "text/html",
}
ENDINGS: dict[SessionFormat, str] = {"markdown": "md", "json": "json", "html": "html"}
NAME_CHARS = 64
"""The longest name of a message that OpenAI's API takes."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
_NOT_IN_FILES = re.compile(r"[\W_]+")


def write_file(transcripts: Sequence[Transcript], kind: SessionFormat) -> bytes:
    """Return the transcripts as one file, UTF-8."""
    if kind == "json":
        return _json(transcripts)
    write = write_html if kind == "html" else _markdown
    return write(transcripts).encode("utf-8", "replace")


def file_name(transcripts: Sequence[Transcript], kind: SessionFormat) -> str:
    """Return a file's name without surprises: of one session after its title."""
    title = transcripts[0].title if len(transcripts) == 1 else f"{len(transcripts)} sessions"
    return f"{_NOT_IN_FILES.sub('-', title).strip('-')[:60].lower() or 'session'}.{ENDINGS[kind]}"


def _json(transcripts: Sequence[Transcript]) -> bytes:
    sessions = [
        {
            "id": each.id,
            "title": each.title,
            "mode": each.mode,
            "created_at": each.created_at,
            "updated_at": each.updated_at,
            "tags": each.tags,
            "messages": [_message(line) for line in each.lines if not line.is_vote],
        }
        for each in transcripts
    ]
    whole = msgspec.json.encode({"format": FORMAT, "version": 1, "sessions": sessions})
    return msgspec.json.format(whole, indent=2) + b"\n"


def _message(line: Line) -> dict[str, str]:
    if line.name is None:
        return {"role": "user", "content": line.text}
    name = _NOT_IN_NAMES.sub("_", line.model or line.name)[:NAME_CHARS].strip("_")
    text = f"**{line.heading}**\n\n{line.text}" if line.heading else line.text
    return {"role": "assistant", "content": text, **({"name": name} if name else {})}


def _markdown(transcripts: Sequence[Transcript]) -> str:
    return "\n\n---\n\n".join(map(_markdown_of, transcripts)) + "\n"


def _markdown_of(transcript: Transcript) -> str:
    parts = [f"# {transcript.title}"]
    number = 0
    for line in transcript.lines:
        if line.is_vote:
            parts.append(f"*{line.text}*")
        elif line.name is None:
            number += 1
            quoted = "\n".join(f"> {each}".rstrip() for each in line.text.strip().split("\n"))
            parts += [f"## {number}. Question", quoted]
        else:
            parts += [f"### {line.name}", line.text]
    return "\n\n".join(parts)
