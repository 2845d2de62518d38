"""A session in the words of a transcript: who said what, one after another."""

import msgspec

from parley.kernel.inputs import PromptInput, input_type, text_of
from parley.kernel.views import MatchView, ReplyView, SessionView, TurnView
from parley.text.lenient_xml import read_elements

_ANSWERS = ("synthesis", "answer", "updated_response")
"""The elements that hold the answer where a mode asked for elements."""


class Line(msgspec.Struct, frozen=True):
    """What the person or a model said. `name` is the model's, or its label while it is hidden; null of the person.

    `model` is its id, null while it is hidden.
    """

    text: str
    name: str | None = None
    model: str | None = None


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """A session with all that was said in it. Times are ISO 8601, UTC."""

    id: str
    title: str
    mode: str
    created_at: str
    updated_at: str
    tags: tuple[str, ...]
    lines: tuple[Line, ...]


def transcript_of(view: SessionView) -> Transcript:
    """Return what a session shows its viewer: a blind match without its models."""
    card = view.session
    lines = [line for record in view.matches for turn in record.turns for line in _lines(record.match, turn)]
    return Transcript(
        id=card.id,
        title=card.title,
        mode=card.mode,
        created_at=card.created_at,
        updated_at=card.updated_at,
        tags=card.tags,
        lines=tuple(lines),
    )


def _lines(match: MatchView, turn: TurnView) -> list[Line]:
    given = text_of(turn.input)
    asked = (
        given if isinstance(turn.input, PromptInput) or not given else f"{input_type(turn.input)}: {given}"
    )
    said = [_said(match, turn, reply) for reply in turn.replies if reply.text]
    return [*([Line(asked)] if asked else []), *said]


def _said(match: MatchView, turn: TurnView, reply: ReplyView) -> Line:
    seat = next((each for each in match.seats if each.name == reply.seat), None)
    model = seat.model if seat else None
    name = model.name if model else seat.label if seat else reply.seat
    if reply.metrics is not None and reply.metrics.answered_by is not None:
        name = f"{name} (answered by {reply.metrics.answered_by})"
    if any(other.round != reply.round for other in turn.replies):
        name = f"{name}, round {reply.round}"
    return Line(_answer(reply.text), name, model.id if model else None)


def _answer(text: str) -> str:
    """Return an answer without the elements that a mode asked for; one without them as it is."""
    for name in _ANSWERS:
        if f"<{name}" in text.lower() and (found := read_elements(text, (name,))):
            return found[0].text
    return text.strip()
