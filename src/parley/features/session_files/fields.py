"""Fields of a file that another program wrote: what has another type than expected counts as left out."""

from typing import TypeAlias, cast

Table: TypeAlias = dict[str, object]


def table(value: object) -> Table:
    """Return an object's fields; none if it is something else."""
    return cast("Table", value) if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """Return a list's items; none if it is something else."""
    return cast("list[object]", value) if isinstance(value, list) else []


def text(value: object) -> str:
    """Return a text; empty if it is something else."""
    return value if isinstance(value, str) else ""


def word(value: object) -> str:
    """Return a word of another program's vocabulary, in small letters; empty if it is something else."""
    return text(value).strip().lower()


def identifier(value: object) -> str:
    """Return an id, which may be a number in the file; empty if it is something else."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else text(value)
