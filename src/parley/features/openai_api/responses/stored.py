"""Stored answers of the Responses API, which later ones can follow."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from parley.features.openai_api.repository import ResponsesRepository
from parley.features.openai_api.responses.answer import ResponseAnswer
from parley.features.openai_api.responses.request import Fields
from parley.features.openai_api.tables import ResponseRow
from parley.kernel.caller import Caller
from parley.kernel.errors import NotFound
from parley.kernel.ports import Clock
from parley.storage.database import Database, Transaction

STORED_FOR = timedelta(days=30)
MOST_EARLIER = 1_000
"""The answers of one conversation that are read."""


class StoredAnswers:
    """Keeps answers for thirty days; a person's are found by nobody else."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def store(self, caller: Caller, answer: ResponseAnswer, items: Sequence[Fields]) -> None:
        """Store an answer with the items that it answers; delete those that are too old."""
        now = datetime.fromtimestamp(self._clock.now(), UTC)
        row = ResponseRow(
            id=answer.id,
            owner_id=caller.person_id,
            previous_id=answer.previous_response_id,
            items={"items": list(items)},
            answer=msgspec.to_builtins(answer),
            created_at=now,
        )

        def write(transaction: Transaction) -> None:
            repository = ResponsesRepository(transaction)
            repository.remove_before(now - STORED_FOR)
            repository.add(row)

        await self._database.write(write)

    async def conversation(self, caller: Caller, response_id: str | None) -> list[Fields]:
        """Return the items up to an answer, with it, the oldest first. Raises NotFound."""

        def read(transaction: Transaction) -> list[ResponseRow]:
            repository, rows, next_id = ResponsesRepository(transaction), list[ResponseRow](), response_id
            while next_id is not None and len(rows) < MOST_EARLIER:
                row = repository.find(caller.person_id, next_id)
                if row is None:
                    raise _gone(next_id)
                rows.append(row)
                next_id = row.previous_id
            return rows

        rows = await self._database.read(read) if response_id is not None else []
        return [item for row in reversed(rows) for item in (*row.items["items"], *row.answer["output"])]

    async def read(self, caller: Caller, response_id: str) -> ResponseAnswer:
        """Return a stored answer. Raises NotFound."""
        row = await self._database.read(
            lambda it: ResponsesRepository(it).find(caller.person_id, response_id)
        )
        if row is None:
            raise _gone(response_id)
        return msgspec.convert(row.answer, ResponseAnswer)

    async def delete(self, caller: Caller, response_id: str) -> None:
        """Delete a stored answer. Raises NotFound."""
        removed = await self._database.write(
            lambda it: ResponsesRepository(it).remove(caller.person_id, response_id)
        )
        if not removed:
            raise _gone(response_id)

    async def count(self, caller: Caller) -> int:
        """Return how many answers of a person are stored."""
        return await self._database.read(lambda it: ResponsesRepository(it).count(caller.person_id))

    async def all(self, caller: Caller) -> AsyncIterator[ResponseAnswer]:
        """Yield every stored answer of a person."""
        rows = await self._database.read(lambda it: ResponsesRepository(it).all(caller.person_id))
        for row in rows:
            yield msgspec.convert(row.answer, ResponseAnswer)

    async def erase(self, caller: Caller) -> int:
        """Delete every stored answer of a person; return how many there were."""
        return await self._database.write(lambda it: ResponsesRepository(it).remove_all(caller.person_id))


def _gone(response_id: str) -> NotFound:
    return NotFound(
        f"There is no stored answer “{response_id}”.",
        "Answers are stored for thirty days, unless “store” is false. Send the whole conversation as input.",
        code="response_not_found",
    )
