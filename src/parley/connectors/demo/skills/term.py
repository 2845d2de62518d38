"""An entry of the glossary."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Term:
    """A term: what it means in one or two sentences, two things worth knowing, an example, and a pitfall."""

    name: str
    aliases: tuple[str, ...]
    meaning: str
    points: tuple[str, ...]
    example: str
    caveat: str
    check: str
    related: tuple[str, ...] = ()
