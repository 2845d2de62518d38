"""Paths: where in a turn a reply within an ensemble belongs. The replies of the turn's own mode have the path ""."""

MOST_DEPTH = 2
"""How deep ensembles may sit within each other."""


def inside(path: str, seat: str, number: int, purpose: str) -> str:
    """Return the path of the replies within the reply of a step: its round and so on, "/" after "/"."""
    step = f"{seat}.{number}.{purpose}"
    return f"{path}/{step}" if path else step


def is_within(path: str, other: str) -> bool:
    """Return whether a path is another one or lies within it."""
    return path == other or path.startswith(f"{other}/")


def depth(path: str) -> int:
    """Return within how many ensembles a reply was given."""
    return path.count("/") + 1 if path else 0


def outer_seat(path: str) -> str:
    """Return the seat of the turn's own match within whose reply a reply was given."""
    return path.split("/", 1)[0].split(".", 1)[0]
