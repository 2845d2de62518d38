"""Compare: two to six chosen models answer side by side, and a person says which answer they prefer."""

from typing import Literal

from pydantic import Field

from parley.kernel.ballot import Ballot, Needs
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.seats import Group, Seating


class CompareBrief(Brief):
    """When the models are asked."""

    order: Literal["parallel", "one_at_a_time"] = Field(
        default="parallel",
        title="Order",
        description=(
            "parallel: all models answer at once. one_at_a_time: each starts when the previous one has "
            "ended, for models that share one computer."
        ),
    )


class Compare(Mode[CompareBrief]):
    """Each model has its own history; each turn may be judged, and judged anew. No rating moves."""

    name = "compare"
    title = "Compare"
    summary = "Models you choose, side by side"
    brief = CompareBrief
    takes_files = True
    sealable = True
    seating = Seating(groups=(Group("model", 2, 6),), settings=True)
    ballot = Ballot(
        choices=("tie", "none"), members="model", each_turn=True, ends_match=False, needs=Needs.TWO
    )

    async def play(self, stage: Stage, brief: CompareBrief) -> None:
        """Ask every seat with its own history."""
        if brief.order == "parallel":
            await stage.ask_all(stage.seats, tools=True)
            return
        for seat in stage.seats:
            await stage.ask(seat, tools=True)
