"""Tests of the leaderboard over HTTP: a vote moves it, and it says what it is made of."""

import asyncio
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import product
from typing import Any

import msgspec
import pytest

from parley.features.standings import health_schemas, schemas, views
from parley.features.standings.recount import confirm_elo
from parley.features.standings.repository import StandingsRepository
from parley.features.standings.runtime import StandingsRuntime
from parley.features.standings.views import cell_view
from parley.ratings.integrity import Flag
from parley.storage.database import Database
from tests.fakes.ballot_box import BallotBox, standings_of
from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import EventStream, RunningParley


async def counted(parley: RunningParley, number: int = 60, **given: Any) -> None:
    """Put votes into the database and wait until they are in the table."""
    await BallotBox(models=("ada", "bob", "cleo")).cast(parley.application[Database], number, **given)
    parley.application[StandingsRuntime].wake()
    await settled(parley)


def without_top_voter(lines: list[Any]) -> list[Any]:
    """Return lines without what is known only after the next replay."""
    return [{**line, "top_voter": None} for line in lines]


async def settled(parley: RunningParley) -> None:
    """Wait until all votes are counted, and until what is stored is shown: that comes a moment later."""
    await table_where(parley, "", lambda table: table["worker"]["pending"] == 0)
    await parley.application[StandingsRuntime].worker.run(
        due=False
    )  # waits for one that runs: voters are examined then
    stored = await parley.application[Database].read(lambda session: StandingsRepository(session).version())
    await table_where(parley, "", lambda table: table["version"] >= stored)


async def table_where(parley: RunningParley, asked: str, holds: Callable[[Any], bool]) -> Any:
    """Return the table once something holds of it."""
    for _ in range(2000):  # a busy machine is no failure
        table = await parley.get(f"/api/leaderboard{asked}")
        if holds(table):
            return table
        await asyncio.sleep(0.03)
    raise AssertionError(f"it never held of the table{asked}")


async def next_event(stream: EventStream) -> dict[str, Any]:
    async with asyncio.timeout(40):
        return await anext(stream)


async def test_a_vote_in_one_tab_is_sent_to_another_and_stands_in_its_table(parley: RunningParley) -> None:
    async with parley.visitor().stream("GET", "/api/leaderboard/events") as response:
        stream = EventStream(response)
        first = await next_event(stream)
        assert (first["kind"], first["version"], first["votes"]) == ("standings.changed", 0, 0)
        battle = await parley.battle("Write a function that sorts a list in Python")
        vote = await parley.vote(battle["match_id"], "left")
        event = await next_event(stream)
        assert event["votes"] == 1
        assert "overall" in event["categories"]
        assert msgspec.convert(event, schemas.StandingsChanged).version > 0
    table = await parley.get("/api/leaderboard?min_votes=0")
    assert table["version"] >= event["version"]
    best, other = table["lines"]
    assert (best["model"]["id"], best["wins"], other["losses"]) == (vote["left"]["model_id"], 1, 1)
    assert best["provisional"]
    assert best["ttft_p50_ms"] is not None
    assert (best["price"], table["left_out"]) == (1.25, 0)
    assert table["worker"]["status"] == "idle"


