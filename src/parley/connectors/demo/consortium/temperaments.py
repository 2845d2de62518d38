"""How each character takes part in a consortium: what it puts first, how sure it is, how much it says."""

import re
from dataclasses import dataclass, replace

from parley.connectors.demo.consortium.decisions import Temper
from parley.connectors.demo.consortium.topic import STANCES, Stance


@dataclass(frozen=True)
class Temperament:
    """A character's part: its points of view by importance, and how far its confidence lies from the usual.

    `says`: how many rules of thumb it names at first; `most`: how many sentences it ever says; `brief`: it leaves
    the reasons out. `firm`: it gives way in a decision only when it is asked a second time.
    """

    stances: tuple[Stance, ...]
    temper: Temper
    shift: float
    says: int
    most: int
    brief: bool = False
    firm: bool = False


_USUAL = Temperament(STANCES, "careful", 0.0, 2, 6)
_TEMPERAMENTS: dict[str, Temperament] = {
    "demo-ada": Temperament(("order", "risk", "goal", "learn"), "careful", 0.02, 3, 7),
    "demo-pico": Temperament(("speed", "order"), "bold", 0.05, 2, 4, brief=True),
    "demo-lyra": Temperament(("people", "learn", "goal"), "kind", -0.02, 2, 5, firm=True),
    "demo-maieu": Temperament(("goal", "risk", "people"), "careful", -0.05, 2, 5),
    "demo-vera": Temperament(("risk", "goal", "learn"), "careful", -0.12, 2, 6, firm=True),
    "demo-tilo": Temperament(("learn", "order", "speed"), "bold", 0.0, 2, 6),
    "demo-echo": Temperament(("people", "goal", "learn"), "kind", -0.04, 1, 5),
}
_ROLES: tuple[tuple[str, Stance, float], ...] = (
    (r"devil|advocat\w* of the devil|critic|sceptic|skeptic|red team", "risk", -0.08),
    (r"fact.?check|verif\w+|evidence|sources?\b.{0,20}check", "risk", -0.04),
    (r"generat\w+|creativ\w+|idea|brainstorm", "speed", 0.02),
    (r"strateg\w+|plann?er|architect", "order", 0.0),
    (r"user|customer|ethic\w*|empath\w*|stakeholder", "people", 0.0),
    (r"teacher|tutor|mentor|example", "learn", 0.0),
)


def as_wished(usual: Temperament, follow_up: str | None) -> Temperament:
    """Return the temperament for a question such as “shorter”: one that says less, or more."""
    if follow_up == "shorter":
        return replace(usual, says=1, most=2, brief=True)
    return (
        replace(usual, says=usual.says + 1, most=usual.most + 2, brief=False)
        if follow_up == "longer"
        else usual
    )


def temperament_of(character_id: str, role: str) -> Temperament:
    """Return a character's temperament; a role that it was given moves its point of view to the front."""
    usual = _TEMPERAMENTS.get(character_id, _USUAL)
    for pattern, stance, shift in _ROLES:
        if role and re.search(pattern, role, re.IGNORECASE):
            stances = (stance, *(other for other in usual.stances if other != stance))
            return replace(usual, stances=stances, shift=usual.shift + shift)
    return usual
