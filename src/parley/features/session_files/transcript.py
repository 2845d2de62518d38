"""A session as a transcript: who said what, in order."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from parley.features.session_files.branches import Branches
from parley.kernel.inputs import ContinueInput, PromptInput, TurnInput, input_type, seat_of, text_of
from parley.kernel.messages import Attached
from parley.kernel.tools import last_steps
from parley.kernel.views import MatchRecord, MatchView, ReplyView, SessionView, TurnView

Readable = Callable[[str, str], str]
"""Returns a reply's text as a transcript shows it; takes the name of the mode and the text."""


class TranscriptLine(msgspec.Struct, frozen=True):
    """An entry by the person or a model. `name` is the model's, or its label while it is hidden; null for the person.

    `model` is its id, null while it is hidden. `heading`, part of the name, is what the mode calls a reply; `ms` is how
    long it took, null while that is hidden. Rules are a
    system prompt; empty ones end the earlier.
    """

    text: str
    name: str | None = None
    model: str | None = None
    kind: Literal["said", "vote", "rules"] = "said"
    heading: str = ""
    ms: int | None = None


class Branch(msgspec.Struct, frozen=True):
    """Another way a conversation went, to its last turn. The first `shared` lines are the transcript's own too."""

    turn_id: str
    shared: int
    lines: tuple[TranscriptLine, ...]


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A session with what was said on the branch that the page shows first. Times are ISO 8601, UTC."""

    id: str
    title: str
    mode: str
    created_at: str
    updated_at: str
    tags: tuple[str, ...]
    archived: bool
    pinned: bool
    lines: tuple[TranscriptLine, ...]
    branches: tuple[Branch, ...]


def transcript_of(view: SessionView, readable: Readable) -> Transcript:
    """Return the transcript that its viewer may see: a blind match without its models."""
    card = view.session
    ways = Branches(view.matches)
    lines = _lines_of(ways.shown(), readable)
    branches: list[Branch] = []
    for turn_id, records in ways.others():
        other = _lines_of(records, readable)
        pairs = zip(lines, other, strict=False)
        shared = next((place for place, (one, two) in enumerate(pairs) if one != two), len(other))
        branches.append(Branch(turn_id, shared, other))
    return Transcript(
        id=card.id,
        title=card.title,
        mode=card.mode,
        created_at=card.created_at,
        updated_at=card.updated_at,
        tags=card.tags,
        archived=card.archived,
        pinned=card.pinned,
        lines=lines,
        branches=tuple(branches),
    )


def questions(lines: Sequence[TranscriptLine]) -> int:
    """Return how many questions there are."""
    return sum(line.kind == "said" and line.name is None for line in lines)


def branch_title(branch: Branch) -> str:
    """Return the heading of another branch."""
    before = questions(branch.lines[: branch.shared])
    return f"Another branch, after question {before}" if before else "Another branch, from the beginning"


def _lines_of(records: Sequence[MatchRecord], readable: Readable) -> tuple[TranscriptLine, ...]:
    lines: list[TranscriptLine] = []
    rules = ""
    for record in records:
        if (now := _rules(record.match)) != rules:
            lines.append(TranscriptLine(now, kind="rules"))
            rules = now
        lines += [line for turn in record.turns for line in _lines(record.match, turn, readable)]
        if record.match.vote is not None:
            lines.append(_vote(record.match, record.match.vote.vote))
    return tuple(lines)


def _rules(match: MatchView) -> str:
    """Return the system prompt of a match, where all its models have the same."""
    usual = match.brief.get("system_prompt")
    usual = usual if isinstance(usual, str) else ""
    prompts = {(seat.settings.system_prompt if seat.settings else None) or usual for seat in match.seats}
    return prompts.pop() if len(prompts) == 1 else ""


def _lines(match: MatchView, turn: TurnView, readable: Readable) -> list[TranscriptLine]:
    lines = [] if isinstance(turn.input, ContinueInput) else [_given(turn.input)]
    waiting = list(turn.interjections)
    for reply in sorted(last_steps(turn.replies), key=lambda reply: reply.order):
        heard = [each for each in waiting if each.round is not None and each.round <= reply.round]
        lines += [_given(each.input) for each in heard]
        waiting = [each for each in waiting if each not in heard]
        if reply.text.strip() or reply.parts:
            line = _said(match, turn, reply, readable(match.mode, reply.text))
            lines.append(msgspec.structs.replace(line, text=_with_files(line.text, _files(reply))))
    lines = [line for line in (*lines, *(_given(each.input) for each in waiting)) if line.text]
    if lines and match.seats and not any(line.name for line in lines):
        # What is asked next is another question.
        seat = match.seats[0]
        model = seat.model
        lines.append(TranscriptLine("", model.name if model else seat.label, model.id if model else None))
    return lines


def _given(turn_input: TurnInput) -> TranscriptLine:
    """Return what the person said: a question with the names of its files, else as in "steer: Be brief."."""
    if not isinstance(turn_input, PromptInput):
        return TranscriptLine(
            ": ".join(filter(None, (input_type(turn_input), seat_of(turn_input), text_of(turn_input))))
        )
    return TranscriptLine(_with_files(turn_input.text, turn_input.attachments))


def _files(reply: ReplyView) -> list[Attached]:
    return [part.attached for part in reply.parts]


def _with_files(text: str, files: Sequence[Attached]) -> str:
    """Return a text with the names of its pictures and files."""
    if not files:
        return text
    names = ", ".join(each.name for each in files)
    return f"{text}\n\n*[Attached: {names}]*".strip()


def _headings(turn: TurnView) -> dict[str, str]:
    """Return what the mode's notes call the replies of a turn, by their ids."""
    headings: dict[str, str] = {}
    for note in turn.notes:
        match note.data:
            case {"reply_id": str(reply_id), "heading": str(heading)}:
                headings[reply_id] = heading
            case _:
                pass
    return headings


