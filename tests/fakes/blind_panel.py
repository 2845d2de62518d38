"""A blind mode of four seats that confer in rounds: what shared code must support beside the battle."""

from parley.kernel.ballot import Ballot
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.seats import Draw, Group, Seating

PANEL: tuple[str, ...] = ("a", "b", "c", "d")


class PanelBrief(Brief):
    """How many rounds a panel has."""

    rounds: int = 3


class Panel(Mode[PanelBrief]):
    """All seats answer in each round, and each hears what it has said before."""

    title = "Panel"
    summary = "Four hidden models answer in rounds"
    brief = PanelBrief

    async def play(self, stage: Stage, brief: PanelBrief) -> None:
        for _ in stage.rounds(brief.rounds):
            await stage.ask_all(stage.seats)


class BlindPanel(Panel):
    """The same, drawn, blind and paced, and judged at the end."""

    name = "blind-panel"
    seating = Seating(groups=tuple(Group(name, draw=Draw.DRAWN) for name in PANEL), blind=True, paced=True)
    ballot = Ballot(choices=PANEL)
