"""Tests of the gateway: retries before the first byte, failover, breaker, limits and deadlines."""

import asyncio
from contextlib import aclosing

import msgspec
import pytest

from parley.engine.accounting import CallResult
from parley.engine.breaker import FAILURES, OPEN_S, WINDOW_S, Breaker
from parley.kernel.calls import Call
from parley.kernel.connector import Chunk, Delta, Progress
from parley.kernel.errors import (
    BrokenOff,
    Garbled,
    NotFound,
    Overloaded,
    Rejected,
    Unreachable,
    UpstreamError,
)
from parley.kernel.messages import ImagePart, Message, TextPart
from parley.kernel.models import Capability, Provider
from parley.testing import BREAK, Forever, Wait, make_model
from parley.testing.memory_blobs import MemoryBlobs
from tests.fakes.gateways import GatewaySetting, a_call, listen, text_of
from tests.fakes.virtual_loop import on_virtual_time


def time() -> float:
    return asyncio.get_running_loop().time()


# ── retries ──────────────────────────────────────────────────────────────────────────────────────


@on_virtual_time
async def test_a_failure_before_the_first_byte_is_tried_again_at_most_twice() -> None:
    setting = GatewaySetting()
    setting.at("near").says("ada", Unreachable("no"))
    setting.at("near").says("ada", Overloaded("no"))
    setting.at("near").says("ada", "Third time lucky.")
    assert await setting.ask() == ("Third time lucky.", "near")
    assert 0.4 * 0.5 * 3 <= time() <= 0.4 * 1.5 * 3, "with a growing pause and jitter"

    setting.at("near").says("bob", Overloaded("always"))
    assert (await setting.fails("bob")).title == "always"
    assert setting.at("near").asked("bob") == 3


@on_virtual_time
async def test_a_job_that_starts_is_no_answer_yet() -> None:
    setting = GatewaySetting(make_model("ada", "near", "far"))
    setting.at("near").says("ada", Progress(phase="queued"), Wait(5), Overloaded("no node"))
    setting.at("far").says("ada", Progress(phase="starting"), Wait(5), Progress(phase="running"), "Here.")
    chunks: list[Chunk] = []
    await listen(setting, a_call(), chunks)
    assert text_of(chunks) == "Here.", "another provider is asked while nothing of the answer is there"
    assert "running" in [each.phase for each in chunks if isinstance(each, Progress)]


@on_virtual_time
async def test_nothing_is_tried_again_after_the_first_byte() -> None:
    setting = GatewaySetting(make_model("ada", "near", "far"))
    setting.at("near").says("ada", "Half ", Overloaded("broke"))
    setting.at("far").says("ada", "Half ", Overloaded("broke"))
    call = a_call()
    chunks: list[Chunk] = []
    with pytest.raises(Overloaded):
        await listen(setting, call, chunks)
    assert text_of(chunks) == "Half "
    assert len(setting.at("near").requests) + len(setting.at("far").requests) == 1


@pytest.mark.parametrize("error", [Rejected("no"), Garbled("what?")])
def test_what_asking_again_cannot_help_is_not_asked_again(error: UpstreamError) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = GatewaySetting()
        setting.at("near").says("ada", error)
        assert await setting.fails() is error
        assert setting.at("near").asked("ada") == 1

    whole()


@pytest.mark.parametrize(
    ("retry_after", "asked", "waited"), [(0.0, 2, 0.0), (3.0, 2, 3.0), (10.0, 2, 10.0), (99999.0, 1, 0.0)]
)
def test_a_retry_after_of_up_to_ten_seconds_is_waited_out(
    retry_after: float, asked: int, waited: float
) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = GatewaySetting()
        setting.at("near").says("ada", Overloaded("429", retry_after_s=retry_after))
        setting.at("near").says("ada", "Now.")
        if asked == 1:
            await setting.fails()
        else:
            await setting.ask()
        assert setting.at("near").asked("ada") == asked
        assert time() == pytest.approx(waited)

    whole()


# ── failover ─────────────────────────────────────────────────────────────────────────────────────


