"""Statements about the current question, of this turn and of earlier ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec

from parley.kernel.history import EarlierTurn
from parley.kernel.inputs import AddInput, AskInput, PromptInput, SteerInput, TurnInput
from parley.kernel.mode import Reply, Stage
from parley.kernel.tools import last_steps, question_of
from parley.modes.team import notes
from parley.modes.team.notes import NOTHING_SPENT, RoundEnd, Spent, Statement


@dataclass(frozen=True)
class Speech:
    """A statement and what was said in it."""

    statement: Statement
    text: str


@dataclass
class Talk:
    """The discussion so far: `round` is the last one, `done` counts planned rounds, `fresh` waits to be heard."""

    speeches: list[Speech] = field(default_factory=list[Speech])
    words: list[TurnInput] = field(default_factory=list[TurnInput])
    fresh: list[TurnInput] = field(default_factory=list[TurnInput])
    round: int = 0
    done: int = 0
    spent: Spent = NOTHING_SPENT
    synthesis: str | None = None
    concluded: bool = False
    """True if the synthesis is about this question."""

    def hear(self, inputs: Sequence[TurnInput]) -> None:
        """Take in what the person said."""
        self.fresh += inputs
        self.words += (each for each in inputs if isinstance(each, AddInput | SteerInput | AskInput))

    def pay(self, spent: Spent) -> None:
        """Count what a call took."""
        self.spent = Spent(
            tokens=self.spent.tokens + spent.tokens,
            cost_micros=self.spent.cost_micros + spent.cost_micros,
            unpriced=self.spent.unpriced or spent.unpriced,
        )

    def has_spoken(self, seat: str) -> bool:
        """Return whether a seat has made a statement."""
        return any(each.statement.seat == seat for each in self.speeches)

    def last_words(self) -> list[Speech]:
        """Return the last statement of each seat, in the order in which they were made."""
        latest = {each.statement.seat: each for each in self.speeches}
        return [each for each in self.speeches if latest[each.statement.seat] is each]


def spent_on(reply: Reply | None) -> Spent:
    """Return what a reply took."""
    metrics = reply.metrics if reply else None
    if metrics is None:
        return NOTHING_SPENT
    tokens = metrics.input_tokens + metrics.output_tokens
    return Spent(
        tokens=tokens,
        cost_micros=metrics.cost_micros or 0,
        unpriced=metrics.cost_micros is None and tokens > 0,
    )


def recall(stage: Stage) -> Talk:
    """Return the discussion of the current question before this turn, and the input that began the turn."""
    talk = Talk()
    for turn in stage.earlier:
        if isinstance(turn.input, PromptInput):
            talk = Talk(synthesis=talk.synthesis)
        _add_turn(talk, turn)
    if isinstance(stage.input, PromptInput):
        talk = Talk(synthesis=talk.synthesis)
    talk.hear([stage.input])
    return talk


def _add_turn(talk: Talk, turn: EarlierTurn) -> None:
    """Take in an earlier turn. What its last round boundary read is still fresh if no round followed it."""
    talk.hear([turn.input])
    talk.fresh.clear()
    texts = {
        (reply.round, reply.seat, question_of(reply.purpose)): reply.text
        for reply in last_steps(turn.replies)
    }
    for note in sorted(turn.notes, key=lambda note: note.seq):
        data = cast("Mapping[str, Any]", note.data)
        match note.name:
            case notes.SAID:
                statement = msgspec.convert(data, Statement)
                talk.pay(statement.spent)
                if statement.problem is None:
                    text = texts.get((note.round, statement.seat, statement.purpose), "")
                    talk.speeches.append(Speech(statement, text[statement.start : statement.end]))
            case notes.CHOICE:
                talk.pay(msgspec.convert(data["spent"], Spent))
            case notes.SYNTHESIS:
                talk.pay(msgspec.convert(data["spent"], Spent))
                talk.synthesis = texts.get((note.round, data["seat"], "synthesis"))
                talk.concluded = True
            case notes.ROUND:
                talk.done = msgspec.convert(data, RoundEnd).done
            case _:
                pass
    talk.speeches.sort(key=lambda each: tuple(map(int, each.statement.ref.split("."))))
    played = max([turn.round, *(note.round for note in turn.notes)], default=0)
    talk.round = max(talk.round, played)
    for each in turn.heard:
        talk.hear([each.input])
        if each.round is not None and each.round <= played:
            talk.fresh.remove(each.input)
