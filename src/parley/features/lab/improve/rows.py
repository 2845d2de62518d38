"""Rows that the search may see, and those held out, which no function of the search can take."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from parley.kernel.errors import Invalid

Texts = Mapping[str, str]
"""The texts of a prompt that the search may change, by the name of their place."""


class OpenRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row for training or validation."""

    id: str
    values: Mapping[str, object]
    expected: str | None = None


class SealedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row held out. It is another type than OpenRow on purpose: nothing of the search takes it."""

    id: str
    values: Mapping[str, object]
    expected: str | None = None


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """A model's output for a row, its score from 0 to 1, and what a reflecting model is told of it."""

    score: float
    output: str
    feedback: str = ""


class Evaluate(Protocol):
    """Asks the model with these texts and one row, and checks the answer. A failed call is a score of 0."""

    def __call__(self, texts: Texts, row: OpenRow | SealedRow, /) -> Awaitable[Scored]:
        """Return the scored output."""
        ...


class HoldOut:
    """The rows held out: they can be counted, compared with others, and measured at the very end."""

    def __init__(self, rows: Iterable[SealedRow]) -> None:
        self.__rows = tuple(rows)

    def __len__(self) -> int:
        return len(self.__rows)

    def __repr__(self) -> str:
        return f"HoldOut({len(self.__rows)} rows)"

    def refuse_leaks(self, rows: Sequence[OpenRow]) -> None:
        """Raise Invalid if a row that the search may see has the values of one held out."""
        sealed = {_digest(row.values) for row in self.__rows}
        leaks = [row for row in rows if _digest(row.values) in sealed]
        if leaks:
            raise Invalid(
                "rows",
                f"{len(leaks)} of the rows for training and validation are held out as well.",
                "Nothing was sent. Give each row one split only, and remove copies.",
                code="rows_leaked",
            )

    async def measure(
        self, texts: Texts, evaluate: Evaluate, done: Callable[[], None] = lambda: None
    ) -> list[float]:
        """Return the scores of a prompt, row by row, and nothing else of the rows."""
        from asyncio import TaskGroup

        async def score(row: SealedRow) -> float:
            scored = await evaluate(texts, row)
            done()
            return scored.score

        async with TaskGroup() as group:
            tasks = [group.create_task(score(row)) for row in self.__rows]
        return [task.result() for task in tasks]


def _digest(values: Mapping[str, object]) -> str:
    return hashlib.sha256(msgspec.json.encode(values, order="sorted")).hexdigest()
