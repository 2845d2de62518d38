"""The column type of features of style by side, in a fifth of the space of their JSON."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import TypeDecorator
from sqlalchemy.engine import Dialect

from parley.storage.tables.rows import OptionalJson

SIDES = ("left", "right")
FEATURES = ("tokens", "headers", "lists", "bold")
"""The order of numbers in the database; it may only grow at its end."""

_KEYS = set(FEATURES)


def packed_style(style: Mapping[str, Any]) -> Sequence[Any] | Mapping[str, Any]:
    """Return the numbers of the left side, then of the right one; any other object as it is."""
    if set(style) != set(SIDES) or any(set(style[side]) != _KEYS for side in SIDES):
        return style
    return [style[side][name] for side in SIDES for name in FEATURES]


def unpacked_style(stored: object) -> dict[str, Any] | None:
    """Return a style by side and feature, from its numbers or from JSON as it was stored before."""
    if isinstance(stored, list) and len(numbers := cast("list[object]", stored)) == len(SIDES) * len(
        FEATURES
    ):
        half = len(FEATURES)
        return {
            "left": dict(zip(FEATURES, numbers[:half], strict=True)),
            "right": dict(zip(FEATURES, numbers[half:], strict=True)),
        }
    return cast("dict[str, Any] | None", stored)


class StyleOfSides(TypeDecorator[dict[str, Any]]):
    """Features of style by side, stored as a list of numbers."""

    impl = OptionalJson
    cache_ok = True

    def process_bind_param(self, value: dict[str, Any] | None, dialect: Dialect) -> Any:  # noqa: ARG002
        """Pack."""
        return None if value is None else packed_style(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> dict[str, Any] | None:  # noqa: ARG002
        """Unpack."""
        return unpacked_style(value)