@on_virtual_time
async def test_the_next_provider_answers_by_priority() -> None:
    providers = (
        Provider("third", "c", priority=3),
        Provider("first", "c"),
        Provider("second", "c", priority=1),
    )
    setting = GatewaySetting(make_model("ada", "third", "first", "second"), providers=providers)
    setting.at("first").says("ada", Rejected("this key"))
    setting.at("second").says("ada", Overloaded("busy", retry_after_s=100))
    setting.at("third").says("ada", "I can.")
    assert await setting.ask() == ("I can.", "third")
    assert [setting.at(name).asked("ada") for name in ("first", "second", "third")] == [1, 1, 1]


@on_virtual_time
async def test_the_last_provider_s_failure_is_reported() -> None:
    setting = GatewaySetting(make_model("ada", "near", "far"), providers=(Provider("far", "c", priority=1),))
    setting.at("near").says("ada", Rejected("first"))
    setting.at("far").says("ada", Rejected("last"))
    assert (await setting.fails()).title == "last"
    assert (await GatewaySetting(make_model("ada", routes=())).fails()).leaf_code == "no_route"


@on_virtual_time
async def test_equals_are_drawn_by_weight() -> None:
    providers = (Provider("heavy", "c", weight=3.0), Provider("light", "c"), Provider("never", "c", weight=0))
    setting = GatewaySetting(make_model("ada", "light", "never", "heavy"), providers=providers)
    answered = [(await setting.ask())[1] for _ in range(400)]
    assert 260 <= answered.count("heavy") <= 340
    assert answered.count("never") == 0


@on_virtual_time
async def test_what_is_not_in_the_catalog_is_not_found() -> None:
    with pytest.raises(NotFound):
        await GatewaySetting().ask("gone")


@on_virtual_time
async def test_an_ensemble_needs_somebody_who_can_play_it() -> None:
    setting = GatewaySetting(make_model("ada", kind="ensemble"))
    assert (await setting.fails()).leaf_code == "no_ensembles"


# ── the breaker ──────────────────────────────────────────────────────────────────────────────────


@on_virtual_time
async def test_a_model_that_failed_five_times_is_left_alone_then_probed_once() -> None:
    setting = GatewaySetting()
    near = setting.at("near")
    ada = make_model("ada")
    near.says("ada", Overloaded("503"))
    await setting.fails()
    assert not setting.gateway.is_down(ada)
    assert (await setting.fails()).title == "503", "the cause is told, not the rest that follows from it"
    assert near.asked("ada") == FAILURES
    assert setting.gateway.is_down(ada)
    assert (await setting.fails()).leaf_code == "upstream_resting"
    assert near.asked("ada") == FAILURES
    await asyncio.sleep(OPEN_S)
    assert not setting.gateway.is_down(ada), "it may be asked again"
    await setting.fails()
    assert near.asked("ada") == FAILURES + 1, "one probe"
    assert setting.gateway.is_down(ada)
    await asyncio.sleep(OPEN_S)
    near.says("ada", Wait(5), "Back again.")
    near.answers["ada"].popleft()
    probe = asyncio.create_task(setting.ask())
    await asyncio.sleep(1)
    waiting = asyncio.create_task(setting.ask())
    await asyncio.sleep(1)
    assert near.asked("ada") == FAILURES + 2, "one probe at a time; another call waits for its outcome"
    assert (await probe)[0] == "Back again."
    assert (await waiting)[0] == "Back again."


@on_virtual_time
async def test_another_provider_answers_while_one_rests() -> None:
    setting = GatewaySetting(make_model("ada", "near", "far"), providers=(Provider("far", "c", priority=1),))
    setting.at("near").says("ada", Overloaded("503"))
    for _ in range(4):
        assert (await setting.ask())[1] == "far"
    assert setting.at("near").asked("ada") == FAILURES


