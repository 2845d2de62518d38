"""A session as a transcript: who said what, in order."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from parley.features.session_files.ways import Ways
from parley.kernel.inputs import ContinueInput, PromptInput, TurnInput, input_type, seat_of, text_of
from parley.kernel.views import MatchRecord, MatchView, ReplyView, SessionView, TurnView
from parley.text.lenient_xml import read_elements

_ASKS_FOR_ELEMENTS = "consortium"
"""The mode that asks for answers in elements. In other modes an answer with such elements is about them."""

_ANSWERS = ("synthesis", "answer", "updated_response")
"""The elements that hold the answer."""

_BESIDE = {"analysis": "Analysis", "dissent": "Minority report", "confidence": "Confidence"}
"""What is shown below it."""


class Line(msgspec.Struct, frozen=True):
    """An entry by the person or a model. `name` is the model's, or its label while it is hidden; null for the person.

    `model` is its id, null while it is hidden. `heading`, part of the name, is what the mode calls a reply. Rules are a
    system prompt; empty ones end the earlier.
    """

    text: str
    name: str | None = None
    model: str | None = None
    kind: Literal["said", "vote", "rules"] = "said"
    heading: str = ""


class Branch(msgspec.Struct, frozen=True):
    """Another way a conversation went, to its last turn. The first `shared` lines are the transcript's own too."""

    turn_id: str
    shared: int
    lines: tuple[Line, ...]


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
    lines: tuple[Line, ...]
    branches: tuple[Branch, ...]


def transcript_of(view: SessionView) -> Transcript:
    """Return the transcript that its viewer may see: a blind match without its models."""
    card = view.session
    ways = Ways(view.matches)
    lines = _lines_of(ways.shown())
    branches: list[Branch] = []
    for turn_id, records in ways.others():
        other = _lines_of(records)
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


def questions(lines: Sequence[Line]) -> int:
    """Return how many questions there are."""
    return sum(line.kind == "said" and line.name is None for line in lines)


def branch_title(branch: Branch) -> str:
    """Return the heading of another branch."""
    before = questions(branch.lines[: branch.shared])
    return f"Another branch, after question {before}" if before else "Another branch, from the beginning"


def _lines_of(records: Sequence[MatchRecord]) -> tuple[Line, ...]:
    lines: list[Line] = []
    rules = ""
    for record in records:
        if (now := _rules(record.match)) != rules:
            lines.append(Line(now, kind="rules"))
            rules = now
        lines += [line for turn in record.turns for line in _lines(record.match, turn)]
        if record.match.vote is not None:
            lines.append(_vote(record.match, record.match.vote.vote))
    return tuple(lines)


def _rules(match: MatchView) -> str:
    """Return the system prompt of a match, where all its models have the same."""
    usual = match.brief.get("system_prompt")
    usual = usual if isinstance(usual, str) else ""
    found = {(seat.settings.system_prompt if seat.settings else None) or usual for seat in match.seats}
    return found.pop() if len(found) == 1 else ""


def _lines(match: MatchView, turn: TurnView) -> list[Line]:
    lines = [] if isinstance(turn.input, ContinueInput) else [_given(turn.input)]
    waiting = list(turn.interjections)
    for reply in sorted(turn.replies, key=lambda reply: reply.order):
        heard = [each for each in waiting if each.round is not None and each.round <= reply.round]
        lines += [_given(each.input) for each in heard]
        waiting = [each for each in waiting if each not in heard]
        if reply.text.strip():
            lines.append(_said(match, turn, reply))
    lines = [line for line in (*lines, *(_given(each.input) for each in waiting)) if line.text]
    if lines and match.seats and not any(line.name for line in lines):
        # What is asked next is another question.
        seat = match.seats[0]
        model = seat.model
        lines.append(Line("", model.name if model else seat.label, model.id if model else None))
    return lines


def _given(given: TurnInput) -> Line:
    """Return what the person said: a question with the names of its files, else as in "steer: Be brief."."""
    if not isinstance(given, PromptInput):
        return Line(": ".join(filter(None, (input_type(given), seat_of(given), text_of(given)))))
    if not given.attachments:
        return Line(given.text)
    names = ", ".join(each.name for each in given.attachments)
    return Line(f"{given.text}\n\n*[Attached: {names}]*".strip())


def _headings(turn: TurnView) -> dict[str, str]:
    """Return what the mode's notes call the replies of a turn, by their ids."""
    found: dict[str, str] = {}
    for note in turn.notes:
        match note.data:
            case {"reply_id": str(reply_id), "heading": str(heading)}:
                found[reply_id] = heading
            case _:
                pass
    return found


class _Names(msgspec.Struct):
    """The part of a mode's note that says what a reply's prompt called the seats."""

    reply_id: str
    names: dict[str, str]


def _names(turn: TurnView, reply: ReplyView) -> dict[str, str]:
    """Return the seats that the reply calls by other names, by those names."""
    for note in turn.notes:
        with suppress(msgspec.ValidationError):
            found = msgspec.convert(note.data, _Names)
            if found.reply_id == reply.id:
                return found.names
    return {}


def _named(text: str, called: Mapping[str, str]) -> str:
    """Return a text with names in place of those that its prompt gave."""
    for given, name in called.items():
        text = re.sub(rf"\b{re.escape(given)}\b", lambda _, name=name: name, text)
    return text


def _said(match: MatchView, turn: TurnView, reply: ReplyView) -> Line:
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
    called = {given: models[seat] for given, seat in _names(turn, reply).items() if seat in models}
    text = _named(_answer(reply.text) if match.mode == _ASKS_FOR_ELEMENTS else reply.text, called)
    return Line(text, name, model.id if model else None, heading=heading)


def _vote(match: MatchView, choice: str) -> Line:
    seat = next((each for each in match.seats if each.name == choice), None)
    chosen = choice.replace("_", " ") if seat is None else seat.model.name if seat.model else seat.label
    return Line(f"Vote: {chosen}", kind="vote")


def _answer(text: str) -> str:
    """Return an answer without the elements that a mode asked for; other answers unchanged."""
    if not any(f"<{name}" in text.lower() for name in _ANSWERS):
        return text.strip()
    elements = read_elements(text, (*_ANSWERS, *_BESIDE), around=("synthesis_output",))
    found = {each.name: each.text for each in elements}
    answer = next((found[name] for name in _ANSWERS if name in found), text.strip())
    beside = [f"**{title}:** {found[name]}" for name, title in _BESIDE.items() if found.get(name)]
    return "\n\n".join((answer, *beside))
