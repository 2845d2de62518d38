"""Tests of the recorder: order, group commit, and nothing lost while the database is away."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager

import pytest

from parley.engine.recorder import Recorder
from parley.kernel.calls import CallEnded
from parley.kernel.errors import Unavailable
from parley.kernel.ports import EventLogged, LogEntry, ReplyText, TurnBegun
from parley.testing import MemoryLog, until
from tests.fakes.virtual_loop import on_virtual_time


def event(seq: int, turn: str = "turn") -> EventLogged:
    return EventLogged(turn_id=turn, seq=seq, kind="note.added", data=b"{}")


@asynccontextmanager
async def recording(
    log: MemoryLog, checkpoints: Callable[[], Sequence[LogEntry]] = tuple
) -> AsyncGenerator[Recorder]:
    recorder = Recorder(log, checkpoints)
    recorder.start()
    yield recorder
    await recorder.close()


@on_virtual_time
async def test_a_commit_waits_until_it_and_all_before_it_are_stored() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        recorder.enqueue(event(1), event(2))
        assert log.entries == []
        await recorder.commit(event(3))
        assert log.entries == [event(1), event(2), event(3)]
        await recorder.commit()


@on_virtual_time
async def test_notes_are_stored_within_a_second() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        await asyncio.sleep(0.5)
        recorder.enqueue(event(1))
        await asyncio.sleep(1.01)
        assert log.entries == [event(1)]


@on_virtual_time
async def test_commits_that_come_together_are_one_transaction() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        await asyncio.gather(*(recorder.commit(event(number)) for number in range(50)))
    assert log.transactions == [[event(number) for number in range(50)]]


@on_virtual_time
async def test_checkpoints_come_every_second_on_a_busy_server_too() -> None:
    log, texts = MemoryLog(), []

    def checkpoints() -> Sequence[LogEntry]:
        texts.append(asyncio.get_running_loop().time())
        return [ReplyText(turn_id="t", reply_id="r", attempt=1, text="so far", reasoning="")]

    async with recording(log, checkpoints) as recorder:
        for number in range(100):
            await recorder.commit(event(number))
            await asyncio.sleep(0.1)
        assert 8 <= len(texts) <= 11


@on_virtual_time
async def test_while_the_database_is_away_everybody_waits_and_nothing_is_lost() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        log.busy()
        recorder.enqueue(event(1))
        waiting = asyncio.create_task(recorder.commit(event(2)))
        await asyncio.sleep(60)
        later = asyncio.create_task(recorder.commit(event(3)))
        await asyncio.sleep(60)
        assert not waiting.done()
        assert 40 <= log.tries <= 80, "it is tried again, without haste"
        log.broken = None
        await asyncio.gather(waiting, later)
    assert log.entries == [event(1), event(2), event(3)]


@on_virtual_time
async def test_a_short_lock_delays_a_commit_a_little() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        log.busy()
        asyncio.get_running_loop().call_later(0.1, setattr, log, "broken", None)
        await recorder.commit(event(1))
        assert asyncio.get_running_loop().time() < 0.5


@on_virtual_time
async def test_closing_stores_what_is_queued() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        recorder.enqueue(event(1))
        waiting = asyncio.create_task(recorder.commit(event(2)))
        await asyncio.sleep(0)
    await waiting
    assert log.entries == [event(1), event(2)]
    with pytest.raises(Unavailable):
        await recorder.commit(event(3))


@on_virtual_time
async def test_closing_gives_up_within_five_seconds_and_says_so() -> None:
    log = MemoryLog()
    log.busy()
    async with recording(log) as recorder:
        waiting = asyncio.create_task(recorder.commit(event(1)))
        await asyncio.sleep(30)
        before = asyncio.get_running_loop().time()
    assert asyncio.get_running_loop().time() - before < 5
    with pytest.raises(Unavailable):
        await waiting


@on_virtual_time
async def test_one_entry_that_cannot_be_stored_harms_only_its_own(caplog: pytest.LogCaptureFixture) -> None:
    log = MemoryLog()
    log.refuse = TurnBegun
    async with recording(log) as recorder:
        recorder.enqueue(event(1))
        bad = asyncio.create_task(recorder.commit(event(2), TurnBegun(turn_id="bad", play=1)))
        good = asyncio.create_task(recorder.commit(event(3)))
        with pytest.raises(ValueError, match="cannot be stored"):
            await bad
        await good
    assert log.entries == [event(1), event(3)]
    assert "refused" in caplog.text


@on_virtual_time
async def test_a_caller_that_is_cancelled_does_not_take_its_entries_back() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        log.busy()
        waiting = asyncio.create_task(recorder.commit(event(1)))
        await asyncio.sleep(1)
        waiting.cancel()
        log.broken = None
        await until(lambda: log.entries)
        await recorder.commit(event(2))
    assert log.entries == [event(1), event(2)]


def a_request(turn: str) -> CallEnded:
    return CallEnded(
        call_id=f"call-of-{turn}",
        started_at=0.0,
        owner_id="owner",
        space_id="owner",
        key_id=None,
        purpose="reply",
        mode="chat",
        turn_id=turn,
        reply_id=f"reply-of-{turn}",
        attempt=1,
        model_id="ada",
        provider_id="near",
        outcome="completed",
        code=None,
        first_token_ms=1,
        duration_ms=1,
        input_tokens=1,
        output_tokens=1,
        reasoning_tokens=0,
        cached_tokens=0,
        cost_micros=1,
        estimated=False,
        from_cache=False,
    )


@on_virtual_time
async def test_a_request_is_stored_in_one_transaction_with_what_follows_it_or_not_at_all() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        log.refuse = TurnBegun
        recorder.record(a_request("bad"))
        refused = recorder.send(TurnBegun(turn_id="bad", play=1))
        recorder.record(a_request("good"))
        await recorder.commit(event(1, "good"))
        with pytest.raises(ValueError, match="cannot be stored"):
            await refused
        assert log.transactions == [[a_request("good"), event(1, "good")]], "each batch was tried alone"


@on_virtual_time
async def test_a_request_that_nothing_follows_is_stored_within_a_second_and_at_the_close() -> None:
    log = MemoryLog()
    async with recording(log) as recorder:
        recorder.record(a_request("one"))
        await asyncio.sleep(1.01)
        assert log.entries == [a_request("one")]
        recorder.record(a_request("two"))
    assert log.entries == [a_request("one"), a_request("two")]


@on_virtual_time
async def test_a_close_does_not_wait_for_an_attempt_that_is_far_away() -> None:
    clock = asyncio.get_running_loop().time
    log = MemoryLog()
    log.broken = Unavailable("Locked.", code="database_busy")
    recorder = Recorder(log, tuple)
    recorder.start()
    stored = recorder.send(event(1))
    await asyncio.sleep(5)
    # From now on the database answers at once that Parley stops.
    log.broken = Unavailable("Parley is shutting down.", code="shutting_down")
    began = clock()
    await recorder.close()
    assert clock() - began < 0.1
    with pytest.raises(Unavailable):
        await stored
