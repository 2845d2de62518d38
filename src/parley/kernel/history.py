"""Histories: what a seat's conversation is, made from the turns before."""

from collections.abc import Iterable, Sequence

import msgspec

from parley.kernel.inbox import Interjection
from parley.kernel.inputs import AskInput, PromptInput, TurnInput, text_of
from parley.kernel.messages import Message
from parley.kernel.views import NoteView, ReplyStatus, TurnStatus

GO_ON = "Continue."
"""What a seat hears of a person who lets it go on without a word: model APIs want the roles to alternate."""


class EarlierReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat said once in an earlier turn."""

    seat: str
    round: int
    purpose: str
    text: str
    status: ReplyStatus


class Conclusion(msgspec.Struct, frozen=True):
    """What a seat's conversation keeps of a turn in place of its last reply.

    `revises`: it also takes the place of what the conversation kept of earlier turns that answered the same question.
    """

    text: str
    revises: bool = False


class EarlierTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A turn of before: replies by round, notes and interjections as said, what each seat concluded.

    Inner replies of ensembles are left out. `heard` are the interjections that some round heard.
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
        """The last round in which somebody was asked; 0 in a mode without rounds."""
        return max((reply.round for reply in self.replies), default=0)

    def kept(self, seat: str) -> Conclusion | None:
        """Return what a seat's conversation keeps: its conclusion, else its last complete word, if it has one.

        Of one round that is the reply of the purpose "answer", where there is one. A conclusion holds for a seat
        that completed a reply.
        """
        said = [reply for reply in self.replies if reply.seat == seat and reply.status == "completed"]
        if not said:
            return None
        last = max(said, key=lambda reply: (reply.round, reply.purpose == "answer", reply.purpose))
        return self.concluded.get(seat) or Conclusion(last.text)


class Part(msgspec.Struct, frozen=True):
    """Turns of one match, oldest first, as one of its seats knows them."""

    seat: str
    turns: Sequence[EarlierTurn]


class Conversation(msgspec.Struct, frozen=True):
    """A seat's own conversation: roles alternate, beginning with the person.

    `unanswered` is what the person has said since the seat's last answer.
    """

    messages: tuple[Message, ...] = ()
    unanswered: tuple[str, ...] = ()


def converse(parts: Iterable[Part], seat: str, said: TurnInput) -> Conversation:
    """Return a seat's conversation before a turn whose input is `said`; `parts` begin with the oldest match.

    A turn in which a seat completed a reply adds what was said to it and its answer. Nothing is ever taken out but
    what a conclusion revises; a new question takes the place of one that the seat left without an answer.
    """
    talk = _Talk()
    for part in parts:
        for turn in part.turns:
            talk.hear(turn.input, part.seat)
            for interjection in turn.heard:
                talk.hear(interjection.input, part.seat)
            if (kept := turn.kept(part.seat)) is not None:
                talk.answer(kept)
    talk.hear(said, seat)
    return Conversation(tuple(talk.messages), tuple(talk.texts[talk.told :]))


def words_for(said: TurnInput, seat: str) -> str:
    """Return a person's words as one seat hears them; empty where an input has none for it."""
    return "" if isinstance(said, AskInput) and said.seat != seat else text_of(said)


def as_one(texts: Sequence[str]) -> str:
    """Return what a person said one after the other as one message."""
    return "\n\n".join(texts) or GO_ON


class _Talk:
    """A conversation while it is made. `texts` are since the last question, the first `told` of them answered."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.texts: list[str] = []
        self.told = 0
        self._since: int | None = None

    def hear(self, said: TurnInput, seat: str) -> None:
        if isinstance(said, PromptInput):
            self.texts, self.told, self._since = [], 0, None
        if words := words_for(said, seat):
            self.texts.append(words)

    def answer(self, kept: Conclusion) -> None:
        if self._since is None:
            self._since = len(self.messages)
        elif kept.revises:
            del self.messages[self._since :]
            self.told = 0
        line = as_one(self.texts[self.told :])
        self.messages += [Message("user", line), Message("assistant", kept.text)]
        self.told = len(self.texts)