@on_virtual_time
async def test_a_probe_that_is_cancelled_lets_the_next_one_through() -> None:
    setting = GatewaySetting()
    setting.at("near").says("ada", Overloaded("503"))
    await setting.fails()
    await setting.fails()
    await asyncio.sleep(OPEN_S)
    setting.at("near").says("ada", Forever())
    setting.at("near").answers["ada"].popleft()
    probe = asyncio.create_task(setting.ask())
    await asyncio.sleep(1)
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    setting.at("near").says("ada", "Back.")
    setting.at("near").answers["ada"].popleft()
    assert (await setting.ask())[0] == "Back."


@on_virtual_time
async def test_refusals_are_the_request_s_fault_and_garbage_is_the_model_s() -> None:
    setting = GatewaySetting()
    setting.at("near").says("ada", Rejected("no"))
    for _ in range(2 * FAILURES):
        await setting.fails()
    assert setting.at("near").asked("ada") == 2 * FAILURES
    setting.at("near").says("bob", Garbled("<html>"))
    for _ in range(2 * FAILURES):
        await setting.fails("bob")
    assert setting.at("near").asked("bob") == FAILURES


@pytest.mark.parametrize(
    "error", [Overloaded("503"), Garbled("<html>"), UpstreamError("x"), BrokenOff("cut")]
)
def test_a_model_s_own_failures_let_no_other_model_of_its_provider_rest(error: UpstreamError) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = GatewaySetting()
        setting.at("near").says("ada", error)
        for _ in range(2 * FAILURES):
            await setting.fails("ada")
        assert setting.at("near").asked("ada") == FAILURES
        assert setting.gateway.is_down(make_model("ada"))
        assert not setting.gateway.is_down(make_model("bob"))
        assert await setting.ask("bob") == ("An answer.", "near")
        assert setting.gateway.is_down(make_model("ada")), (
            "another model's answer says nothing about this one"
        )

    whole()


@on_virtual_time
async def test_a_failing_model_rests_at_one_provider_and_is_asked_at_the_next() -> None:
    setting = GatewaySetting(make_model("ada", "near", "far"), providers=(Provider("far", "c", priority=1),))
    setting.at("near").says("ada", Overloaded("503"))
    for _ in range(3):
        assert (await setting.ask())[1] == "far"
    assert setting.at("near").asked("ada") == FAILURES
    assert not setting.gateway.is_down(make_model("ada", "near", "far"))
    assert setting.gateway.is_down(make_model("ada", "near"))


@on_virtual_time
async def test_a_provider_that_cannot_be_reached_rests_with_all_its_models() -> None:
    setting = GatewaySetting(make_model("cleo", "far"))
    near, names = setting.at("near"), ("ada", "bob")
    for name in names:
        near.says(name, Unreachable("refused"))
        await setting.fails(name)
    assert len(near.requests) == FAILURES, "failures of all its models count together"
    assert [setting.gateway.is_down(make_model(name)) for name in (*names, "never-asked")] == [True] * 3
    assert (await setting.fails("never-asked")).leaf_code == "upstream_resting"
    assert (await setting.ask("cleo"))[1] == "far"
    await asyncio.sleep(OPEN_S)
    assert (await setting.fails("ada")).title == "refused"
    assert len(near.requests) == FAILURES + 1, "one probe for all of them"
    assert setting.gateway.is_down(make_model("bob"))


@on_virtual_time
async def test_the_first_word_of_a_probe_lets_the_provider_s_other_models_be_asked() -> None:
    setting = GatewaySetting()
    near = setting.at("near")
    near.says("ada", Unreachable("refused"))
    near.says("bob", "Well", Forever())
    for _ in range(2):
        await setting.fails("ada")
    await asyncio.sleep(OPEN_S)
    probe = asyncio.create_task(setting.ask("bob"))
    await asyncio.sleep(1)
    assert (await setting.ask("cleo"))[0] == "An answer."
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe


