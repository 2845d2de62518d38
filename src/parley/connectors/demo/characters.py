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
    """A demo model. `manner` completes "I am …: "; `lacks` names skills that it does not have."""

    id: str
    name: str
    manner: str
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
            "thorough, with headings, steps and tables",
            thorough,
            80,
            0.5,
            thinks_aloud=True,
        ),
        Character("demo-pico", "Pico", "as terse as can be, and quick to round", terse, 180, 0.1),
        Character("demo-lyra", "Lyra", "given to verse, but exact in it", poetic, 45, 0.6),
        Character("demo-maieu", "Maieu", "more fond of questions than of answers", socratic, 60, 0.35),
        Character(
            "demo-vera", "Vera", "a sceptic, of its own answers first", sceptical, 95, 0.8, thinks_aloud=True
        ),
        Character("demo-tilo", "Tilo", "a friendly tutor in plain words", tutor, 120, 0.25),
        Character("demo-echo", "Echo", "a listener that gives your words back", reflective, 35, 0.4),
    )
}
"""The characters by model id."""
