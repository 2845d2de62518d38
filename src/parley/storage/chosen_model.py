"""The model at a seat of a vote, as SQL; none for a choice that is not a seat."""

from typing import Any

from sqlalchemy import ColumnElement, Text, case
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import GenericFunction

from parley.storage.tables.votes import VoteRow

_VOTE = VoteRow.c
_SIDED = ("left", "right", "tie", "both_bad")


class seated_model(GenericFunction[str | None]):  # noqa: N801 - a function of SQL
    """`seated_model(seats, name)`: the text under a name of a JSON object, or null."""

    type = Text()
    inherit_cache = True


@compiles(seated_model, "sqlite")
def _on_sqlite(element: Any, compiler: Any, **more: Any) -> str:
    seats, name = (compiler.process(clause, **more) for clause in element.clauses)
    return f"json_extract({seats}, '$.\"' || {name} || '\"')"


@compiles(seated_model, "postgresql")
def _on_postgresql(element: Any, compiler: Any, **more: Any) -> str:
    seats, name = (compiler.process(clause, **more) for clause in element.clauses)
    return f"jsonb_extract_path_text({seats}, {name})"


def chosen_model() -> ColumnElement[str | None]:
    """Return the model that a vote preferred; null if it was a tie."""
    sides = {"left": _VOTE.left_model_id, "right": _VOTE.right_model_id}
    return case(
        (_VOTE.seats.is_not(None), seated_model(_VOTE.seats, _VOTE.choice)),
        *((_VOTE.choice == side, model) for side, model in sides.items()),
    )


def sided_choice() -> ColumnElement[str]:
    """Return a vote between two seats as left, right, tie or both_bad, whatever the names of its seats.

    Nearly all votes have these words already.
    """
    chosen = chosen_model()
    side = case(
        (chosen == _VOTE.left_model_id, "left"), (chosen == _VOTE.right_model_id, "right"), else_="tie"
    )
    return case((_VOTE.choice.in_(_SIDED), _VOTE.choice), else_=side)
