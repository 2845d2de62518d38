"""One seat is stopped while the others go on; with the whole turn at the same time; and never in a blind match."""

import asyncio
from pathlib import Path
from typing import Any

from tests.fakes.running import RunningParley, a_running_parley, kinds, read_all
from tests.fakes.upstream import ScriptedUpstream

SEATS = {"one": "ada", "two": "bob", "three": "cleo"}


def compare(**brief: Any) -> dict[str, Any]:
    return {"prompt": "Hi", "mode": "compare", "seats": SEATS, "brief": brief}


def by_seat(view: dict[str, Any]) -> dict[str, Any]:
    return {reply["seat"]: reply for reply in view["turn"]["replies"]}


async def test_the_others_go_on_and_the_stopped_one_keeps_its_text(parley: RunningParley) -> None:
    parley.upstream.reply("Kept ", "never said.", hold_after=1, model="cleo")
    async with parley.stream("POST", "/api/sessions", compare()) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        while "Kept " not in read_all(stream.events).texts().values():
            await anext(stream)
        view = await parley.post(f"/api/turns/{turn_id}/stop", {"seat": "three"})
        stopped = by_seat(view)["three"]
        assert (stopped["status"], stopped["text"], stopped["error"]) == ("stopped", "Kept ", None)
        assert kinds(await stream.rest())[-1] == "turn.completed"
    await parley.upstream.wait_until_idle(1.0)
    ended = await parley.get(f"/api/turns/{turn_id}")
    assert [by_seat(ended)[seat]["status"] for seat in SEATS] == ["completed", "completed", "stopped"]
    # Once more changes nothing; then it is asked again, alone.
    assert await parley.post(f"/api/turns/{turn_id}/stop", {"seat": "three"}) == ended
    parley.upstream.release()
    parley.upstream.forget()
    parley.upstream.reply("Whole.", model="cleo")
    await parley.post(f"/api/turns/{turn_id}/retry", {"seat": "three"})
    again = by_seat(await parley.get(f"/api/turns/{turn_id}"))
    assert (again["three"]["status"], again["three"]["text"]) == ("completed", "Whole.")
    assert [again[seat]["attempt"] for seat in SEATS] == [1, 1, 2]


async def test_a_server_that_starts_again_does_not_ask_the_stopped_one(url: str, tmp_path: Path) -> None:
    kept: dict[str, Any] = {"models": tuple(SEATS.values()), "database_url": url}
    async with ScriptedUpstream() as upstream:
        for model in ("bob", "cleo"):
            upstream.reply("Kept ", "never said.", hold_after=1, model=model)
        async with (
            a_running_parley(tmp_path, upstream=upstream, **kept) as parley,
            parley.stream("POST", "/api/sessions", compare()) as stream,
        ):
            turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
            while list(read_all(stream.events).texts().values()).count("Kept ") < 2:
                await anext(stream)
            await parley.post(f"/api/turns/{turn_id}/stop", {"seat": "three"})
        upstream.release()
        upstream.forget()
        upstream.reply("Whole.", model="bob")
        async with a_running_parley(tmp_path, upstream=upstream, **kept) as parley:
            await parley.events("GET", f"/api/turns/{turn_id}/events")
            ended = by_seat(await parley.get(f"/api/turns/{turn_id}"))
        assert [ended[seat]["status"] for seat in SEATS] == ["completed", "completed", "stopped"]
        assert (ended["three"]["attempt"], ended["three"]["text"]) == (1, "Kept ")
        assert [request.model for request in upstream.chats] == ["bob"]


async def test_one_at_a_time_the_next_one_is_asked(parley: RunningParley) -> None:
    parley.upstream.reply("Never ", "whole.", hold_after=1, model="ada")
    async with parley.stream("POST", "/api/sessions", compare(order="one_at_a_time")) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        await stream.until_said()
        await parley.post(f"/api/turns/{turn_id}/stop", {"seat": "two"})  # which has not begun
        await parley.post(f"/api/turns/{turn_id}/stop", {"seat": "one"})
        assert kinds(await stream.rest())[-1] == "turn.completed"
    statuses = [by_seat(await parley.get(f"/api/turns/{turn_id}"))[seat]["status"] for seat in SEATS]
    assert statuses == ["stopped", "completed", "completed"]
    parley.upstream.release()


async def test_a_seat_and_the_whole_turn_are_stopped_at_once(parley: RunningParley) -> None:
    for model in SEATS.values():
        parley.upstream.reply("Never ", "whole.", hold_after=1, model=model)
    async with parley.stream("POST", "/api/sessions", compare()) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        await parley.upstream.wait_for_requests(3)
        stop = f"/api/turns/{turn_id}/stop"
        await asyncio.gather(
            parley.post(stop, {"seat": "one"}), parley.post(stop), parley.post(stop, {"seat": "one"})
        )
        assert kinds(await stream.rest())[-1] == "turn.stopped"
    view = await parley.get(f"/api/turns/{turn_id}")
    assert {reply["status"] for reply in view["turn"]["replies"]} == {"stopped"}
    parley.upstream.release()


async def test_a_blind_side_and_an_unknown_seat_are_not_stopped(parley: RunningParley) -> None:
    parley.upstream.reply("Never ", "whole.", hold_after=1)
    async with parley.stream("POST", "/api/sessions", {"prompt": "Hi"}) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        problem = await parley.post(f"/api/turns/{turn_id}/stop", {"seat": "left"}, status=409)
        assert problem["code"] == "seats_together"
        await parley.post(f"/api/turns/{turn_id}/stop")
    async with parley.stream("POST", "/api/sessions", compare()) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        problem = await parley.post(f"/api/turns/{turn_id}/stop", {"seat": "nobody"}, status=422)
        assert problem["field"] == "seat"
        await parley.post(f"/api/turns/{turn_id}/stop")
    parley.upstream.release()