@on_virtual_time
async def test_a_probe_of_a_resting_model_does_not_use_up_that_of_its_provider() -> None:
    setting = GatewaySetting()
    near = setting.at("near")
    near.says("ada", Overloaded("503"))
    for _ in range(2):
        await setting.fails("ada")
    await asyncio.sleep(OPEN_S / 2)
    near.says("bob", Unreachable("refused"))
    for _ in range(2):
        await setting.fails("bob")
    await asyncio.sleep(OPEN_S)
    near.says("ada", Unreachable("refused"))
    near.answers["ada"].popleft()
    assert (await setting.fails("ada")).title == "refused"
    assert setting.gateway.is_down(make_model("cleo"))
    await asyncio.sleep(OPEN_S)
    assert not setting.gateway.is_down(make_model("ada")), "nothing was heard of it, so it may be probed"
    assert (await setting.ask("cleo"))[0] == "An answer."


def test_old_failures_do_not_open_the_breaker() -> None:
    breaker = Breaker()
    for number in range(3 * FAILURES):
        breaker.failed(number * (WINDOW_S / (FAILURES - 2)))
        assert breaker.allows(number * 100.0)


@on_virtual_time
async def test_a_stream_without_a_finish_reason_counts_as_a_failure_and_is_read_as_before() -> None:
    setting = GatewaySetting(make_model("ada", "near", "far"), providers=(Provider("far", "c", priority=1),))
    setting.at("near").says("ada", "Half an ans", BREAK)
    for _ in range(FAILURES):
        assert await setting.ask() == ("Half an ans", "near")
    assert setting.gateway.health.read(["near"])[0].state == "paused"
    assert await setting.ask() == ("An answer.", "far")
    assert not setting.gateway.is_down(make_model("bob")), "only this model's answers broke off"
    await asyncio.sleep(OPEN_S)
    setting.at("near").says("ada", "A whole answer.")
    setting.at("near").answers["ada"].popleft()
    assert await setting.ask() == ("A whole answer.", "near")
    assert setting.gateway.health.read(["near"])[0].state == "ok"


@on_virtual_time
async def test_a_provider_that_cannot_be_reached_is_not_asked_again_where_another_route_is_up() -> None:
    setting = GatewaySetting(make_model("ada", "near", "far"), providers=(Provider("far", "c", priority=1),))
    setting.at("near").says("ada", Unreachable("refused"))
    assert await setting.ask() == ("An answer.", "far")
    assert (setting.at("near").asked("ada"), time()) == (1, 0.0)


@on_virtual_time
async def test_a_model_goes_where_calls_are_left_in_this_minute() -> None:
    providers = (Provider("near", "c", max_per_minute=2), Provider("far", "c", priority=1))
    setting = GatewaySetting(make_model("ada", "near", "far"), make_model("bob", "near"), providers=providers)
    assert [(await setting.ask())[1] for _ in range(4)] == ["near", "near", "far", "far"]
    assert (time(), await setting.ask("bob")) == (0.0, ("An answer.", "near"))
    assert time() == pytest.approx(60), "with one route it waits"
    several = await asyncio.gather(*(setting.ask("bob") for _ in range(5)), return_exceptions=True)
    refused = [error for error in several if isinstance(error, UpstreamError)]
    assert {error.leaf_code for error in refused} == {"upstream_rate_limited"}
    assert not setting.gateway.is_down(make_model("bob", "near")), "the provider is not at fault"
    assert setting.gateway.health.read(["near"])[0].state == "ok"


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("limited", ["model", "provider"])
def test_no_more_calls_run_at_once_than_allowed(limited: str) -> None:
    @on_virtual_time
    async def whole() -> None:
        model = make_model("ada", max_concurrency=3 if limited == "model" else None)
        provider = Provider("near", "c", max_concurrency=3 if limited == "provider" else None)
        setting = GatewaySetting(model, providers=(provider,))
        setting.at("near").says("ada", "Hi", Wait(1))
        await asyncio.gather(*(setting.ask() for _ in range(10)))
        assert setting.at("near").most_open == 3
        assert time() == pytest.approx(4.0)

    whole()


