"""Battle: two hidden models answer one prompt, and a person picks."""

from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.seats import Draw, Seating


class BattleBrief(Brief):
    """A battle has no settings: both models get the prompt as it is."""


class Battle(Mode[BattleBrief]):
    """Two hidden models answer one prompt; a person picks."""

    name = "battle"
    title = "Battle"
    summary = "Models stay hidden until you vote"
    brief = BattleBrief
    seating = Seating(
        roles=("left", "right"),
        draw=Draw.DRAWN,
        blind=True,
        paced=True,
        ballot=("left", "tie", "both_bad", "right"),
    )

    async def play(self, stage: Stage, brief: BattleBrief) -> None:
        """Give both seats the floor at once, each with its own side's history."""
        await stage.ask_all(stage.seats)
