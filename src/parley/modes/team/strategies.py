"""Strategies as data: in each round, which seats make which moves, and what they hear."""

from typing import Literal, NamedTuple, TypeAlias

Who: TypeAlias = Literal["speakers", "lead", "others", "chair", "chosen"]


class Move(NamedTuple):
    """Seats speak, all at once or (`in_turn`) one after another.

    `again` is the task of a seat that has spoken before. `opening`: only until the seat has spoken.
    """

    who: Who
    task: str
    again: str = ""
    in_turn: bool = False
    opening: bool = False


class Strategy(NamedTuple):
    """The moves of a round. Seats hear all that was said, or each one's last word. `chair` is a role that it needs."""

    moves: tuple[Move, ...]
    hears: Literal["all", "last"] = "all"
    chair: str = ""


STRATEGIES = {
    "round_robin": Strategy((Move("speakers", "speak", in_turn=True),)),
    "debate": Strategy((Move("speakers", "answer", again="revise"),), hears="last"),
    "trial": Strategy(
        (Move("lead", "argue"), Move("others", "oppose", in_turn=True), Move("chair", "rule")), chair="Judge"
    ),
    "critique": Strategy(
        (Move("lead", "draft", opening=True), Move("others", "critique"), Move("lead", "redraft")),
        hears="last",
    ),
    "panel": Strategy((Move("chair", "choose"), Move("chosen", "speak", in_turn=True)), chair="Moderator"),
    "red_team": Strategy(
        (Move("lead", "propose", opening=True), Move("others", "attack"), Move("lead", "defend")),
        hears="last",
    ),
}

ASKED = Move("chosen", "asked")
"""The only move of a round in which only those speak whom the person asked."""

MOST_CHOSEN = 3
"""The most speakers that a moderator may choose for a round."""
