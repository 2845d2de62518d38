"""The skills of the demo characters: each tries to answer a question by a real computation or a look-up."""

import random
from collections.abc import Callable
from typing import TypeAlias

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.arithmetic import arithmetic
from parley.connectors.demo.skills.comparison import comparison
from parley.connectors.demo.skills.dates import dates
from parley.connectors.demo.skills.drafts import drafts
from parley.connectors.demo.skills.facts import facts
from parley.connectors.demo.skills.glossary import glossary
from parley.connectors.demo.skills.integers import integers
from parley.connectors.demo.skills.lists import lists
from parley.connectors.demo.skills.mirror import mirror
from parley.connectors.demo.skills.programs import programs
from parley.connectors.demo.skills.prose import long_text, prose
from parley.connectors.demo.skills.rates import rates
from parley.connectors.demo.skills.units import units
from parley.connectors.demo.skills.verse import verse
from parley.connectors.demo.skills.wordplay import wordplay

Skill: TypeAlias = Callable[[Question, random.Random], Finding | None]

SKILLS: dict[str, Skill] = {
    "verse": verse,
    "programs": programs,
    "comparison": comparison,
    "wordplay": wordplay,
    "units": units,
    "dates": dates,
    "integers": integers,
    "prose": prose,
    "lists": lists,
    "rates": rates,
    "facts": facts,
    "arithmetic": arithmetic,
    "glossary": glossary,
    "drafts": drafts,
    "mirror": mirror,
    "long_text": long_text,
}
"""All skills, the most particular first: the first that recognises a question answers it."""