@on_virtual_time
async def test_a_slot_is_given_back_by_calls_that_fail_or_are_cancelled() -> None:
    setting = GatewaySetting(make_model("ada", max_concurrency=1))
    setting.at("near").says("ada", Rejected("no"))
    setting.at("near").says("ada", Forever())
    setting.at("near").says("ada", "Hi")
    await setting.fails()
    stuck = asyncio.create_task(setting.ask())
    await asyncio.sleep(1)
    stuck.cancel()
    assert (await setting.ask())[0] == "Hi"
    with pytest.raises(asyncio.CancelledError):
        await stuck


# ── deadlines ────────────────────────────────────────────────────────────────────────────────────


@on_virtual_time
async def test_a_model_that_does_not_begin_is_waited_for_once() -> None:
    setting = GatewaySetting(make_model("ada", timeout_s=20.0))
    setting.at("near").says("ada", Forever())
    error = await setting.fails()
    assert error.leaf_code == "upstream_stalled"
    assert "20 s" in error.title
    assert time() == pytest.approx(20)
    assert setting.at("near").asked("ada") == 1
    assert setting.at("near").open == 0


@on_virtual_time
async def test_the_limit_holds_over_all_attempts_and_their_pauses() -> None:
    setting = GatewaySetting(make_model("ada", timeout_s=20.0))
    setting.at("near").says("ada", Wait(9), Overloaded("Full.", retry_after_s=4.0))
    setting.at("near").says("ada", Forever())
    error = await setting.fails()
    assert "did not start to answer within 20 s" in error.title
    assert time() == pytest.approx(20)
    assert setting.at("near").asked("ada") == 2


@on_virtual_time
async def test_a_pause_that_outlasts_the_limit_is_not_waited_out() -> None:
    setting = GatewaySetting(make_model("ada", timeout_s=5.0))
    setting.at("near").says("ada", Wait(2), Overloaded("Full.", retry_after_s=4.0))
    error = await setting.fails()
    assert (error.title, time()) == ("Full.", pytest.approx(2))


@on_virtual_time
async def test_the_next_provider_gets_the_whole_limit_after_one_that_hung() -> None:
    far = Provider("far", "c", priority=1)
    setting = GatewaySetting(make_model("ada", "near", "far", timeout_s=8.0), providers=(far,))
    setting.at("near").says("ada", Forever())
    setting.at("far").says("ada", Wait(7), "Late but there.")
    assert await setting.ask() == ("Late but there.", "far")
    assert time() == pytest.approx(8 + 7)


@on_virtual_time
async def test_time_in_the_queue_for_a_slot_is_not_the_model_s() -> None:
    provider = Provider("near", "canned", max_concurrency=1)
    setting = GatewaySetting(make_model("ada", timeout_s=8.0), providers=(provider,))
    setting.at("near").says("ada", Wait(7), "Here.")
    answers = await asyncio.gather(*(setting.ask() for _ in range(3)))
    assert [text for text, _ in answers] == ["Here."] * 3
    assert time() == pytest.approx(21)


@on_virtual_time
async def test_a_model_that_stops_in_mid_answer_is_given_up_after_the_idle_limit() -> None:
    setting = GatewaySetting(make_model("ada", timeout_s=5.0), idle_s=30.0)
    setting.at("near").says("ada", Wait(4), "Half", Wait(29), " an ans", Forever())
    call = a_call()
    chunks: list[Chunk] = []
    with pytest.raises(UpstreamError) as caught:
        await listen(setting, call, chunks)
    assert caught.value.leaf_code == "upstream_stalled"
    assert (text_of(chunks), time()) == ("Half an ans", pytest.approx(4 + 29 + 30))


@on_virtual_time
async def test_the_idle_limit_counts_from_the_first_word_however_long_the_first_could_take() -> None:
    setting = GatewaySetting(make_model("ada", timeout_s=120.0), idle_s=30.0)
    setting.at("near").says("ada", Wait(4), "Half", Forever())
    chunks: list[Chunk] = []
    with pytest.raises(UpstreamError) as caught:
        await listen(setting, a_call(), chunks)
    assert caught.value.leaf_code == "upstream_stalled"
    assert (text_of(chunks), time()) == ("Half", pytest.approx(4 + 30))


