"""Battle: two hidden models answer one prompt, and a person picks."""

from collections.abc import Sequence

from parley.kernel.ballot import Ballot, Needs
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.models import Capability
from parley.kernel.seats import Draw, Group, Seating


class BattleBrief(Brief):
    """Both models get the prompt as it is. `pictures`: both draw it. `tools`: both may call the session's tools."""

    pictures: bool = False
    tools: bool = False


class Battle(Mode[BattleBrief]):
    """Two hidden models answer one prompt; a person picks."""

    name = "battle"
    title = "Battle"
    summary = "Models stay hidden until you vote"
    brief = BattleBrief
    takes_files = True
    seating = Seating(
        groups=(Group("left", draw=Draw.DRAWN), Group("right", draw=Draw.DRAWN)),
        blind=True,
        paced=True,
    )
    ballot = Ballot(
        choices=("left", "tie", "both_bad", "right"), rated=True, ends_match=True, needs=Needs.ALL
    )

    def needs(self, brief: BattleBrief) -> Sequence[Capability]:
        """Let models draw, or write; with tools, only models that call them, so that both sides have the same."""
        return ("images",) if brief.pictures else ("tools",) if brief.tools else ()

    async def play(self, stage: Stage, brief: BattleBrief) -> None:
        """Ask both seats at once, each with its own side's history."""
        await stage.ask_all(stage.seats, tools=brief.tools)
