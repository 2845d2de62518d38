"""The skills of the demo characters: each tries to answer a question by a real computation or a look-up."""

import random
from collections.abc import Callable
from typing import TypeAlias

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.arithmetic import arithmetic
from parley.connectors.demo.skills.units import units

Skill: TypeAlias = Callable[[Question, random.Random], Finding | None]

SKILLS: dict[str, Skill] = {
    "units": units,
    "arithmetic": arithmetic,
}
"""All skills, the most particular first: the first that recognises a question answers it."""