async def test_a_battle_that_waits_lets_the_mathematics_be_loaded_before_its_vote(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def loaded() -> bool:
        """Return whether a server that starts now loads it."""
        standings, preloads = standings_of(parley.application[Database]), list[bool]()
        monkeypatch.setattr(standings.tables, "preload", lambda: preloads.append(True))
        await standings.worker.run(True)
        return bool(preloads)

    await parley.chat()
    assert not await loaded()
    battle = await parley.battle()
    assert await loaded()
    await parley.vote(battle["match_id"])
    await settled(parley)
    assert not await loaded()


async def test_models_with_few_votes_are_left_out_and_counted(parley: RunningParley) -> None:
    await parley.vote((await parley.battle())["match_id"])
    await settled(parley)
    table = await parley.get("/api/leaderboard")
    assert (table["lines"], table["models"], table["left_out"], table["min_votes"]) == ([], 0, 2, 5)
    assert table["votes"] == 1


async def test_votes_that_are_not_counted_stand_beside_the_table_and_in_it_on_demand(
    parley: RunningParley,
) -> None:
    await counted(parley)
    without = await parley.get("/api/leaderboard")
    with_them = await parley.get("/api/leaderboard?include_uncounted=true")
    reasons = {it["reason"]: it["votes"] for it in without["uncounted"]}
    assert set(reasons) == {"too_fast", "identity_leak"}
    assert without["votes"] + sum(reasons.values()) == with_them["votes"] == 60
    assert without["lines"] != with_them["lines"]
    problem = await parley.get("/api/leaderboard?include_uncounted=true&method=elo", 422)
    assert problem["field"] == "include_uncounted"


async def test_every_method_has_a_table_and_only_elo_has_no_intervals(parley: RunningParley) -> None:
    await counted(parley, 80)
    styled = await table_where(parley, "?style_control=true", lambda table: len(table["lines"]) > 0)
    assert styled["method"] == "style-control"
    assert {effect["feature"] for effect in styled["style"]} >= {"tokens", "headers"}
    elo = await parley.get("/api/leaderboard?method=elo")
    usual = await parley.get("/api/leaderboard")
    assert {line["ci_lower"] for line in elo["lines"]} == {None}
    assert all(line["ci_lower"] < line["rating"] < line["ci_upper"] for line in usual["lines"])
    assert elo["decision"] is None
    assert usual["decision"]["model"] == usual["lines"][0]["model"]["id"]
    assert usual["decision"]["flip_votes"] >= 1
    assert usual["rating_min"] == min(line["ci_lower"] for line in usual["lines"])


@ON_EVERY_KIND
async def test_pages_put_together_are_the_whole_table_in_any_order(parley: RunningParley) -> None:
    await counted(parley)
    for sort_by, order in product(("rank", "name", "votes", "price", "license"), ("asc", "desc")):
        await check_pages(parley, sort_by, order)


async def check_pages(parley: RunningParley, sort_by: str, order: str) -> None:
    asked = f"/api/leaderboard?sort_by={sort_by}&order={order}"
    whole = [line["model"]["id"] for line in (await parley.get(asked))["lines"]]
    assert sorted(whole) == ["ada", "bob", "cleo"]
    found: list[str] = []
    cursor = ""
    while cursor is not None:
        page = await parley.get(f"{asked}&limit=1{cursor and f'&cursor={cursor}'}")
        found += [line["model"]["id"] for line in page["lines"]]
        cursor = page["next_cursor"]
    assert found == whole
    if sort_by == "name":
        assert whole == sorted(whole, reverse=order == "desc")


async def test_filters_leave_ranks_as_they_are(parley: RunningParley) -> None:
    await counted(parley)
    whole = {line["model"]["id"]: line for line in (await parley.get("/api/leaderboard"))["lines"]}
    for asked in ("search=BOB", "organization=bob%20labs", "search=bob+labs"):
        table = await parley.get(f"/api/leaderboard?{asked}")
        assert without_top_voter(table["lines"]) == without_top_voter([whole["bob"]])
        assert table["models"] == 3
    assert len((await parley.get("/api/leaderboard?license=mit&provider=near&local=true"))["lines"]) == 3
    assert (await parley.get("/api/leaderboard?local=false"))["lines"] == []


async def test_a_wrong_parameter_is_named(parley: RunningParley) -> None:
    for asked, field in (
        ("?category=codin", "category"),
        ("?sort_by=beauty", "sort_by"),
        ("?method=glicko", "method"),
        ("?limit=0", "limit"),
        ("?min_votes=-1", "min_votes"),
        ("?cursor=x", "cursor"),
        ("?method=elo&style_control=true", "style_control"),
        ("/history?category=x", "category"),
        ("/history?days=0", "days"),
        ("/matrix?limit=1", "limit"),
        ("?min_vote=3", "min_vote"),
        ("/history?models=ada", "models"),
        ("/matrix?method=elo", "method"),
    ):
        assert (await parley.get(f"/api/leaderboard{asked}", 422))["field"] == field, asked


async def test_a_cursor_of_another_order_is_refused(parley: RunningParley) -> None:
    await counted(parley)
    cursor = (await parley.get("/api/leaderboard?limit=1"))["next_cursor"]
    problem = await parley.get(f"/api/leaderboard?limit=1&sort_by=name&cursor={cursor}", 422)
    assert problem["field"] == "cursor"


async def test_categories_have_tables_of_their_own(parley: RunningParley) -> None:
    await counted(parley, 60, categories=["coding"])
    table = await parley.get("/api/leaderboard?category=coding")
    assert [(it["id"], it["votes"]) for it in table["categories"] if it["votes"]] == [
        ("overall", table["votes"]),
        ("coding", table["votes"]),
    ]
    empty = {it["id"] for it in table["categories"] if not it["votes"]}
    assert "maths" in empty
    assert not any(category.startswith("language-") for category in empty)
    assert (await parley.get("/api/leaderboard?category=maths"))["lines"] == []


async def test_history_tells_the_last_hour_of_the_best_models(parley: RunningParley) -> None:
    await counted(parley)
    history = await parley.get("/api/leaderboard/history?limit=2")
    table = await parley.get("/api/leaderboard")
    assert [it["model"]["id"] for it in history["models"]] == [
        line["model"]["id"] for line in table["lines"][:2]
    ]
    assert history["models"][0]["points"][-1]["rating"] == table["lines"][0]["rating"]
    named = await parley.get("/api/leaderboard/history?model=bob&method=elo")
    assert [it["model"]["id"] for it in named["models"]] == ["bob"]
    assert (await parley.get("/api/leaderboard/history?model=nobody", 404))["code"] == "model_not_found"


async def test_the_matrix_has_each_pair_from_either_side(parley: RunningParley) -> None:
    await counted(parley)
    matrix = await parley.get("/api/leaderboard/matrix")
    cells = {(cell["model"], cell["other"]): cell for cell in matrix["cells"]}
    assert len(cells) == 6
    one, other = cells["ada", "bob"], cells["bob", "ada"]
    assert (one["wins"], one["votes"]) == (other["losses"], other["votes"])
    assert one["win_rate"] + other["win_rate"] == pytest.approx(1)
    assert one["expected"] + other["expected"] == pytest.approx(1)


async def test_the_matrix_is_made_beside_the_event_loop(
    parley: RunningParley, monkeypatch: pytest.MonkeyPatch
) -> None:
    await counted(parley)
    threads: set[int] = set()

    def noted(*given: Any) -> schemas.PairCell:
        threads.add(threading.get_ident())
        return cell_view(*given)

    monkeypatch.setattr(views, "cell_view", noted)
    assert len((await parley.get("/api/leaderboard/matrix"))["cells"]) == 6
    assert threads
    assert threading.get_ident() not in threads, "replies that stream meanwhile would wait"


async def test_a_models_own_numbers(parley: RunningParley) -> None:
    await counted(parley)
    battle = await parley.battle("Why is the sky blue?")
    vote = await parley.vote(battle["match_id"], "left")
    await settled(parley)
    model = vote["left"]["model_id"]
    stats = await parley.get(f"/api/models/{model}/stats")
    assert stats["overall"]["model"]["id"] == model
    assert sum(cell["votes"] for cell in stats["opponents"]) == stats["overall"]["votes"]
    assert {card["id"] for card in stats["models"]} == {cell["other"] for cell in stats["opponents"]}
    assert len(stats["recent"]) == 20
    assert stats["use"]["replies"] >= stats["overall"]["votes"]
    assert stats["use"]["ttft_p50_ms"] <= stats["use"]["ttft_p90_ms"]
    assert stats["use"]["cost_per_reply_micros"] is not None
    both = await parley.get(f"/api/head-to-head/{model}/{vote['right']['model_id']}")
    mine = next(it for it in both["recent"] if it["session_id"] == battle["session_id"])
    assert (mine["outcome"], mine["counted"]) == ("won", True)
    assert (await parley.get("/api/models/nobody/stats", 404))["code"] == "model_not_found"


async def test_head_to_head_is_the_same_from_the_other_side(parley: RunningParley) -> None:
    await counted(parley)
    one = await parley.get("/api/head-to-head/ada/bob")
    other = await parley.get("/api/head-to-head/bob/ada")
    assert one["overall"]["wins"] == other["overall"]["losses"]
    assert one["as_left"]["votes"] + other["as_left"]["votes"] == one["overall"]["votes"]
    assert one["decision"]["model"] == other["decision"]["model"]
    assert len(one["categories"]) == len(one["category_ids"]) > 0
    assert {it["other"]["id"] for it in one["recent"]} == {"bob"}
    assert (await parley.get("/api/head-to-head/ada/ada", 422))["field"] == "b"


async def test_what_would_turn_a_pair_round_is_about_that_pair(parley: RunningParley) -> None:
    for left, right, choice, number in (
        ("ada", "bob", "left", 21),
        ("ada", "bob", "right", 20),
        ("ada", "cleo", "left", 40),
        ("ada", "cleo", "right", 10),
    ):
        cast = {"left_model_id": left, "right_model_id": right, "choice": choice, "counted": True}
        await counted(parley, number, not_counted_reason=None, **cast)
    top = (await parley.get("/api/leaderboard"))["decision"]
    assert (top["model"], top["other"], top["flip_votes"]) == ("ada", "bob", 2)
    pair = (await parley.get("/api/head-to-head/cleo/ada"))["decision"]
    assert (pair["model"], pair["other"], pair["flip_votes"]) == ("ada", "cleo", 31)
    below = (await parley.get("/api/head-to-head/cleo/bob"))["decision"]
    assert (below["model"], below["other"]) == ("bob", "cleo")
    assert below["flip_votes"] > 2


async def test_with_style_held_constant_nothing_is_said_of_votes_that_were_not_there(
    parley: RunningParley,
) -> None:
    await counted(parley, 80)
    styled = await table_where(parley, "?style_control=true", lambda table: table["decision"] is not None)
    assert styled["decision"]["better"] >= 0.5
    assert styled["decision"]["flip_votes"] is None, "they are sought in a fit that knows no style"


async def test_votes_of_an_import_that_goes_on_are_not_among_the_latest(parley: RunningParley) -> None:
    await BallotBox(models=("ada", "bob")).cast(parley.application[Database], 3, processing_status="staged")
    await counted(parley, 2)
    seen = [
        battle
        for path in ("/api/models/ada/stats", "/api/models/bob/stats", "/api/models/cleo/stats")
        for battle in (await parley.get(path))["recent"]
    ]
    assert len(seen) == 4, "two votes, each from both sides"


async def test_a_model_without_votes_has_numbers_of_nothing(parley: RunningParley) -> None:
    stats = await parley.get("/api/models/ada/stats")
    assert (stats["overall"], stats["opponents"], stats["recent"]) == (None, [], [])
    both = await parley.get("/api/head-to-head/ada/bob")
    assert (both["overall"]["votes"], both["overall"]["win_rate"], both["decision"]) == (0, None, None)


@ON_EVERY_KIND
async def test_the_running_server_can_count_anew(parley: RunningParley) -> None:
    await counted(parley)
    await confirm_elo(parley.application[Database])  # the ballot box puts votes only
    before = await parley.get("/api/leaderboard")
    rebuilt = await parley.post("/api/leaderboard/rebuild")
    assert (rebuilt["votes"], rebuilt["corrected"]) == (60, 0)
    after = await parley.get("/api/leaderboard")
    # A rebuild reads the votes as well, so it finds at once what is otherwise known after the next replay.
    assert [line["top_voter"] for line in after["lines"]] == [0.33, 0.33, 0.28]
    assert without_top_voter(after["lines"]) == without_top_voter(before["lines"])


async def test_answers_fit_their_types(parley: RunningParley) -> None:
    await counted(parley)
    for path, kind in (
        ("/api/leaderboard", schemas.Leaderboard),
        ("/api/leaderboard/health", health_schemas.VoteHealth),
        ("/api/leaderboard/health/voters", health_schemas.VoterPage),
        ("/api/leaderboard/history", schemas.History),
        ("/api/leaderboard/matrix", schemas.Matrix),
        ("/api/models/ada/stats", schemas.ModelStatsView),
        ("/api/head-to-head/ada/bob", schemas.HeadToHead),
    ):
        said = await parley.get(path)
        assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(said, kind))) == said


