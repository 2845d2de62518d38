"""A value that no version writes costs one thing of a list, never the list."""

from typing import Any

from sqlalchemy import select, update

from parley.features.lab.tables import PromptVersionRow, RunRow
from parley.storage.database import Database, Transaction
from parley.storage.tables.presets import PresetRow
from parley.storage.tables.rows import Row
from parley.storage.tables.votes import VoteRow
from tests.api.test_callers import owners_things
from tests.fakes.running import RunningParley

BAD: list[tuple[type[Row], str, Any, str, str]] = [
    (PresetRow, "seats", [1], "/api/presets", "presets"),
    (PresetRow, "seat_settings", {"assistant": 1}, "/api/presets?mode=chat", "presets"),
    (PromptVersionRow, "body", [], "/api/prompts", "prompts"),
    (RunRow, "checks", {"x": 1}, "/api/lab/runs", "runs"),
    (RunRow, "plan", "x", "/api/lab/runs", "runs"),
    (VoteRow, "seats", "x", "/api/votes", "votes"),
    (VoteRow, "kind", "nonsense", "/api/votes", "votes"),
]


async def test_one_bad_row_leaves_the_others_listed(parley: RunningParley) -> None:
    async with owners_things(parley) as things:
        parley.upstream.release()
        saved = {"mode": "chat", "seats": {"assistant": "ada"}, "name": "Another"}
        await parley.post("/api/presets", saved)
        await parley.post("/api/prompts", {"name": "Another", "messages": [{"role": "user", "text": "x"}]})
        await parley.vote((await parley.battle())["match_id"])
        (prompt,), (dataset,) = things["prompt_id"], things["dataset_id"]
        plan = {"versions": [1], "models": ["bob"], "dataset": dataset}
        await parley.post(f"/api/prompts/{prompt}/runs", plan)
        for kind, column, value, path, name in BAD:
            before = (await parley.get(path))[name]
            fine = await swap(parley, kind, column, value)
            assert len((await parley.get(path))[name]) == len(before) - 1, (path, column)
            assert (await parley.client.get("/api/data")).status_code == 200, (path, column)
            await swap(parley, kind, column, fine)


async def swap(parley: RunningParley, kind: type[Row], column: str, value: Any) -> Any:
    """Put a value into the first row of a table; return the one that was there."""

    def write(transaction: Transaction) -> Any:
        key = next(iter(kind.table.primary_key))
        row, before = transaction.execute(
            select(key, kind.table.columns[column]).order_by(key).limit(1)
        ).one()
        transaction.execute(update(kind.table).where(key == row).values({column: value}))
        return before

    return await parley.application[Database].write(write)
