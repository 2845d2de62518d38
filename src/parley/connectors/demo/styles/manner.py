"""How an answer is wanted this time, whatever the style."""

import random
from dataclasses import dataclass
from typing import Literal

from parley.connectors.demo.question import Question

Size = Literal["short", "usual", "long"]


@dataclass(frozen=True)
class Manner:
    """The wishes that a follow-up expresses, and the chance that a style may use.

    `explain`: the person asked why; `doubt`: the person asked whether it is right.
    """

    question: Question
    rng: random.Random
    size: Size = "usual"
    explain: bool = False
    doubt: bool = False
    example: bool = False
    as_table: bool = False

    def pick(self, *choices: str) -> str:
        """Return one of the choices."""
        return self.rng.choice(choices)
