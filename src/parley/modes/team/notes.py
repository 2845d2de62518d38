"""The notes of a team, as the page reads them in JSON.

Seats have their names in the match ("a", "b"). A statement has a reference, "2.1": its round and its place in it,
counted on over all turns about one question. Offsets count code points. Money is in micro-dollars.
"""

from typing import Literal, TypeAlias

import msgspec

from parley.kernel.errors import Problem

PLAN = "team.plan/1"
CHOICE = "team.choice/1"
SAID = "team.said/1"
ROUND = "team.round/1"
SYNTHESIS = "team.synthesis/1"

How: TypeAlias = Literal["said", "found"]
"""The source: the speaker declared it, or it was found in the text."""
RoundKind: TypeAlias = Literal["planned", "asked", "synthesis"]
Next: TypeAlias = Literal["round", "pause", "synthesis", "end"]
Why: TypeAlias = Literal["rounds", "person", "moderator", "tokens", "money"]
Failing: TypeAlias = Literal["failed", "nonsense", "nobody", "absent"]


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A note of a team, or a part of one."""


class SeatRole(Note, frozen=True, kw_only=True):
    """The role of a seat."""

    seat: str
    role: str


class Plan(Note, frozen=True, kw_only=True):
    """Who takes part in a turn, announced at its start (round 0).

    `lead` drafts or proposes, `chair` leads or judges (null if nobody does), `writer` writes the synthesis. `done`:
    the planned rounds that earlier turns finished for this question.
    """

    strategy: str
    members: tuple[SeatRole, ...]
    lead: str
    chair: str | None
    writer: str
    rounds: int
    done: int
    pause: str


class Answered(Note, frozen=True, kw_only=True):
    """A statement that another one answers."""

    ref: str
    seat: str
    how: How


class Changed(Note, frozen=True, kw_only=True):
    """That a speaker changed their mind, in their own words."""

    text: str
    how: How


class Spent(Note, frozen=True, kw_only=True):
    """Tokens read and written, and the cost of those with a price; `unpriced` if some have none."""

    tokens: int = 0
    cost_micros: int = 0
    unpriced: bool = False


NOTHING_SPENT = Spent()


class Statement(Note, frozen=True, kw_only=True):
    """One statement of a seat; key = ref. `heading` is its reference and role.

    What was said is `text[start:end]` of the reply with this `purpose`, without the lines at its end that state
    `answers`, `position` and `changed`. `problem`: the seat gave no usable answer; then it counts as not said.
    """

    ref: str
    seat: str
    role: str
    task: str
    purpose: str
    reply_id: str
    heading: str
    start: int = 0
    end: int = 0
    answers: tuple[Answered, ...] = ()
    position: str | None = None
    changed: Changed | None = None
    cut_off: bool = False
    problem: Problem | None = None
    spent: Spent = NOTHING_SPENT


class Choice(Note, frozen=True, kw_only=True):
    """Whom a moderator chose to speak in a round.

    `how` is "fallback" if nobody usable was named, for the reason `problem`: then whoever has said least speaks.
    `named` are the names as written, `asks` what the speakers are asked. `enough`: the moderator wants the synthesis.
    `reply_id` is null if the moderator was skipped.
    """

    seat: str
    chosen: tuple[str, ...]
    named: tuple[str, ...]
    how: Literal["moderator", "fallback"]
    problem: Failing | None = None
    asks: str | None = None
    enough: bool = False
    spent: Spent = NOTHING_SPENT
    reply_id: str | None = None
    heading: str = ""


class RoundEnd(Note, frozen=True, kw_only=True):
    """The end of a round, and what comes next.

    `kind`: planned rounds count; "asked" are rounds in which only seats spoke whom the person asked. `left_out`: seats
    that were not asked in this round. `spent`: on the question so far. `why` says why the rounds end.
    """

    kind: RoundKind
    left_out: tuple[str, ...]
    done: int
    rounds: int
    next: Next
    why: Why | None
    spent: Spent


class Point(Note, frozen=True, kw_only=True):
    """One point of a synthesis. `refs` are the statements that it comes from, `unknown` references to none.

    `holders`: the seats who hold it, by those references and by the roles named in the text.
    """

    text: str
    refs: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()


class Synthesis(Note, frozen=True, kw_only=True):
    """The synthesis. If `parsed` is false, no part was found, and `recommendation` is the whole text."""

    seat: str
    reply_id: str
    heading: str = "Synthesis"
    consensus: tuple[Point, ...] = ()
    disagreements: tuple[Point, ...] = ()
    assumptions: tuple[Point, ...] = ()
    recommendation: tuple[Point, ...] = ()
    minority: tuple[Point, ...] = ()
    parsed: bool = True
    warning: str | None = None
    spent: Spent = NOTHING_SPENT
