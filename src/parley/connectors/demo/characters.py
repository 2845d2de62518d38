"""The demo's characters: what tells them apart is style, speed, and what they can do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.styles.manner import Manner
from parley.connectors.demo.styles.poetic import poetic
from parley.connectors.demo.styles.reflective import reflective
from parley.connectors.demo.styles.sceptical import sceptical
from parley.connectors.demo.styles.socratic import socratic
from parley.connectors.demo.styles.terse import terse
from parley.connectors.demo.styles.thorough import thorough
from parley.connectors.demo.styles.tutor import tutor

Style: TypeAlias = Callable[[Finding, Manner], str]


@dataclass(frozen=True)
class Character:
    """A demo model. `name` is for the catalog and never said; `lacks` names skills that it does not have."""

    id: str
    name: str
    style: Style
    tokens_per_second: float
    first_token_s: float
    thinks_aloud: bool = False
    lacks: frozenset[str] = frozenset()


CHARACTERS: dict[str, Character] = {
    character.id: character
    for character in (
        Character(
            "demo-ada",
            "Ada",
            thorough,
            80,
            0.5,
            thinks_aloud=True,
        ),
        Character("demo-pico", "Pico", terse, 180, 0.1),
        Character("demo-lyra", "Lyra", poetic, 45, 0.6),
        Character("demo-maieu", "Maieu", socratic, 60, 0.35),
        Character("demo-vera", "Vera", sceptical, 95, 0.8, thinks_aloud=True),
        Character("demo-tilo", "Tilo", tutor, 120, 0.25),
        Character("demo-echo", "Echo", reflective, 35, 0.4),
    )
}
"""The characters by model id."""