async def test_a_flagged_voter_is_excluded_and_reinstated_and_the_table_follows(
    parley: RunningParley,
) -> None:
    await counted(parley, voter_id="c" * 32, counted=True, not_counted_reason=None)
    assert (await parley.get("/api/leaderboard/voters")) == {"voters": []}
    flag = Flag(e_value=5e4, pattern="pushes", model="ada", votes=60, prompts=60)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    database = parley.application[Database]
    await database.write(lambda session: StandingsRepository(session).put_flags([], {"c" * 32: flag}, now))
    (voter,) = (await parley.get("/api/leaderboard/voters"))["voters"]
    assert (voter["pattern"], voter["model_id"], voter["prompts"]) == ("pushes", "ada", 60)
    unknown = await parley.client.post("/api/leaderboard/voters/nobody/exclude")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "voter_not_flagged")
    early = await parley.client.post(f"/api/leaderboard/voters/{voter['voter_id']}/reinstate")
    assert (early.status_code, early.json()["code"]) == (409, "voter_not_excluded")
    excluded = await parley.post(f"/api/leaderboard/voters/{voter['voter_id']}/exclude")
    assert (excluded["excluded_by"], excluded["excluded_at"] is not None) == ("owner (program)", True)
    table = await table_where(parley, "?min_votes=0", lambda table: table["votes"] == 0)
    assert [it["reason"] for it in table["uncounted"]] == ["excluded_voter"]
    assert await parley.post(f"/api/leaderboard/voters/{voter['voter_id']}/reinstate") == voter
    await table_where(parley, "?min_votes=0", lambda table: table["votes"] == 60)


