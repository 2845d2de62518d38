"""What a campaign is: a claim, trials that try to refute it, and a planted fault that it must catch."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec


class Tally(msgspec.Struct, kw_only=True):
    """What trials brought. `failures` says in words what broke the claim; `figures` are raw measurements."""

    trials: int = 0
    failures: list[str] = []
    figures: dict[str, list[float]] = {}

    def note(self, name: str, *values: float) -> None:
        """Keep measured values under a name."""
        self.figures.setdefault(name, []).extend(map(float, values))

    def add(self, other: "Tally") -> None:
        """Take in what another batch brought."""
        self.trials += other.trials
        self.failures += other.failures
        for name, values in other.figures.items():
            self.note(name, *values)


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Trials `first` … `first + count - 1`, an empty folder for them, and what reports each one done."""

    first: int
    count: int
    seed: int
    folder: Path
    step: Callable[[], None] = lambda: None

    def chance(self, trial: int) -> random.Random:
        """Return the generator of one trial: the same in every run with this seed, whatever the batches."""
        return random.Random(f"{self.seed}:{trial}")


class Campaign(Protocol):
    """One claim under attack. Trials are independent, so that a run can go on where it broke off."""

    name: str
    """Short and stable, as on the command line: "kill-votes"."""

    claim: str
    """One sentence for the report."""

    trials: int
    """How many the full campaign has."""

    batch: int
    """How many at a time: a run that breaks off loses at most one batch."""

    sample: int
    """How many `make test` tries; together with the control it takes a few seconds."""

    def run(self, batch: Batch) -> Tally:
        """Try; never raises for a claim that broke, only for trials that could not be made. May raise Skipped."""
        ...

    def control(self, batch: Batch) -> Tally:
        """Try the same on a planted fault: the tally must have failures. `batch.count` is what it may take."""
        ...

    def summary(self, tally: Tally) -> str:
        """Return the figures in words, for the report; empty where the count of trials says all."""
        ...


class Skipped(Exception):
    """This campaign cannot run here; the message says what is missing."""


def share(values: list[float], part: float) -> float:
    """Return the value below which that part of the values lies; NaN where there are none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")
