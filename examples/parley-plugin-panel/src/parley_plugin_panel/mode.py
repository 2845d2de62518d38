"""The panel: members hear each other round after round, and a person steps in."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

import msgspec
from pydantic import Field

from parley.kernel.ballot import Ballot, Needs
from parley.kernel.history import EarlierTurn, words_for
from parley.kernel.inputs import (
    INPUT_TYPES,
    INTERJECTED,
    AskInput,
    PromptInput,
    SkipInput,
    SynthesiseInput,
    TurnInput,
)
from parley.kernel.messages import Message
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.outline import Calls, Outline
from parley.kernel.seats import Group, Seat, Seating

JOINT = "joint"
AGAIN = "Answer again, in the light of what was said."
TOGETHER = "Now write the panel's joint answer: what all agree on, and what stays open."


class PanelBrief(Brief):
    """How long a panel talks, and when it waits for the person."""

    rounds: int = Field(
        default=3,
        title="Rounds",
        ge=1,
        le=5,
        description="How many rounds the members talk in one turn. With a pause after each round, you decide.",
    )
    pause: Literal["each_round", "never"] = Field(
        default="each_round",
        title="Pause",
        description=(
            "each_round: the panel stops after each round, and goes on when you say so. "
            "never: it talks to the last round; you can step in meanwhile."
        ),
    )


class RoundNote(msgspec.Struct, frozen=True, kw_only=True):
    """The note “panel.round/1”: names of the seats that were asked in a round, and of those that were left out."""

    asked: tuple[str, ...]
    left_out: tuple[str, ...]


class Panel(Mode[PanelBrief]):
    """Two to four members in sight; the person says after each turn who was best, or that nobody was."""

    name = "panel"
    title = "Panel"
    summary = "Models hear each other, you step in"
    brief = PanelBrief
    seating = Seating(groups=(Group("member", 2, 4),), settings=True)
    ballot = Ballot(choices=("none",), members="member", each_turn=True, ends_match=False, needs=Needs.TWO)
    inputs = frozenset(INPUT_TYPES)
    listens = INTERJECTED
    remembers = True
    voice = "member"

    async def play(self, stage: Stage, brief: PanelBrief) -> None:
        """Play rounds. Where it pauses, a turn is one round; the next turn counts on, until there is a new question."""
        talk = _Talk(stage)
        pauses = brief.pause == "each_round" and stage.attended
        for _ in stage.rounds(1 if pauses else brief.rounds, after=talk.rounds):
            talk.fresh = (*talk.fresh, *stage.inbox)
            asked = _asked(stage, talk.fresh)
            ends = any(isinstance(said, SynthesiseInput) for said in talk.fresh)
            speaking = tuple(seat.name for seat in (asked[:1] if ends else asked))
            left_out = tuple(seat.name for seat in stage.seats if seat.name not in speaking)
            stage.announce("panel.round/1", RoundNote(asked=speaking, left_out=left_out))
            if ends:
                await talk.conclude(asked[:1])
                return
            await talk.go_round(asked)
        if not stage.attended:  # as an ensemble, the panel owes one answer
            await talk.conclude(stage.seats[:1])

    def outline(self, brief: PanelBrief, seats: Sequence[Seat]) -> Outline:
        """Tell the calls of a turn: each round one of each member, which hears all that was said before."""
        most = 1 if brief.pause == "each_round" else brief.rounds
        hears = len(seats) * most * (most - 1) // 2
        answers = [Calls(seat=seat.name, most=most, hears_most=hears) for seat in seats]
        joint = Calls(seat=seats[0].name, purpose=JOINT, least=0, hears_most=len(seats) * most)
        return Outline((*answers, joint))


class _Talk:
    """What was said about the current question: `last` by each seat, `fresh` by the person since the last round."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        turns = _since_question(stage)
        self.rounds = max((turn.round for turn in turns), default=0)
        self.last = {
            reply.seat: reply.text
            for turn in turns
            for reply in turn.replies
            if reply.status == "completed" and reply.purpose != JOINT
        }
        self.fresh: tuple[TurnInput, ...] = (stage.input,)
        self._own: dict[str, list[Message]] = defaultdict(list)

    async def go_round(self, seats: Sequence[Seat]) -> None:
        """Let seats speak at once; each hears what the others said last."""
        asking = {seat.name: self._messages(seat, AGAIN if seat.name in self.last else "") for seat in seats}
        for reply in await self._stage.ask_all(seats, lambda seat: asking[seat.name]):
            if reply.completed:
                name = reply.seat.name
                self._own[name] += [asking[name][-1], Message("assistant", reply.text)]
                self.last[name] = reply.text
        self.fresh = ()

    async def conclude(self, seats: Sequence[Seat]) -> None:
        """Let a seat write what all have come to."""
        await self._stage.ask_all(seats, lambda seat: self._messages(seat, TOGETHER), purpose=JOINT)

    def _messages(self, seat: Seat, wish: str) -> list[Message]:
        lines = [words_for(said, seat.name) for said in self.fresh]
        if seat.name not in self.last and self._stage.prompt not in lines:
            lines.insert(0, self._stage.prompt)
        others = [each.name for each in self._stage.seats if each.name in self.last and each is not seat]
        lines += [f"{name} said: {self.last[name]}" for name in others]
        said = Message("user", "\n\n".join(filter(None, [*lines, wish])))
        return [*seat.settings.rules, *self._stage.history(seat), *self._own[seat.name], said]


def _since_question(stage: Stage) -> Sequence[EarlierTurn]:
    """Return the earlier turns about the current question; none where it is new."""
    if isinstance(stage.input, PromptInput):
        return ()
    starts = [at for at, turn in enumerate(stage.earlier) if isinstance(turn.input, PromptInput)]
    return stage.earlier[starts[-1] :]


def _asked(stage: Stage, said: Sequence[TurnInput]) -> tuple[Seat, ...]:
    """Return who speaks: all but those left out, or whoever was asked; nobody where the round is skipped."""
    skipped = {each.seat for each in said if isinstance(each, SkipInput)}
    wanted = {each.seat for each in said if isinstance(each, AskInput)}
    there = [seat for seat in stage.seats if seat.name not in skipped and None not in skipped]
    return tuple(seat for seat in there if not wanted or seat.name in wanted)