@on_virtual_time
async def test_a_pause_within_the_reasoning_may_take_as_long_as_the_first_word() -> None:
    setting = GatewaySetting(make_model("ada", timeout_s=120.0), idle_s=30.0)
    setting.at("near").says("ada", Delta("reasoning", "I add."), Wait(100), "Four.")
    assert (await setting.ask())[0] == "I add.Four."


@on_virtual_time
async def test_a_model_that_stops_while_it_reasons_is_given_up_after_the_limit_of_the_first_word() -> None:
    setting = GatewaySetting(make_model("ada", timeout_s=120.0), idle_s=30.0)
    setting.at("near").says(
        "ada", Delta("reasoning", "I add."), Wait(100), Delta("reasoning", "So"), Forever()
    )
    error = await setting.fails()
    assert "while it was reasoning" in error.title
    assert time() == pytest.approx(100 + 120)


@on_virtual_time
async def test_a_model_that_never_ends_is_given_up_after_ten_minutes() -> None:
    setting = GatewaySetting()
    setting.at("near").says("ada", *("and ", Wait(5)) * 1000)
    error = await setting.fails()
    assert "time limit" in error.title
    assert time() == pytest.approx(600)


@on_virtual_time
async def test_stop_wins_over_a_deadline_of_the_same_moment() -> None:
    setting = GatewaySetting(make_model("ada", timeout_s=5.0), retries=0)
    setting.at("near").says("ada", Forever())
    asking = asyncio.create_task(setting.ask())
    asyncio.get_running_loop().call_later(5.0, asking.cancel)
    with pytest.raises((asyncio.CancelledError, UpstreamError)):
        await asking
    assert setting.at("near").open == 0
    assert asking.cancelled(), "a cancellation is not swallowed"


# ── ends ─────────────────────────────────────────────────────────────────────────────────────────


@on_virtual_time
async def test_leaving_early_closes_the_connector_s_stream() -> None:
    setting = GatewaySetting(
        make_model("ada", max_concurrency=1), providers=(Provider("near", "c", max_concurrency=1),)
    )
    setting.at("near").says("ada", "one", "two", Forever())
    async with aclosing(setting.gateway.stream(a_call())) as chunks:
        assert await anext(chunks) == Delta("text", "one")
        assert setting.at("near").open == 1
    assert setting.at("near").open == 0
    setting.at("near").says("ada", "free", BREAK)
    setting.at("near").answers["ada"].popleft()
    assert (await setting.ask())[0] == "free"


