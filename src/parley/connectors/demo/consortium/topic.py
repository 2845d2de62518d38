"""An entry of the rules of thumb: what six points of view say on one topic."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Stance: TypeAlias = Literal["goal", "order", "speed", "people", "risk", "learn"]
STANCES: tuple[Stance, ...] = ("goal", "order", "speed", "people", "risk", "learn")
"""The points of view, in the order in which a topic's rules stand."""
Tongue: TypeAlias = Literal["en", "de", "fr"]


@dataclass(frozen=True)
class Topic:
    """Rules of thumb on a topic; `pattern` finds it in a prompt, and each rule reads "what to do: why".

    A topic that is general fits any prompt of its kind; its rules say something of method, not of the subject.
    """

    name: str
    pattern: str
    rules: tuple[str, str, str, str, str, str]
    general: bool = False

    def rule(self, stance: Stance) -> str:
        """Return what one point of view says."""
        return self.rules[STANCES.index(stance)]
