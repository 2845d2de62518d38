"""A search that this process carries out: its counts while it runs."""

from parley.features.lab.improve.searching import Progress
from parley.features.lab.runs.allowance import Allowance
from parley.features.lab.runs.live import LiveRun


class LiveSearch(LiveRun):
    """The counts of a search. `cells` are all answers that it may ask for; `measured` are those on rows held out."""

    def __init__(self, budget: int, to_measure: int, allowance: Allowance) -> None:
        super().__init__(budget + to_measure, 0, allowance)
        self.budget = budget
        self.progress = Progress(answers=0, reflections=0, candidates=())
        self.measured = 0

    def reuse(self) -> None:
        """Count an answer that was recorded before."""
        self.recorded += 1
        self.completed += 1
