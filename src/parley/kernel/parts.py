"""The parts of a running Parley, each found by its type."""

from typing import Any, TypeVar

T = TypeVar("T")


class Parts:
    """Settings, database, engine and the services that features have built from them.

        parts[TemplatesService]

    A part is found by its own class, or by a base class that no other part has, such as the port that it implements.
    """

    def __init__(self, *parts: object) -> None:
        self._parts: dict[type[Any], object] = {}
        self.add(*parts)

    def add(self, *parts: object) -> None:
        """Add parts. Raises TypeError if there is one of the same class already."""
        for part in parts:
            if type(part) in self._parts:
                raise TypeError(f"there are two parts of {type(part).__name__}")
            self._parts[type(part)] = part

    def __getitem__(self, kind: type[T], /) -> T:
        """Return the part of a class. Raises LookupError if there is none yet, or not one alone."""
        part = self._parts.get(kind)
        if isinstance(part, kind):
            return part
        candidates = [each for each in self._parts.values() if isinstance(each, kind)]
        if len(candidates) != 1:
            raise LookupError(f"there are {len(candidates)} parts of {kind.__name__}")
        self._parts[kind] = candidates[0]
        return candidates[0]
