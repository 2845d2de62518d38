"""Histories: a seat's own conversation, built from earlier turns."""

from collections.abc import Iterable, Sequence

import msgspec

from parley.kernel.inbox import Interjection
from parley.kernel.inputs import AskInput, PromptInput, TurnInput, attached_to, text_of
from parley.kernel.messages import Attachment, Message, ReplyPart, TextPart, content_of
from parley.kernel.tools import last_steps, question_of
from parley.kernel.views import NoteView, ReplyStatus, TurnStatus

GO_ON = "Continue."
"""The message for an input without text: model APIs want the roles to alternate."""


class EarlierReply(msgspec.Struct, frozen=True, kw_only=True):
    """One reply of an earlier turn."""

    seat: str
    round: int
    purpose: str
    text: str
    status: ReplyStatus
    parts: tuple[ReplyPart, ...] = ()


class Conclusion(msgspec.Struct, frozen=True):
    """The text that a seat's conversation keeps of a turn in place of its last reply.

    `revises`: it also replaces what was kept of earlier turns that answered the same question.
    """

    text: str
    revises: bool = False
    parts: tuple[ReplyPart, ...] = ()


class EarlierTurn(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier turn: replies by round, notes, the interjections that a round read, each seat's conclusion.

    Inner replies of ensembles are left out.
    """

    index: int
    input: TurnInput
    status: TurnStatus
    replies: tuple[EarlierReply, ...] = ()
    notes: tuple[NoteView, ...] = ()
    heard: tuple[Interjection, ...] = ()
    concluded: dict[str, Conclusion] = msgspec.field(default_factory=dict[str, Conclusion])

    @property
    def round(self) -> int:
        """The last round in which a seat was asked; 0 in a mode without rounds."""
        return max((reply.round for reply in self.replies), default=0)

    def conclusion_of(self, seat: str) -> Conclusion | None:
        """Return what a seat's conversation keeps: its conclusion, else its last reply; None without a complete reply.

        Within a round, a reply with the purpose "answer" comes before others.
        """
        own = [reply for reply in self.replies if reply.seat == seat]
        completed = [reply for reply in last_steps(own) if reply.status == "completed"]
        if not completed:
            return None
        last = max(
            completed,
            key=lambda reply: (reply.round, question_of(reply.purpose) == "answer", reply.purpose),
        )
        return self.concluded.get(seat) or Conclusion(last.text, parts=last.parts)


class SeatTurns(msgspec.Struct, frozen=True):
    """Turns of one match, oldest first, from the view of one of its seats."""

    seat: str
    turns: Sequence[EarlierTurn]


class Conversation(msgspec.Struct, frozen=True):
    """A seat's own conversation: roles alternate, beginning with the person.

    `unanswered` are the person's texts since the seat's last answer, `attached` the pictures and files with them.
    """

    messages: tuple[Message, ...] = ()
    unanswered: tuple[str, ...] = ()
    attached: tuple[Attachment, ...] = ()


def converse(lineage: Iterable[SeatTurns], seat: str, turn_input: TurnInput) -> Conversation:
    """Return a seat's conversation before a turn with the input `given`; `lineage` begins with the oldest match.

    A turn in which the seat completed a reply adds the person's texts and the answer. Only a conclusion that revises
    removes messages; a new question replaces one that the seat did not answer.
    """
    builder = _ConversationBuilder()
    for part in lineage:
        for turn in part.turns:
            builder.add_input(turn.input, part.seat)
            for interjection in turn.heard:
                builder.add_input(interjection.input, part.seat)
            if (conclusion := turn.conclusion_of(part.seat)) is not None:
                builder.add_answer(conclusion)
    builder.add_input(turn_input, seat)
    return Conversation(
        tuple(builder.messages), tuple(builder.texts[builder.answered :]), builder.unanswered_parts
    )


def words_for(turn_input: TurnInput, seat: str) -> str:
    """Return the text of an input for one seat; empty if it has none for this seat."""
    return "" if isinstance(turn_input, AskInput) and turn_input.seat != seat else text_of(turn_input)


def join_texts(texts: Sequence[str]) -> str:
    """Return consecutive texts of a person as one message."""
    return "\n\n".join(texts) or GO_ON


def user_message(texts: Sequence[str], attached: Sequence[Attachment] = ()) -> Message:
    """Return consecutive texts of a person as one message, after the pictures and files that came with them."""
    text = join_texts(texts)
    return Message("user", (*attached, TextPart(text)) if attached else text)


class _ConversationBuilder:
    """Builds a conversation. `texts` are those since the last question; the first `answered` have an answer.

    Pictures and files belong to the question itself.
    """

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.texts: list[str] = []
        self.answered = 0
        self._question_at: int | None = None
        self._parts: tuple[Attachment, ...] = ()

    @property
    def unanswered_parts(self) -> tuple[Attachment, ...]:
        return self._parts if self.answered == 0 else ()

    def add_input(self, turn_input: TurnInput, seat: str) -> None:
        if isinstance(turn_input, PromptInput):
            self.texts, self.answered, self._question_at = [], 0, None
            self._parts = tuple(each.part for each in attached_to(turn_input))
        if text := words_for(turn_input, seat):
            self.texts.append(text)

    def add_answer(self, conclusion: Conclusion) -> None:
        if self._question_at is None:
            self._question_at = len(self.messages)
        elif conclusion.revises:
            del self.messages[self._question_at :]
            self.answered = 0
        question = user_message(self.texts[self.answered :], self.unanswered_parts)
        self.messages += [question, Message("assistant", content_of(conclusion.text, conclusion.parts))]
        self.answered = len(self.texts)
