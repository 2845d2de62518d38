"""Usage over HTTP: calls folded by the hour, blind matches, filters, CSV, and every figure against SQL's own sum."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import text

from parley.features.usage.folding import Folding
from parley.features.usage.measure import month_of
from parley.kernel.ids import ordered_id, random_id
from parley.storage.database import Database
from parley.storage.tables.bookkeeping import CallRow
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley

HOUR_S, DAY_S = 3_600, 86_400


def a_call(started_at: float, **values: Any) -> CallRow:
    row = CallRow(
        id=ordered_id(),
        call_id=random_id(),
        started_at=datetime.fromtimestamp(started_at, UTC),
        owner_id="someone",
        space_id="someone",
        key_id=None,
        purpose="reply",
        mode="chat",
        turn_id=None,
        reply_id=None,
        attempt=1,
        model_id="ada",
        provider_id="near",
        outcome="completed",
        code=None,
        first_token_ms=100,
        duration_ms=1_000,
        input_tokens=100,
        output_tokens=50,
        reasoning_tokens=20,
        cached_tokens=40,
        cost_micros=7,
        estimated=False,
        from_cache=False,
    )
    for name, value in values.items():
        setattr(row, name, value)
    return row


async def record(parley: RunningParley, *rows: CallRow) -> None:
    await parley.application[Database].write(lambda transaction: transaction.insert(*rows))


async def fold(parley: RunningParley) -> int:
    return await parley.application[Folding].fold()


async def usage(parley: RunningParley, measure: str, by: str = "", **more: str) -> Any:
    query = "&".join(f"{name}={value}" for name, value in {"of": "installation", **more}.items())
    return await parley.get(f"/api/usage?measure={measure}&by={by}&{query}")


async def sum_of(parley: RunningParley, expression: str) -> Any:
    query = text(f"SELECT {expression} FROM calls")
    return await parley.application[Database].read(lambda db: db.scalar(query))


@ON_EVERY_KIND
async def test_every_figure_equals_the_sum_over_the_calls(parley: RunningParley) -> None:
    now = time.time()
    await record(
        parley,
        *(
            a_call(
                now - number * 7 * HOUR_S,
                model_id=("ada", "bob", "cleo")[number % 3],
                outcome="failed" if number % 5 == 0 else "completed",
                cost_micros=None if number % 4 == 0 else number * 10,
                from_cache=number % 6 == 0,
            )
            for number in range(60)
        ),
    )
    await fold(parley)
    cost = await usage(parley, "cost", "day,model")
    assert sum(row[2] for row in cost["rows"]) == cost["total"][0] == await sum_of(parley, "SUM(cost_micros)")
    assert cost["total"][1] == 15
    tokens = await usage(parley, "tokens", "day")
    assert [sum(row[place] for row in tokens["rows"]) for place in (1, 2, 3, 4)] == tokens["total"]
    assert tokens["total"] == [60 * 60, 60 * 40, 60 * 30, 60 * 20]
    errors = await usage(parley, "errors", "model")
    assert sum(row[2] for row in errors["rows"]) == errors["total"][1] == 12
    assert errors["total"][0] == 12 / 60
    first = await usage(parley, "first_token", "hour")
    assert first["total"][2] == sum(row[3] for row in first["rows"]) == 60 - 12 - 8
    assert 85 <= first["total"][0] <= 120


@ON_EVERY_KIND
@pytest.mark.slow
async def test_days_of_people_have_the_sums_of_their_hours(parley: RunningParley) -> None:
    now = time.time()
    await record(
        parley,
        *(
            a_call(
                now - number * 5 * HOUR_S,
                owner_id=("ana", "ben", "eve")[number % 3],
                space_id=("lab", "ana")[number % 2],
                key_id="k" if number % 7 == 0 else None,
                model_id=("ada", "bob")[number % 2],
                outcome="failed" if number % 5 == 0 else "completed",
                cost_micros=number,
                first_token_ms=100 + number,
            )
            for number in range(40)
        ),
    )
    await fold(parley)
    before: list[Any] = []
    for _ in range(2):
        cost = await usage(parley, "cost", "person,workspace")
        by_model = await usage(parley, "cost", "person,workspace,model")
        summed: dict[tuple[Any, ...], int] = {}
        for *keys, _model, micros, _unpriced in by_model["rows"]:
            summed[tuple(keys)] = summed.get(tuple(keys), 0) + micros
        assert {tuple(row[:2]): row[2] for row in cost["rows"]} == summed
        first = (await usage(parley, "first_token", "day,person"))["rows"]
        assert sum(row[-1] for row in first) == 32
        before = before or first
        assert first == before
        # A database of an earlier version has no such days: the first folding makes them.
        await parley.application[Database].write(
            lambda db: db.execute(text("DELETE FROM usage_hours WHERE grain = 'who'"))
        )
        parley.application[Folding].folded_at = 0.0
        await fold(parley)


@ON_EVERY_KIND
async def test_months_of_people_that_are_over_are_summed_and_stay_right(parley: RunningParley) -> None:
    """A range of parts of months and of whole ones, late calls, and a month without its sums."""
    now = time.time()
    calls = [
        a_call(now - number * 11 * DAY_S, owner_id=("ana", "ben")[number % 2], cost_micros=1 << (number % 20))
        for number in range(11)
    ]
    await record(parley, *calls)
    await fold(parley)
    month, end = month_of(month_of(int(now))[0] - 1)
    await record(parley, a_call(month + DAY_S, owner_id="ana", cost_micros=5))
    await fold(parley)
    start, today = month - 9 * DAY_S, int(now)
    for _ in range(2):
        for first, last in ((start, end), (start, end - DAY_S), (month, end), (start, today)):
            span = {"from": _iso(first), "to": _iso(last)}
            summed: dict[str, int] = {}
            for _, person, micros, _unpriced in (await usage(parley, "cost", "day,person", **span))["rows"]:
                summed[person] = summed.get(person, 0) + micros
            rows = (await usage(parley, "cost", "person", **span))["rows"]
            assert {person: micros for person, micros, _ in rows} == summed
        assert await months(parley) >= 3
        # A process that is killed between a day and its month leaves the days alone; the next start sums them.
        await parley.application[Database].write(
            lambda db: db.execute(text("DELETE FROM usage_hours WHERE grain = 'mon'"))
        )
        assert (await usage(parley, "cost", "person", **span))["rows"] == rows
        parley.application[Folding]._month = 0
        await fold(parley)


def _iso(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


async def months(parley: RunningParley) -> int:
    """Return how many months have sums."""
    query = text("SELECT count(DISTINCT start) FROM usage_hours WHERE grain = 'mon'")
    return await parley.application[Database].read(lambda db: db.scalar(query) or 0)


@ON_EVERY_KIND
async def test_folding_again_and_late_rows_change_nothing_else(parley: RunningParley) -> None:
    now = time.time()
    late = a_call(now - 3 * HOUR_S, cost_micros=1)
    await record(parley, a_call(now, cost_micros=2))
    assert await fold(parley) == 1
    await record(parley, late)  # its id is before the latest folded one
    await fold(parley)
    await fold(parley)
    assert (await usage(parley, "cost", "model"))["rows"] == [["ada", 3, 0]]
    assert (await usage(parley, "requests", "hour"))["total"] == [2]


async def test_a_blind_match_counts_after_its_vote(parley: RunningParley) -> None:
    battle = await parley.battle("Which one?")
    await fold(parley)
    hidden = await usage(parley, "requests", "model")
    assert (hidden["rows"], hidden["total"]) == ([], [0])
    await parley.vote(battle["match_id"], "left")
    await fold(parley)
    shown = await usage(parley, "requests", "model")
    assert shown["total"] == [2]
    mine = await parley.get("/api/usage?measure=win_rate&by=model")
    assert sorted(row[1] for row in mine["rows"]) == [0.0, 1.0]


async def test_a_blind_match_without_a_vote_counts_a_day_late_without_its_models(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    await parley.battle("Which one?")
    await fold(parley)
    later = time.time() + 30 * HOUR_S
    folding = parley.application[Folding]
    monkeypatch.setattr(folding._clock, "now", lambda: later)
    await folding.fold()
    table = await usage(parley, "requests", "model,person,status")
    assert table["rows"] == [["", "", "", 2]]


async def test_csv_has_the_same_rows_and_no_formulas(parley: RunningParley) -> None:
    await record(parley, a_call(time.time(), model_id="=1+1"))
    await fold(parley)
    url = "/api/usage?measure=cost&by=model&of=installation"
    answer = await parley.client.get(url, headers={"accept": "text/csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.text.splitlines() == ["model,cost_micros,unpriced", "'=1+1,7,0"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("measure=costs", "measure"),
        ("measure=cost&by=colour", "by"),
        ("measure=cost&by=day,day", "by"),
        ("measure=cost&where=colour:red", "where"),
        ("measure=cost&from=yesterday", "from"),
        ("measure=cost&from=2026-02-01&to=2026-01-01", "to"),
        ("measure=cost&from=1990-01-01", "to"),
    ],
)
async def test_what_cannot_be_answered_is_refused_by_its_field(
    parley: RunningParley, query: str, field: str
) -> None:
    answer = await parley.client.get(f"/api/usage?{query}")
    assert (answer.status_code, answer.json()["field"]) == (422, field)


@ON_EVERY_KIND
async def test_deleting_everything_leaves_the_sums_without_the_person(parley: RunningParley) -> None:
    me = await parley.application[Database].read(lambda db: db.scalar(text("SELECT id FROM users")))
    await record(parley, a_call(time.time(), owner_id=me, space_id=me))
    await fold(parley)
    assert (await parley.get("/api/usage?measure=cost"))["total"] == [7, 0]
    assert (await parley.client.delete("/api/data?confirm=delete")).status_code == 200
    for _ in range(2):
        assert (await parley.get("/api/usage?measure=cost"))["total"] == [0, 0]
        assert (await usage(parley, "cost"))["total"] == [7, 0]
        assert await fold(parley) == 1
    assert await sum_of(parley, "MAX(owner_id)") == ""


async def test_every_measure_answers_in_every_group_it_names(parley: RunningParley) -> None:
    turn = await parley.battle("Which one?")
    await parley.vote(turn["match_id"], "tie")
    await fold(parley)
    for measure in (await parley.get("/api/analytics"))["measures"]:
        for by in ("", *measure["by"]):
            table = await usage(parley, measure["name"], by)
            for row in table["rows"]:
                assert len(row) == bool(by) + len(table["values"]), measure["name"]