class _Names(msgspec.Struct):
    """The part of a mode's note that says what a reply's prompt called the seats."""

    reply_id: str
    names: dict[str, str]


def _names(turn: TurnView, reply: ReplyView) -> dict[str, str]:
    """Return the seats that the reply calls by other names, by those names."""
    for note in turn.notes:
        with suppress(msgspec.ValidationError):
            names = msgspec.convert(note.data, _Names)
            if names.reply_id == reply.id:
                return names.names
    return {}


def _named(text: str, called: Mapping[str, str]) -> str:
    """Return a text with names in place of those that its prompt gave."""
    for label, name in called.items():
        text = re.sub(rf"\b{re.escape(label)}\b", lambda _, name=name: name, text)
    return text


def _said(match: MatchView, turn: TurnView, reply: ReplyView, text: str) -> TranscriptLine:
    seat = next((each for each in match.seats if each.name == reply.seat), None)
    model = seat.model if seat else None
    name = model.name if model else seat.label if seat else reply.seat
    if reply.metrics is not None and reply.metrics.answered_by is not None:
        name = f"{name} (answered by {reply.metrics.answered_by})"
    if heading := _headings(turn).get(reply.id, ""):
        name = f"{heading} ({name})"
    elif any(other.round != reply.round for other in turn.replies):
        name = f"{name}, round {reply.round}"
    models = {seat.name: seat.model.name for seat in match.seats if seat.model}
    called = {label: models[seat] for label, seat in _names(turn, reply).items() if seat in models}
    ms = reply.metrics.duration_ms if reply.metrics else None
    return TranscriptLine(_named(text, called), name, model.id if model else None, heading=heading, ms=ms)


def _vote(match: MatchView, choice: str) -> TranscriptLine:
    seat = next((each for each in match.seats if each.name == choice), None)
    chosen = choice.replace("_", " ") if seat is None else seat.model.name if seat.model else seat.label
    return TranscriptLine(f"Vote: {chosen}", kind="vote")