@on_virtual_time
async def test_cancelling_closes_the_connector_s_stream_and_leaves_no_task() -> None:
    setting = GatewaySetting()
    setting.at("near").says("ada", "one", Forever())
    asking = asyncio.create_task(setting.ask())
    await asyncio.sleep(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert setting.at("near").open == 0
    assert asyncio.all_tasks() == {asyncio.current_task()}


@on_virtual_time
async def test_a_connector_gets_the_provider_s_name_of_the_model_and_the_seed() -> None:
    setting = GatewaySetting()
    await setting.ask()
    (request,) = setting.at("near").requests
    assert (request.model, request.seat_seed, request.messages[0].content) == ("ada", 3, "Hi")


# ── pictures and files ───────────────────────────────────────────────────────────────────────────


class Shelf(MemoryBlobs):
    """Holds some bytes, and counts how often it was read."""

    def __init__(self, **stored: bytes) -> None:
        super().__init__()
        self.stored = stored
        self.reads = 0

    async def read(self, sha256: str) -> bytes:
        self.reads += 1
        return await super().read(sha256)


def shown(*sha256: str, model: str = "ada") -> Call:
    """A call that shows pictures."""
    parts = (TextPart("Look: "), *(ImagePart(name, "image/png") for name in sha256))
    return msgspec.structs.replace(a_call(model), messages=(Message("user", parts),))


@on_virtual_time
async def test_a_connector_is_handed_the_bytes_of_what_a_message_shows() -> None:
    shelf = Shelf(one=b"1", two=b"2")
    setting = GatewaySetting(make_model("ada", capabilities=("text", "vision")), blobs=shelf)
    setting.at("near").says("ada", Overloaded("busy"))
    setting.at("near").says("ada", "A cat", BREAK)
    result = CallResult()
    await listen(setting, shown("one", "two", "one"), [], result)
    assert [request.attached for request in setting.at("near").requests] == [{"one": b"1", "two": b"2"}] * 2
    assert shelf.reads == 2, "each is read once, however often it is shown and asked"
    assert result.metrics.input_tokens == 2, "a picture has no words to be estimated"


@pytest.mark.parametrize(
    ("capabilities", "blobs", "code"),
    [
        (("text",), Shelf(one=b"1"), "model_without_vision"),
        (("text", "vision"), Shelf(), "blob_missing"),
        (("text", "vision"), None, "no_blobs"),
    ],
)
def test_a_picture_that_cannot_be_shown_is_refused_in_words_and_nobody_is_asked(
    capabilities: tuple[Capability, ...], blobs: Shelf | None, code: str
) -> None:
    @on_virtual_time
    async def whole() -> None:
        setting = GatewaySetting(make_model("ada", capabilities=capabilities), blobs=blobs)
        with pytest.raises(Rejected) as caught:
            await listen(setting, shown("one"), [])
        assert (caught.value.leaf_code, caught.value.title[-1]) == (code, ".")
        assert caught.value.detail
        assert setting.at("near").requests == []

    whole()


# ── words and health ─────────────────────────────────────────────────────────────────────────────


def keyed() -> GatewaySetting:
    near = Provider("near", "c", base_url="http://me:secret@127.0.0.1:11434/v1?key=secret", api_key="secret")
    return GatewaySetting(make_model("ada"), make_model("bob"), providers=(near,))


@on_virtual_time
async def test_an_error_names_the_provider_its_address_and_the_cause_without_a_secret() -> None:
    setting = keyed()
    setting.at("near").says("ada", Unreachable("Refused.", "Start it.", cause="connection refused"))
    error = await setting.fails()
    assert error.title == "Can't reach near at http://127.0.0.1:11434: connection refused."
    assert error.detail == "Start it."
    (health,) = setting.gateway.health.read(["near"])
    assert (health.state, health.error, health.advice) == ("failing", error.title, "Start it.")
    await setting.fails()
    paused = await setting.fails()
    assert paused.leaf_code == "upstream_resting"
    assert paused.title == f"Can't reach near. Paused for {OPEN_S:.0f} s."
    assert error.title in (paused.detail or "")
    assert "secret" not in f"{paused.title} {paused.detail} {health}"
    (health,) = setting.gateway.health.read(["near"])
    assert health.state == "paused"


@on_virtual_time
async def test_an_answer_ends_a_failure_unless_it_is_blind() -> None:
    setting = GatewaySetting()
    setting.at("near").says("ada", Unreachable("no"))
    await setting.fails()
    await listen(setting, msgspec.structs.replace(a_call("bob"), blind=True), [])
    assert setting.gateway.health.read(["near"])[0].state == "failing", "who plays is not told"
    await setting.ask("bob")
    assert setting.gateway.health.read(["near"])[0].state == "ok"


@on_virtual_time
async def test_health_tells_of_no_attempt_that_was_made_good_nor_of_calls_within_ensembles() -> None:
    setting = GatewaySetting(make_model("ada", "near", "far"), providers=(Provider("far", "c", priority=1),))
    setting.at("near").says("ada", Overloaded("503"))
    result = CallResult()
    await listen(setting, msgspec.structs.replace(a_call(), blind=True), [], result)
    assert result.provider_id == "far"
    assert [it.state for it in setting.gateway.health.read(["near", "far"])] == ["ok", "ok"]
    setting.at("far").says("ada", Overloaded("503"))
    inner = msgspec.structs.replace(a_call(), inner=True)
    with pytest.raises(UpstreamError):
        await listen(setting, inner, [])
    assert [it.state for it in setting.gateway.health.read(["near", "far"])] == ["ok", "ok"]
