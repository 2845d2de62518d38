"""What a campaign is: a guarantee, trials that try to refute it, and a planted fault that it must catch."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec


class Tally(msgspec.Struct, kw_only=True):
    """The result of trials. `failures` describe what broke the guarantee; `figures` are raw measurements."""

    trials: int = 0
    failures: list[str] = []
    figures: dict[str, list[float]] = {}

    def note(self, name: str, *values: float) -> None:
        """Record measured values under a name."""
        self.figures.setdefault(name, []).extend(map(float, values))

    def add(self, other: "Tally") -> None:
        """Add the results of another batch."""
        self.trials += other.trials
        self.failures += other.failures
        for name, values in other.figures.items():
            self.note(name, *values)


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Trials `first` … `first + count - 1`, an empty folder for them, and a callback for each finished one."""

    first: int
    count: int
    seed: int
    folder: Path
    step: Callable[[], None] = lambda: None

    def chance(self, trial: int) -> random.Random:
        """Return the generator of one trial: the same in every run with this seed, whatever the batches."""
        return random.Random(f"{self.seed}:{trial}")


class Campaign(Protocol):
    """One guarantee under attack. Trials are independent, so an interrupted run can resume."""

    name: str
    """Short and stable, as on the command line: "kill-votes"."""

    guarantee: str
    """One sentence for the report."""

    trials: int
    """How many the full campaign has."""

    batch: int
    """How many at a time: an interrupted run loses at most one batch."""

    sample: int
    """How many trials `make test` runs; with the control they take a few seconds."""

    def run(self, batch: Batch) -> Tally:
        """Run trials. Raises only if a trial could not be made, never if the guarantee broke; may raise Skipped."""
        ...

    def control(self, batch: Batch) -> Tally:
        """Run the same on a planted fault: the tally must have failures. At most `batch.count` trials."""
        ...

    def summary(self, tally: Tally) -> str:
        """Describe the figures for the report; empty if the count of trials is enough."""
        ...


@runtime_checkable
class JudgesAll(Protocol):
    """A campaign about shares: its batches are too small to judge, so that all are judged together."""

    def judge(self, tally: Tally) -> list[str]:
        """Return what in the figures of all batches refutes the guarantee."""
        ...


def failures(campaign: Campaign, tally: Tally) -> list[str]:
    """Return what refuted the guarantee in all batches."""
    return [*tally.failures, *(campaign.judge(tally) if isinstance(campaign, JudgesAll) else ())]


class Skipped(Exception):
    """This campaign cannot run here; the message says what is missing."""


def share(values: list[float], part: float) -> float:
    """Return the value below which this share of the values lies; NaN if there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")
