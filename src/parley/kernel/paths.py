"""Paths: within which replies a reply was given; "" for replies of the turn's own mode."""

MOST_DEPTH = 2
"""The deepest nesting of ensembles."""


def inside(path: str, seat: str, number: int, purpose: str) -> str:
    """Return the path of the inner replies of a step."""
    step = f"{seat}.{number}.{purpose}"
    return f"{path}/{step}" if path else step


def is_within(path: str, other: str) -> bool:
    """Return whether a path equals another or lies within it."""
    return path == other or path.startswith(f"{other}/")


def depth(path: str) -> int:
    """Return how many ensembles a path lies within."""
    return path.count("/") + 1 if path else 0


def outer_seat(path: str) -> str:
    """Return the seat of the turn's own match to which an inner path belongs."""
    return path.split("/", 1)[0].split(".", 1)[0]
