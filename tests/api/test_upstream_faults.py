"""How upstream faults are shown and stored: one of each outcome, in an open chat and in a blind battle.

Every row of the table: tests/contracts/test_fault_table.py.
"""

from collections.abc import AsyncGenerator
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from tests.fakes.attacked import (
    CANARIES,
    FAULTY,
    PATIENT_S,
    SOUND,
    SPARE,
    TRACES,
    Attack,
    attacked,
    chat_with,
    in_file,
)
from tests.fakes.draws import draw
from tests.fakes.faults import ALL, Fault, said
from tests.fakes.movable_clock import MovableClock
from tests.fakes.running import Reader, RunningParley, a_running_parley, kinds, read_all
from tests.fakes.upstream import Hang, Script, ScriptedUpstream, delta

pytestmark = pytest.mark.asyncio(loop_scope="module")

LONG_SPEECH = (
    "A whole answer, and a longer one ",
    "than any that fails here, ",
    "so that both sides still speak.",
)
BLIND_KINDS = {"turn.snapshot", "turn.started", "reply.started", "reply.delta", "turn.failed"}
NAMED = {fault.name: fault for fault in ALL}


def rows(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("fault", [NAMED[name] for name in names], ids=names)


OUTCOMES = (
    "refused",
    "unroutable",
    "no TLS",
    "401 upstream_key_rejected",
    "404 upstream_model_not_found",
    "400 upstream_context_too_long",
    "400 with a long page",
    "429, again after '0'",
    "402",
    "500",
    "503, 502, then fine",
    "200 with a page",
    "200 with a plain error",
    "200 with nothing",
    "error inside the stream: object",
    "no first byte",
    "stall",
    "reset in mid-answer",
    "reset before the head",
    "broken chunked encoding",
    "only thoughts",
    "cut off while it thinks",
    "usage, then cut off",
    "usage in whose price is beyond 64 bits",
    "NUL",
    "inline <think>",
    "tool calls interleaved",
    "an answer of more than 2 MB",
    "redirect 307",
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def clock() -> MovableClock:
    return MovableClock()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def parley(
    tmp_path_factory: pytest.TempPathFactory, clock: MovableClock
) -> AsyncGenerator[RunningParley]:
    """One server for the module; each attack brings its own server, gateway and client."""
    folder = tmp_path_factory.mktemp("attacked")
    async with a_running_parley(
        folder, models=CANARIES, pacing="even", database_url=in_file(folder)
    ) as running:
        yield running


def plant(attack: Attack, fault: Fault) -> None:
    for script in fault.scripts:
        attack.upstream.script(script, model=FAULTY)


# ── as an open viewer sees it ────────────────────────────────────────────────────────────────────


async def test_every_outcome_of_the_table_is_among_these() -> None:
    assert {outcome(NAMED[name]) for name in OUTCOMES} == {outcome(fault) for fault in ALL}


def outcome(fault: Fault) -> tuple[object, ...]:
    """Return what tells one outcome from another: the end, its code, and what there is to show and to store."""
    return fault.status, fault.finish, fault.code, bool(fault.text or fault.at_least), bool(fault.reasoning)


@rows(*OUTCOMES)
async def test_a_chat_tells_what_happened_and_keeps_what_had_come(
    parley: RunningParley, clock: MovableClock, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    async with attacked(parley, fault, logs=caplog, clock=clock) as attack:
        plant(attack, fault)
        events = await attack.follow(chat_with(FAULTY))
        said = the_reply(read_all(events))
        ends = the_end_of_the_reply(events)
        assert len(ends) == 1
        status = ends[0].get("status", "completed")
        error = ends[0].get("error") or {}
        assert (status, error.get("code")) == (fault.status, fault.code)
        assert said["reasoning"] == fault.reasoning
        assert said["text"] == (fault.text if fault.at_least is None else "x" * len(said["text"]))
        if fault.at_least is not None:
            assert fault.at_least <= len(said["text"]) <= 2 << 20
        assert ends[0].get("finish_reason") == fault.finish
        if fault.usage:
            metrics = ends[0]["metrics"]
            assert (metrics["input_tokens"], metrics["output_tokens"]) == fault.usage
            assert metrics["estimated"] is False
        await the_twin_says_the_same(attack, events, fault)


def the_end_of_the_reply(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events by which the reply ended; to a client that owed too much, a fresh snapshot tells it."""
    ends = [event for event in events if event["kind"] in ("reply.completed", "reply.failed")]
    snapshots = [event["turn"]["replies"] for event in events if event["kind"] == "turn.snapshot"]
    ended = [reply for reply in snapshots[-1] if reply["status"] not in ("waiting", "streaming")]
    return ends or ended


async def the_twin_says_the_same(attack: Attack, events: list[dict[str, Any]], fault: Fault) -> None:
    """The JSON twin and a second look at the stream tell the same text and the same end."""
    turn_id = events[0]["turn"]["id"]
    twin = await attack.get(f"/api/turns/{turn_id}")
    (reply,) = twin["turn"]["replies"]
    said = the_reply(read_all(events))
    assert (reply["text"], reply["reasoning"]) == (said["text"], said["reasoning"])
    assert reply["status"] == fault.status
    assert (reply["error"] or {}).get("code") == fault.code
    again = await attack.parley.events("GET", f"/api/turns/{turn_id}/events")
    attack.watch.streams.append(again)
    assert kinds(again) == ["turn.snapshot", events[-1]["kind"]]
    assert the_reply(read_all(again))["text"] == said["text"]


def the_reply(reader: Reader) -> dict[str, Any]:
    (reply,) = reader.replies.values()
    return reply


# ── as a blind viewer sees it ────────────────────────────────────────────────────────────────────


@rows(
    "refused",
    "401 upstream_key_rejected",
    "stall",
    "reset in mid-answer",
    "only thoughts",
    "an answer of more than 2 MB",
)
async def test_a_battle_is_void_without_a_side_and_can_be_drawn_again(
    parley: RunningParley, clock: MovableClock, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    async with attacked(parley, fault, logs=caplog, clock=clock) as attack:
        plant(attack, fault)
        attack.upstream.reply(*LONG_SPEECH, delay=0.1, model=SOUND)
        shapes: list[Any] = []
        for models in ((FAULTY, SOUND), (SOUND, FAULTY)):
            draw(parley, *models)
            shapes.append(await a_void_battle(attack))
        assert nothing_betrayed(attack) == []
        assert shapes[0] == shapes[1]
        await it_is_drawn_again(attack, fault)


async def a_void_battle(attack: Attack) -> Any:
    """Return all that was shown of a battle, without random ids and the texts."""
    attack.renew_gateway()
    events = await attack.follow({"prompt": "Hi"})
    match, turn = events[0]["match"], events[0]["turn"]
    assert set(kinds(events)) <= BLIND_KINDS
    assert kinds(events)[-1] == "turn.failed"
    twin = await attack.get(f"/api/turns/{turn['id']}")
    view = await attack.get(f"/api/sessions/{match['session_id']}")
    again = await attack.parley.events("GET", f"/api/turns/{turn['id']}/events")
    attack.watch.streams.append(again)
    refusals = [
        await attack.post(f"/api/battles/{match['id']}/vote", {"vote": "left"}, 409),
        await attack.post(f"/api/battles/{match['id']}/messages", {"content": "More"}, 409),
        await attack.post(f"/api/turns/{turn['id']}/retry", status=409),
    ]
    assert {refusal["code"] for refusal in refusals} == {"battle_void"}
    assert (twin["match"]["status"], twin["turn"]["status"]) == ("void", "failed")
    assert twin["match"]["void"]["code"] == twin["turn"]["error"]["code"] == "battle_void"
    texts = read_all(events).texts()
    assert {reply["seat"]: reply["text"] for reply in twin["turn"]["replies"]} == texts
    assert all("".join(LONG_SPEECH).startswith(text) or text for text in texts.values())
    return without_what_is_random([events[-1], again[1:], twin, view, refusals], {})


async def it_is_drawn_again(attack: Attack, fault: Fault) -> None:
    """The same question makes a new match; once the server is well, it can be voted on."""
    last = attack.watch.streams[-1][0]["match"]
    if fault.where == "here":
        attack.silent_s = PATIENT_S
    attack.renew_gateway()
    attack.upstream.forget()
    attack.upstream.reply("Well ", "again.")
    answer = await attack.post(f"/api/sessions/{last['session_id']}/battles", {"prompt": "Hi"})
    assert answer["match_id"] != last["id"]
    assert answer["status"] == ("completed" if fault.where == "here" else "failed")
    if fault.where == "here":
        await attack.vote(answer["match_id"], "right")


@rows("503, 502, then fine", "slow first byte", "reasoning", "usage in the last chunk")
async def test_a_battle_goes_well_where_the_standard_allows_it(
    parley: RunningParley, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    """Odd, slow or split, but whole: the battle looks like any other and can be voted on."""
    async with attacked(parley, fault, logs=caplog) as attack:
        plant(attack, fault)
        attack.upstream.reply("A whole answer.", model=SOUND)
        events = await attack.follow({"prompt": "Hi"})
        match = events[0]["match"]
        assert kinds(events)[-2:] == ["ballot.opened", "turn.completed"]
        seats, texts = attack.seats(match["id"]), read_all(events).texts()
        said = {model: texts[name] for name, model in seats.items()}
        assert said == {FAULTY: fault.text, SOUND: "A whole answer."}
        assert read_all(events).texts("reasoning") == {"left": "", "right": ""}
        await attack.get(f"/api/turns/{events[0]['turn']['id']}")
        assert nothing_betrayed(attack) == []
        await attack.vote(match["id"], "left")


def nothing_betrayed(attack: Attack) -> list[bytes]:
    """Which traces of a model, a provider or a fault a blind viewer was shown."""
    address = f"127.0.0.1:{attack.upstream.port}".encode()
    shown = b"".join((*attack.watch.shown, *map(msgspec.json.encode, attack.watch.streams))).lower()
    return [trace for trace in (*TRACES, address) if trace in shown]


def without_what_is_random(value: Any, known: dict[str, str]) -> Any:
    """Leave out ids and times, which are random, and how much was shown, which is a matter of timing."""
    if isinstance(value, dict):
        timing = ("text", "text_end")
        return {
            key: without_what_is_random(item, known)
            for key, item in value.items()
            if key not in timing or "type" in value
        }
    if isinstance(value, list):
        return [without_what_is_random(item, known) for item in value]
    if isinstance(value, str) and len(value) == 32 and set(value) <= set("0123456789abcdef"):
        return known.setdefault(value, f"id {len(known)}")
    if isinstance(value, str) and value[:2] == "20" and value.endswith("+00:00"):
        return "a time"
    return value


# ── with another provider, and many times in a row ───────────────────────────────────────────────


@rows("refused", "401 upstream_key_rejected", "reset before the head")
async def test_another_provider_of_the_same_model_answers(
    parley: RunningParley, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    async with attacked(parley, fault, spare=True, logs=caplog) as attack:
        plant(attack, fault)
        attack.upstream.reply("From ", "the spare.", model=SPARE)
        events = await attack.follow(chat_with(FAULTY))
        assert kinds(events)[-2:] == ["reply.completed", "turn.completed"]
        assert read_all(events).texts() == {"assistant": "From the spare."}
        asked = [request.model for request in attack.upstream.chats]
        assert asked == [FAULTY] * fault.asked + [SPARE]


async def test_a_server_that_always_fails_is_left_alone_for_a_while(
    parley: RunningParley, caplog: pytest.LogCaptureFixture
) -> None:
    async with attacked(parley, logs=caplog) as attack:
        attack.upstream.fail(503, model=FAULTY)
        codes = [the_error(await attack.follow(chat_with(FAULTY))) for _ in range(4)]
        assert codes == ["upstream_overloaded"] * 2 + ["upstream_resting"] * 2
        assert len(attack.upstream.chats) == 5
        assert the_error(await attack.follow(chat_with(SOUND))) is None


def the_error(events: list[dict[str, Any]]) -> str | None:
    return next((event["error"]["code"] for event in events if event["kind"] == "reply.failed"), None)


async def test_a_key_never_follows_a_redirect(
    parley: RunningParley, caplog: pytest.LogCaptureFixture
) -> None:
    async with ScriptedUpstream() as elsewhere, attacked(parley, logs=caplog) as attack:
        for status in (301, 302, 303, 307, 308):
            location = {"Location": f"{elsewhere.url}/chat/completions"}
            attack.upstream.forget()
            attack.upstream.answer("", status=status, headers=location, model=FAULTY)
            assert the_error(await attack.follow(chat_with(FAULTY))) == "upstream_redirect"
        assert elsewhere.total_connections == 0


async def test_stop_closes_the_upstream(parley: RunningParley, caplog: pytest.LogCaptureFixture) -> None:
    """In every state a call can be in: before the head, before the first word, in mid-answer."""
    states = ((Script((), before=(Hang(),)),), said(Hang()), said(delta(content="half"), Hang()))
    for scripts in states:
        async with attacked(parley, logs=caplog) as attack:
            attack.upstream.script(scripts[0], model=FAULTY)
            async with attack.parley.stream("POST", "/api/sessions", chat_with(FAULTY)) as stream:
                turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
                await attack.upstream.wait_for_requests(1)
                await attack.post(f"/api/turns/{turn_id}/stop")
                await attack.upstream.wait_until_idle(PATIENT_S)
                assert kinds(await stream.rest())[-1] == "turn.stopped"
            attack.watch.streams.append(stream.events)
