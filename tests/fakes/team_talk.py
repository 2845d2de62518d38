"""A team for tests: three who speak and a moderator who writes, with answers to tell apart."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from parley.kernel.views import NoteView, TurnView
from parley.modes.team.mode import Team
from parley.testing import CUT, PlayedMatch, Said

Answer = tuple[Said, ...]


class Cut(NamedTuple):
    """The reply of a seat in which the process ends, counted from 0."""

    seat: str
    number: int


QUESTION = "Tea or <coffee>?"
SEATS = ("a", "b", "c", "d")
SYNTHESIS = "## Consensus\n- Hot [1.1 Proposer]\n## Disagreements\nNone.\n## Assumptions\n- Water [7.7]\n"
SYNTHESIS += "## Recommendation\n1. Tea [1.1 Proposer, 1.2 Critic]\n## Minority report\n- The Critic: coffee"
ROUNDS = {
    "round_robin": [("a", "speak"), ("b", "speak"), ("c", "speak")],
    "debate": [("a", "answer"), ("b", "answer"), ("c", "answer")],
    "trial": [("a", "argue"), ("b", "oppose"), ("c", "oppose"), ("d", "rule")],
    "critique": [("a", "draft"), ("b", "critique"), ("c", "critique"), ("a", "redraft")],
    "panel": [("d", "choose"), ("b", "speak"), ("a", "speak")],
    "red_team": [("a", "propose"), ("b", "attack"), ("c", "attack"), ("a", "defend")],
}
EMPTY: Mapping[str, Sequence[Answer]] = {}
CHOICE = "Next: Critic, Proposer\nAsk: Why?\nEnough: no"


def a_team(
    strategy: str = "debate",
    *,
    instead: Mapping[str, Sequence[Answer]] = EMPTY,
    cut: Cut | None = None,
    **brief: Any,
) -> PlayedMatch:
    """Three who speak, and a moderator who writes; each says "<seat> <n>." in its n-th reply.

    `instead` are other answers of a seat. The process ends in the `cut` reply of a seat, which it gives once more.
    """
    match = PlayedMatch(
        Team(), SEATS, brief={"strategy": strategy, "members": {"d": {"role": "Moderator"}}, **brief}
    )
    closing = "Answers: none\nPosition: Mine.\nChanged my mind: no"
    answers: dict[str, list[Answer]] = {
        seat: [(f"{seat} {number}.\n\n{closing}",) for number in range(1, 9)] for seat in "abc"
    }
    leading = {"panel": CHOICE, "trial": "a is ahead."}.get(strategy)
    answers["d"] = [(leading,)] * brief.get("rounds", 2) if leading else []
    answers["d"].append((SYNTHESIS,))
    answers |= {seat: list(said) for seat, said in instead.items()}
    if cut:
        answers[cut.seat].insert(cut.number, (*answers[cut.seat][cut.number], CUT))
    for seat, said in answers.items():
        for each in said:
            match.says(seat, *each)
    return match


def asked(turn: TurnView) -> list[tuple[int, str, str]]:
    return [(reply.round, reply.seat, reply.purpose) for reply in turn.replies]


def script(turn: TurnView) -> str:
    """Who was asked, as in "1:abc 2:abc 3:d"."""
    rounds: dict[int, str] = {}
    for reply in turn.replies:
        rounds[reply.round] = rounds.get(reply.round, "") + reply.seat
    return " ".join(f"{number}:{''.join(sorted(seats))}" for number, seats in rounds.items())


def data(turn: TurnView, name: str) -> list[Any]:
    return [note.data for note in turn.notes if note.name == f"team.{name}/1"]


def ends(turn: TurnView) -> list[tuple[str, str, str | None]]:
    return [(each["kind"], each["next"], each["why"]) for each in data(turn, "round")]


def plain(notes: Sequence[NoteView]) -> list[Any]:
    return [(note.name, note.round, note.key, note.data) for note in notes]
