"""Each measure's table equals sums that plain SQL makes of the rows beneath, and no measure is left out."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from parley.features.usage.folding import Folding
from parley.storage.database import Database
from tests.fakes.consortium_talk import SEATS, arbiter, member
from tests.fakes.running import RunningParley, a_running_parley

MODELS = ("ada", "bob", "cid", "judge")
NOTES = "SELECT json_extract(data, '$.note.data.{}') FROM turn_events WHERE json_extract(data, '$.note.name') = '{}'"

SUMS: dict[str, tuple[str, str]] = {
    "cost": (
        "model",
        "SELECT model_id, SUM(COALESCE(cost_micros, 0)), SUM(cost_micros IS NULL) {calls} GROUP BY 1",
    ),
    "requests": ("mode", "SELECT COALESCE(mode, ''), COUNT(*) {calls} GROUP BY 1"),
    "tokens": (
        "model",
        (
            "SELECT model_id, SUM(input_tokens - cached_tokens), SUM(cached_tokens), "
            "SUM(output_tokens - reasoning_tokens), SUM(reasoning_tokens) {calls} GROUP BY 1"
        ),
    ),
    "errors": (
        "model",
        (
            "SELECT model_id, AVG(outcome = 'failed'), SUM(outcome = 'failed'), SUM(outcome = 'refused'), COUNT(*) "
            "{calls} GROUP BY 1"
        ),
    ),
    "cache": (
        "model",
        (
            "SELECT model_id, AVG(from_cache), SUM(cached_tokens) * 1.0 / SUM(input_tokens), SUM(from_cache), "
            "SUM(cached_tokens) {calls} GROUP BY 1"
        ),
    ),
    "win_rate": (
        "model",
        (
            "SELECT model, AVG(score), SUM(score = 1), SUM(score = 0.5), SUM(score = 0), COUNT(*) FROM ("
            "SELECT left_model_id AS model, CASE choice WHEN 'left' THEN 1 WHEN 'right' THEN 0 ELSE 0.5 END AS score "
            "FROM votes WHERE kind = 'blind' AND counted UNION ALL "
            "SELECT right_model_id, CASE choice WHEN 'right' THEN 1 WHEN 'left' THEN 0 ELSE 0.5 END "
            "FROM votes WHERE kind = 'blind' AND counted) GROUP BY 1"
        ),
    ),
    "turns": (
        "mode",
        (
            "SELECT mode, COUNT(*), COUNT(DISTINCT author_id), COUNT(DISTINCT turns.session_id) FROM turns "
            "JOIN matches ON matches.id = match_id GROUP BY 1"
        ),
    ),
}
"""By measure: a group, and SQL with the same columns as its rows. {calls}: the folded requests."""
TOTALS: dict[str, dict[str, str]] = {
    "first_token": {
        "replies": "SELECT COUNT(first_token_ms) {calls} AND outcome = 'completed' AND NOT from_cache"
    },
    "duration": {"replies": "SELECT COUNT(*) {calls} AND outcome = 'completed' AND NOT from_cache"},
    "engagement": {
        "people": "SELECT COUNT(DISTINCT author_id) FROM turns",
        "sessions": "SELECT COUNT(*) FROM sessions",
        "turns": "SELECT COUNT(*) * 1.0 / COUNT(DISTINCT session_id) FROM turns",
        "voted": "SELECT (SELECT COUNT(*) FROM votes) * 1.0 / COUNT(*) FROM matches WHERE mode = 'battle'",
    },
    "consortium": {
        "turns": "SELECT COUNT(*) FROM turns JOIN matches ON matches.id = match_id WHERE mode = 'consortium'",
        "rounds": NOTES.format("metadata.iteration_count", "consortium.result/1"),
        "confidence": NOTES.format("synthesis.confidence", "consortium.result/1"),
        "settled": NOTES.format("settled", "consortium.result/1"),
    },
    "team": {
        "turns": "SELECT COUNT(*) FROM turns JOIN matches ON matches.id = match_id WHERE mode = 'team'",
        "rounds": NOTES.format("done", "team.round/1") + " ORDER BY seq DESC",
        "cost_micros": NOTES.format("spent.cost_micros", "team.round/1") + " ORDER BY seq DESC",
    },
    "routing": {
        "questions": "SELECT COUNT(*) FROM auto_decisions",
        "arena": "SELECT AVG(mode = 'battle') FROM auto_decisions JOIN turns ON turns.id = turn_id "
        "JOIN matches ON matches.id = match_id",
    },
}
"""By measure: SQL of single figures of its total, where its rows are no plain sums."""
CALLS = "FROM calls WHERE provider_id IS NOT NULL"


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, models=MODELS) as running:
        yield running


async def used(parley: RunningParley) -> None:
    """Use every mode, with a failure, a tie and a question to Auto."""
    upstream = parley.upstream
    for model in ("ada", "bob"):
        await parley.chat(model=model)
    await parley.chat(model="auto")
    for choice in ("left", "right", "tie"):
        await parley.vote((await parley.battle(f"Is it {choice}?"))["match_id"], choice)
    for model in ("ada", "bob", "cid"):
        upstream.reply(member("Paris.", 0.9), model=model)
    upstream.reply(arbiter("Paris.", 0.95), model="judge")
    await parley.post("/api/sessions", {"prompt": "Which city?", "mode": "consortium", "seats": SEATS})
    body = {"prompt": "Tea or coffee?", "mode": "team", "seats": {"a": "ada", "b": "bob", "c": "cid"}}
    await parley.post("/api/sessions", {**body, "brief": {"rounds": 1}})
    upstream.fail(401, model="judge")
    await parley.chat(model="judge")
    await parley.application[Folding].fold()


async def rows_of(parley: RunningParley, query: str) -> list[tuple[Any, ...]]:
    statement = text(query.format(calls=CALLS))
    return await parley.application[Database].read(lambda db: [tuple(row) for row in db.execute(statement)])


@pytest.mark.slow
async def test_every_measure_equals_plain_sums(parley: RunningParley) -> None:
    await used(parley)
    measures = [each["name"] for each in (await parley.get("/api/analytics"))["measures"]]
    assert sorted(measures) == sorted((*SUMS, *TOTALS))
    for measure, (by, query) in SUMS.items():
        table = await parley.get(f"/api/usage?measure={measure}&by={by}&of=installation")
        expected = await rows_of(parley, query)
        assert len(expected) > 1, measure
        shown = {row[0] or "": row[1:] for row in table["rows"]}
        assert shown == {row[0]: pytest.approx(list(row[1:])) for row in expected}, measure
    for measure, figures in TOTALS.items():
        table = await parley.get(f"/api/usage?measure={measure}&of=installation")
        total = {value["name"]: table["total"][place] for place, value in enumerate(table["values"])}
        for name, query in figures.items():
            assert total[name] == pytest.approx((await rows_of(parley, query))[0][0]), (measure, name)