async def test_vote_health_lists_the_voters_and_what_excluding_one_moves(parley: RunningParley) -> None:
    await counted(parley, counted=True, not_counted_reason=None)
    pusher = f"{3:032d}"
    flag = Flag(e_value=5e4, pattern="pushes", model="ada", votes=60, prompts=60)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    database = parley.application[Database]
    await database.write(lambda session: StandingsRepository(session).put_flags([], {pusher: flag}, now))
    health = await parley.get("/api/leaderboard/health")
    assert (health["votes"], health["voters"], health["unknown"]) == (60, 5, 0)
    assert 3 < health["effective_voters"] < 5
    (before,) = health["exclusions"]
    assert (before["voter_id"], before["excluded"]) == (pusher, False)
    named = {card["id"] for card in health["models"]}
    assert {move["model"] for move in before["moves"]} <= named <= {"ada", "bob", "cleo"}
    await parley.post(f"/api/leaderboard/voters/{pusher}/exclude")
    await table_where(parley, "?min_votes=0", lambda table: table["votes"] == 60 - before["votes"])
    (after,) = (await parley.get("/api/leaderboard/health"))["exclusions"]
    assert after == {**before, "excluded": True, "moves": after["moves"]}
    for one, other in zip(before["moves"], after["moves"], strict=True):
        assert (one["model"], one["rating_with"]) == (other["model"], pytest.approx(other["rating_with"]))
    page = await parley.get("/api/leaderboard/health/voters?sort_by=evidence&limit=2")
    assert (page["total"], len(page["voters"])) == (5, 2)
    first = page["voters"][0]
    assert (first["voter_id"], first["votes"], first["excluded"]) == (pusher, 0, before["votes"])
    assert first["flag"]["excluded_by"] == "owner (program)"
    rest = await parley.get("/api/leaderboard/health/voters?sort_by=evidence&limit=50&offset=2")
    assert len(rest["voters"]) == 3
    refused = await parley.client.get("/api/leaderboard/health/voters?limit=51")
    assert refused.status_code == 422
