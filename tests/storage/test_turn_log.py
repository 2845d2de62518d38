"""Tests of the turn log: what is written comes back as the script of the turn's next play."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from sqlalchemy import select, text

from parley.kernel.calls import CallEnded
from parley.kernel.errors import NotFound, Problem
from parley.kernel.events import Event, ReplyStarted, ToolCalled, ToolReturned, TurnRenewed, event_kind
from parley.kernel.inputs import ContinueInput, PromptInput, TurnInput
from parley.kernel.messages import Attached, ImagePart, Message, ReplyPart, TextPart, ToolCall, sha256_text
from parley.kernel.ports import (
    EventLogged,
    LogEntry,
    ReplyEnded,
    ReplyOpened,
    ReplyText,
    TurnBegun,
    TurnEnded,
)
from parley.kernel.tools import ToolResult
from parley.kernel.views import Metrics
from parley.storage.database import Database, Transaction
from parley.storage.tables.attachments import AttachmentRow, TurnAttachmentRow
from parley.storage.tables.bookkeeping import CallRow
from parley.storage.tables.conversations import (
    AttemptRow,
    MatchRow,
    ReplyRow,
    SeatRow,
    SessionRow,
    TurnRow,
    UserRow,
)
from parley.storage.turn_log import SqlTurnLog
from tests.fakes.databases import ON_EVERY_KIND

pytestmark = ON_EVERY_KIND

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
METRICS = Metrics(
    ttft_ms=12,
    duration_ms=340,
    input_tokens=5,
    output_tokens=6,
    reasoning_tokens=0,
    tokens_per_second=20.0,
    cost_micros=99,
    estimated=False,
)


class FixedClock:
    def now(self) -> float:
        return NOW.timestamp()


class StoredTurns:
    """A turn log, and a short way to put sessions, matches and turns beneath it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.log = SqlTurnLog(database, FixedClock())

    async def open(self) -> None:

        def change(session: Transaction):
            session.insert(UserRow(id="owner", voter_id="voter", name="Owner", created_at=NOW))
            session.insert(
                SessionRow(
                    id="session",
                    owner_id="owner",
                    space_id="owner",
                    title="Title",
                    mode="battle",
                    archived=False,
                    created_at=NOW,
                    updated_at=NOW,
                    deleted_at=None,
                )
            )

        await self.database.write(change)

    async def match(self, match_id: str, index: int, *, parent: tuple[str, str] | None = None) -> None:

        def change(session: Transaction):
            session.insert(
                MatchRow(
                    id=match_id,
                    session_id="session",
                    owner_id="owner",
                    index=index,
                    mode="battle",
                    brief={"some": "setting"},
                    brief_version=1,
                    blind=True,
                    paced=True,
                    ballot=None,
                    status="open",
                    void=None,
                    propensity=0.5,
                    created_at=NOW,
                )
            )
            for number, name in enumerate(("left", "right")):
                seat = {"id": f"{match_id}-{name}", "match_id": match_id, "index": number}
                parent_turn, parent_seat = parent or (None, None)
                onward = {"parent_turn_id": parent_turn, "parent_seat": parent_seat}
                stay = {"settings": None, "from_turn": 0, "until_turn": None}
                session.insert(
                    SeatRow(**seat, **onward, **stay, name=name, role=name, model_id=f"model-{name}")
                )

        await self.database.write(change)

    async def turn(self, match_id: str, index: int, said: TurnInput, status: str = "running") -> str:
        turn_id = f"{match_id}-t{index}"

        def change(session: Transaction):
            session.insert(
                TurnRow(
                    id=turn_id,
                    match_id=match_id,
                    session_id="session",
                    owner_id="owner",
                    author_id="owner",
                    index=index,
                    input=msgspec.to_builtins(said),
                    input_sha256=sha256_text("x"),
                    status=status,
                    play=0,
                    error=None,
                    created_at=NOW.replace(minute=index),
                    ended_at=None,
                )
            )

        await self.database.write(change)
        return turn_id

    async def said(self, turn_id: str, **texts: str) -> None:
        """Let seats complete a turn."""
        for seat, said in texts.items():
            await self.log.write([opened(turn_id, seat), ended(turn_id, seat, said)])

    async def reply(self, reply_id: str) -> ReplyRow:

        def look(session: Transaction):
            return session.one(ReplyRow, ReplyRow.c.id == reply_id)

        return await self.database.read(look)


@pytest.fixture
async def turns(database: Database) -> StoredTurns:
    turns = StoredTurns(database)
    await turns.open()
    await turns.match("m", 0)
    await turns.turn("m", 0, PromptInput("Hello"))
    return turns


def opened(turn_id: str = "m-t0", seat: str = "left", attempt: int = 1, **changes: Any) -> ReplyOpened:
    entry = ReplyOpened(
        turn_id=turn_id,
        reply_id=f"{turn_id}-{seat}",
        path="",
        parent_reply_id=None,
        round=0,
        seat=seat,
        purpose="answer",
        order=("left", "right").index(seat),
        model_id=f"model-{seat}",
        attempt=attempt,
        messages_sha256="0" * 64,
    )
    return msgspec.structs.replace(entry, **changes)


def ended(
    turn_id: str = "m-t0", seat: str = "left", said: str = "Done.", attempt: int = 1, **changes: Any
) -> ReplyEnded:
    entry = ReplyEnded(
        turn_id=turn_id,
        reply_id=f"{turn_id}-{seat}",
        attempt=attempt,
        status="completed",
        text=said,
        reasoning="",
        finish_reason="stop",
        metrics=METRICS,
        error=None,
        timeline=msgspec.msgpack.encode([10, 5]),
    )
    return msgspec.structs.replace(entry, **changes)


def event(seq: int, kind: str = "round.started", **data: Any) -> EventLogged:
    return EventLogged(turn_id="m-t0", seq=seq, kind=kind, data=msgspec.json.encode(data or {"round": 1}))


async def test_a_turn_that_was_never_played_has_an_empty_record(turns: StoredTurns) -> None:
    script = await turns.log.read("m-t0")
    assert (script.play, script.next_seq, script.steps, script.notes) == (1, 0, (), ())
    assert (script.mode, script.brief, script.prompt) == ("battle", {"some": "setting"}, "Hello")
    assert [(seat.name, seat.role, seat.model_id) for seat in script.seats] == [
        ("left", "left", "model-left"),
        ("right", "right", "model-right"),
    ]
    assert script.history == {"left": (), "right": ()}
    assert script.created_at == "2026-01-01T12:00:00+00:00"


async def test_what_was_written_is_read_back(turns: StoredTurns) -> None:
    note = {"seq": 2, "name": "verdict/1", "round": 1, "key": "", "data": {"winner": "left", "by": [1, 2]}}
    problem = Problem(code="x", title="It broke.", detail="Ask again.")
    await turns.log.write(
        [
            TurnBegun(turn_id="m-t0", play=1),
            event(0, "turn.started", play=1),
            opened(),
            opened(seat="right"),
            event(1),
            ended(said="Grüße 👩‍👩‍👧 e\u0301", reasoning="Hm."),
            event(2, "note.added", note=note),
            ended(seat="right", said="Half", status="failed", finish_reason=None, error=problem),
        ]
    )
    script = await turns.log.read("m-t0")
    assert (script.play, script.next_seq) == (2, 3)
    assert [msgspec.to_builtins(each) for each in script.notes] == [note]
    left, right = sorted(script.steps, key=lambda step: step.seat)
    assert (left.text, left.reasoning, left.status) == ("Grüße 👩‍👩‍👧 e\u0301", "Hm.", "completed")
    assert (left.metrics, left.finish_reason, left.error) == (METRICS, "stop", None)
    assert (right.status, right.error) == ("failed", problem)
    row = await turns.reply("m-t0-left")
    assert row.text_sha256 == sha256_text(left.text)
    assert msgspec.msgpack.decode(row.timeline or b"") == [10, 5]


def logged(seq: int, event: Event) -> EventLogged:
    return EventLogged(turn_id="m-t0", seq=seq, kind=event_kind(event), data=msgspec.json.encode(event))


async def test_a_step_comes_back_with_the_tools_that_its_latest_attempt_called(turns: StoredTurns) -> None:
    def started(attempt: int) -> ReplyStarted:
        return ReplyStarted(
            turn_id="m-t0",
            reply_id="m-t0-left",
            seat="left",
            path="",
            round=0,
            purpose="answer",
            order=0,
            attempt=attempt,
        )

    def called(call_id: str, attempt: int = 2) -> ToolCalled:
        return ToolCalled(
            turn_id="m-t0",
            reply_id="m-t0-left",
            call_id=call_id,
            name="clock",
            arguments='{"zone": 1}',
            attempt=attempt,
        )

    await turns.log.write(
        [opened(), logged(0, started(1)), logged(1, called("old", attempt=1)), ended(said="One")]
    )
    await turns.log.write([opened(attempt=2), logged(2, started(2))])
    assert (await turns.log.read("m-t0")).steps[0].tool_calls == ()
    await turns.log.write([logged(3, called("a")), logged(4, called("b")), ended(said="Two", attempt=2)])
    assert (await turns.log.read("m-t0")).steps[0].tool_calls == (
        ToolCall(0, "a", "clock", '{"zone": 1}'),
        ToolCall(1, "b", "clock", '{"zone": 1}'),
    )


async def test_calls_of_tools_come_back_with_their_results(turns: StoredTurns) -> None:
    failed = ToolResult(error=Problem(code="clock_stopped", title="The clock stands still."))

    def called(call_id: str) -> ToolCalled:
        return ToolCalled(
            turn_id="m-t0", reply_id=None, call_id=call_id, name="clock", arguments="{}", path="left.0.answer"
        )

    def returned(call_id: str, result: ToolResult) -> ToolReturned:
        return ToolReturned(turn_id="m-t0", reply_id=None, call_id=call_id, result=result)

    before = [called("a"), called("b"), returned("a", ToolResult(text="noon")), returned("b", failed)]
    after = [TurnRenewed(turn_id="m-t0"), called("b"), called("c")]
    await turns.log.write([logged(seq, each) for seq, each in enumerate([*before, *after])])
    records = (await turns.log.read("m-t0")).tools
    assert {record.path for record in records} == {"left.0.answer"}
    assert [(each.call.id, each.call.result, each.stale) for each in records] == [
        ("a", ToolResult(text="noon"), True),
        ("b", None, False),
        ("c", None, False),
    ]


async def test_a_turn_that_is_not_there_is_not_found(turns: StoredTurns) -> None:
    with pytest.raises(NotFound):
        await turns.log.read("nowhere")


async def test_unfinished_turns_are_those_that_run_oldest_first(turns: StoredTurns) -> None:
    await turns.match("n", 1)
    await turns.turn("n", 1, PromptInput("Later"))
    await turns.turn("n", 0, PromptInput("Done"), status="completed")
    assert await turns.log.unfinished() == ["m-t0", "n-t1"]
    await turns.log.write([the_end("m-t0", "completed")])
    assert await turns.log.unfinished() == ["n-t1"]
    await turns.log.write([TurnBegun(turn_id="m-t0", play=2)])
    assert await turns.log.unfinished() == ["m-t0", "n-t1"]


def the_end(turn_id: str, status: Any, **changes: Any) -> TurnEnded:
    entry = TurnEnded(turn_id=turn_id, match_id="m", status=status, error=None, released=None, void=None)
    return msgspec.structs.replace(entry, **changes)


async def test_a_higher_attempt_replaces_what_a_lower_one_said(turns: StoredTurns) -> None:
    problem = Problem(code="x", title="It broke.")
    await turns.log.write([opened(), ended(said="Wrong", status="failed", error=problem)])
    await turns.log.write([opened(attempt=2, messages_sha256="1" * 64)])
    row = await turns.reply("m-t0-left")
    assert (row.attempt, row.status, row.text, row.error, row.metrics) == (2, "waiting", "", None, None)
    assert row.messages_sha256 == "1" * 64, "a step that hears something else has another fingerprint"
    assert (row.timeline, row.text_sha256, row.finish_reason) == (None, None, None)
    late = ReplyText(turn_id="t", reply_id="m-t0-left", attempt=1, text="late", reasoning="late")
    await turns.log.write([late, ended(said="late", attempt=1)])
    assert (await turns.reply("m-t0-left")).text == ""
    await turns.log.write(
        [ReplyText(turn_id="t", reply_id="m-t0-left", attempt=2, text="So far", reasoning="Hm")]
    )
    row = await turns.reply("m-t0-left")
    assert (row.status, row.text, row.reasoning) == ("streaming", "So far", "Hm")


async def test_the_parts_of_a_reply_come_back_in_its_turn_in_later_ones_and_in_earlier_attempts(
    turns: StoredTurns,
) -> None:
    attached = Attached(
        sha256="1" * 64, name="picture.png", media_type="image/png", size=9, tokens=1, width=4, height=3
    )
    parts = (ReplyPart(2, attached), ReplyPart(5, attached))

    def upload(transaction: Transaction) -> None:
        times = {"created_at": NOW, "kept_until": NOW.replace(year=2030)}
        fields = {**msgspec.structs.asdict(attached), "thumbnail_sha256": None, **times}
        transaction.insert(AttachmentRow(owner_id="owner", **fields))

    def kept(transaction: Transaction) -> tuple[Sequence[Any], datetime | None]:
        having = transaction.execute(select(TurnAttachmentRow.c.turn_id, TurnAttachmentRow.c.sha256)).all()
        return [tuple(each) for each in having], transaction.scalar(select(AttachmentRow.c.kept_until))

    await turns.database.write(upload)
    await turns.log.write([opened(), ended(said="A cat", parts=parts)])
    (step,) = (await turns.log.read("m-t0")).steps
    assert step.parts == parts
    expected = ([("m-t0", "1" * 64)], NOW)
    assert await turns.database.read(kept) == expected, "it is kept as long as the turn"
    later = await turns.turn("m", 1, PromptInput("Again"))
    image = ImagePart("1" * 64, "image/png")
    history = (await turns.log.read(later)).history["left"]
    assert history[-1].content == (TextPart("A "), image, TextPart("cat"), image)
    await turns.log.write([opened(attempt=2)])
    assert (await turns.reply("m-t0-left")).parts is None
    query = select(AttemptRow.c.parts)
    stored = await turns.database.read(lambda transaction: transaction.scalar(query))
    assert msgspec.convert(stored, tuple[ReplyPart, ...]) == parts


async def test_a_part_whose_bytes_were_deleted_meanwhile_does_not_hold_up_the_reply(
    turns: StoredTurns,
) -> None:
    attached = Attached(sha256="1" * 64, name="picture.png", media_type="image/png", size=9, tokens=1)
    await turns.log.write([opened(), ended(parts=(ReplyPart(0, attached),))])
    assert (await turns.reply("m-t0-left")).status == "completed"


async def test_the_entries_of_one_write_are_all_stored_or_none(turns: StoredTurns) -> None:
    await turns.log.write([event(0)])
    entries: Sequence[LogEntry] = [opened(), event(1), event(0)]
    with pytest.raises(Exception, match=r"(?i)unique"):
        await turns.log.write(entries)
    script = await turns.log.read("m-t0")
    assert (script.steps, script.next_seq) == ((), 1)


async def test_nul_and_lone_surrogates_are_stored_as_replacement_characters(turns: StoredTurns) -> None:
    bad = "a\x00b\ud800c\\u0000d"
    nul = "a\x00b\\u0000c"
    note = {"seq": 0, "name": f"n{nul}/1", "round": 0, "key": "", "data": {nul: [nul]}}
    problem = Problem(code="x", title=nul, detail=nul)
    await turns.log.write(
        [
            opened(),
            ReplyText(turn_id="t", reply_id="m-t0-left", attempt=1, text=bad, reasoning=bad),
            ended(said=bad, reasoning=bad, error=problem),
            event(0, "note.added", note=note),
            the_end("m-t0", "failed", error=problem, void=problem),
        ]
    )
    script = await turns.log.read("m-t0")
    (step,) = script.steps
    assert step.text == step.reasoning == "a\ufffdb\ufffdc\\u0000d"
    assert len(step.text) == len(bad), "offsets stay what they were"
    mended = "a\ufffdb\\u0000c"
    assert script.notes[0].data == {mended: [mended]}
    assert step.error == Problem(code="x", title=mended, detail=mended)


async def test_requests_are_stored_as_they_were(turns: StoredTurns) -> None:
    request = CallEnded(
        call_id="call",
        started_at=NOW.timestamp() - 2.5,
        owner_id="owner",
        space_id="team",
        key_id="key",
        purpose="reply",
        mode="battle",
        turn_id="m-t0",
        reply_id="m-t0-left",
        attempt=1,
        model_id="model-left",
        provider_id="near",
        outcome="completed",
        code=None,
        first_token_ms=20,
        duration_ms=300,
        input_tokens=1,
        output_tokens=2,
        reasoning_tokens=1,
        cached_tokens=1,
        cost_micros=3_000_000_000,
        estimated=True,
        from_cache=False,
    )
    unknown = msgspec.structs.replace(
        request,
        purpose="categories",
        mode=None,
        turn_id=None,
        reply_id=None,
        attempt=2,
        model_id="name\x00" + 100 * "x",
        provider_id=None,
        outcome="refused",
        code="not_found",
        first_token_ms=None,
        cost_micros=None,
    )
    await turns.log.write([request, unknown])
    table = CallRow.table

    def look(transaction: Transaction):
        return transaction.execute(select(table).order_by(table.c.attempt)).mappings().all()

    first, second = await turns.database.read(look)
    wanted = msgspec.structs.asdict(request) | {"started_at": NOW - timedelta(seconds=2.5)}
    assert {name: first[name] for name in wanted} == wanted
    assert second["model_id"] == "name\ufffd" + 59 * "x", "anything may be asked for"
    assert (second["provider_id"], second["cost_micros"], second["turn_id"]) == (None, None, None)
    assert first["id"] != second["id"]


async def test_the_end_of_a_turn_voids_its_match_with_it(turns: StoredTurns) -> None:
    problem = Problem(code="battle_void", title="Void.")
    await turns.log.write([the_end("m-t0", "failed", error=problem, void=problem)])

    def look(session: Transaction):
        match, turn = (
            session.one(MatchRow, MatchRow.c.id == "m"),
            session.one(TurnRow, TurnRow.c.id == "m-t0"),
        )
        return match, turn

    match, turn = await turns.database.read(look)
    assert (match.status, match.void) == ("void", {"code": "battle_void", "title": "Void."})
    assert turn.status == "failed"
    await turns.log.write([TurnBegun(turn_id="m-t0", play=2)])

    def look_again(session: Transaction):
        return session.one(TurnRow, TurnRow.c.id == "m-t0")

    turn = await turns.database.read(look_again)
    assert (turn.status, turn.error, turn.play) == ("running", None, 2)


async def test_the_end_of_a_turn_says_how_much_of_each_reply_was_seen(turns: StoredTurns) -> None:
    await turns.said("m-t0", left="one", right="two")
    ids = ("m-t0-left", "m-t0-right")
    for released, stored in (({ids[0]: 3, ids[1]: 0}, [3, 0]), (None, [3, 0]), ({ids[1]: 2}, [None, 2])):
        await turns.log.write([the_end("m-t0", "stopped", released=released)])
        assert [(await turns.reply(reply_id)).released for reply_id in ids] == stored
    await turns.log.write([opened("m-t0", "right", attempt=2)])
    assert (await turns.reply(ids[1])).released is None, "a new attempt was seen by nobody"


async def test_a_reply_keeps_its_place(turns: StoredTurns) -> None:
    await turns.said("m-t0", right="two", left="one")
    assert {step.seat: step.order for step in (await turns.log.read("m-t0")).steps} == {
        "left": 0,
        "right": 1,
    }


async def test_a_match_that_was_voted_on_is_never_voided(turns: StoredTurns) -> None:

    def change(session: Transaction):
        session.execute(text("UPDATE matches SET status = 'voted'"))

    await turns.database.write(change)
    await turns.log.write([the_end("m-t0", "failed", void=Problem(code="x", title="x"))])

    def look(session: Transaction):
        assert (session.one(MatchRow, MatchRow.c.id == "m")).status == "voted"

    await turns.database.read(look)


async def test_each_seat_has_its_own_history_of_completed_replies(turns: StoredTurns) -> None:
    await turns.said("m-t0", left="L0", right="R0")
    await turns.turn("m", 1, PromptInput("Second"))
    await turns.log.write(
        [
            opened("m-t1"),
            ended("m-t1", said="L1 broke off", status="incomplete"),
            opened("m-t1", "right"),
            ended("m-t1", "right", said="R1"),
        ]
    )
    await turns.turn("m", 2, ContinueInput())
    script = await turns.log.read("m-t2")
    assert script.prompt == "Second", "the last text of the person"
    assert script.history["left"] == (Message("user", "Hello"), Message("assistant", "L0"))
    assert script.history["right"] == (
        Message("user", "Hello"),
        Message("assistant", "R0"),
        Message("user", "Second"),
        Message("assistant", "R1"),
    )
    assert (await turns.log.read("m-t0")).history == {"left": (), "right": ()}


async def test_of_a_turn_with_rounds_the_last_word_counts(turns: StoredTurns) -> None:
    first = opened(round=1)
    again = opened(round=2, reply_id="second")
    await turns.log.write([first, ended(said="draft"), again, ended(said="final", reply_id="second")])
    inner = opened(path="step/1", reply_id="inner", parent_reply_id="second", round=9)
    await turns.log.write([inner, ended(said="inner", reply_id="inner")])
    await turns.turn("m", 1, PromptInput("Next"))
    script = await turns.log.read("m-t1")
    assert script.history["left"] == (Message("user", "Hello"), Message("assistant", "final"))


@pytest.mark.parametrize(
    ("choice", "kept"),
    [({}, ["L2"]), ({"revises": True}, ["L2"]), ({"revises": False}, ["L1", "Continue.", "L2"])],
)
async def test_what_a_mode_concluded_is_kept_of_a_turn_and_takes_the_place_of_the_last_where_it_revises(
    turns: StoredTurns, choice: dict[str, bool], kept: list[str]
) -> None:
    async def concludes(turn_id: str, seq: int, text: str, kind: str = "seat.concluded") -> None:
        data = msgspec.json.encode({"kind": kind, "turn_id": turn_id, "seat": "left", "text": text, **choice})
        await turns.log.write([EventLogged(turn_id=turn_id, seq=seq, kind=kind, data=data)])

    await turns.said("m-t0", left="<x>L0</x>", right="R0")
    await concludes("m-t0", 5, "stale")
    await concludes("m-t0", 6, "", "turn.renewed")
    await turns.turn("m", 1, PromptInput("Second"))
    await turns.said("m-t1", left="<x>L1</x>", right="R1")
    await concludes("m-t1", 5, "draft")
    await concludes("m-t1", 6, "L1")
    await turns.turn("m", 2, ContinueInput())
    await turns.said("m-t2", left="<x>L2</x>", right="R2")
    await concludes("m-t2", 5, "L2")
    await turns.turn("m", 3, PromptInput("Third"))
    script = await turns.log.read("m-t3")
    contents = {seat: [message.content for message in talk] for seat, talk in script.history.items()}
    assert contents["left"] == ["Hello", "<x>L0</x>", "Second", *kept]
    assert contents["right"] == ["Hello", "R0", "Second", "R1", "Continue.", "R2"], "no answer is lost"


async def test_what_was_asked_before_a_retry_is_stale_and_its_notes_do_not_hold(turns: StoredTurns) -> None:
    def note(seq: int, text: str) -> EventLogged:
        note = {"seq": seq, "name": "x/1", "round": 1, "key": "", "data": text}
        data = msgspec.json.encode({"kind": "note.added", "turn_id": "m-t0", "note": note})
        return EventLogged(turn_id="m-t0", seq=seq, kind="note.added", data=data)

    def event(seq: int, kind: str, **more: str) -> EventLogged:
        data = msgspec.json.encode({"kind": kind, "turn_id": "m-t0", **more})
        return EventLogged(turn_id="m-t0", seq=seq, kind=kind, data=data)

    left, right = opened("m-t0"), opened("m-t0", "right")
    await turns.log.write([left, right, event(0, "reply.started", reply_id=left.reply_id), note(1, "old")])
    script = await turns.log.read("m-t0")
    assert [step.stale for step in script.steps] == [False, False]
    await turns.log.write([event(2, "turn.renewed"), event(3, "reply.started", reply_id=right.reply_id)])
    script = await turns.log.read("m-t0")
    assert ({step.seat: step.stale for step in script.steps}, script.notes) == (
        {"left": True, "right": False},
        (),
    )
    await turns.log.write([note(4, "new")])
    await turns.log.write([the_end("m-t0", "completed", dropped=(left.reply_id,))])
    script = await turns.log.read("m-t0")
    assert [step.seat for step in script.steps] == ["right"]
    assert [note.data for note in script.notes] == ["new"]


async def test_a_match_that_carries_on_another_begins_with_that_seat_s_history(turns: StoredTurns) -> None:
    await turns.said("m-t0", left="L0", right="R0")
    await turns.turn("m", 1, PromptInput("Not carried on"))
    await turns.said("m-t1", left="L1", right="R1")
    await turns.match("child", 1, parent=("m-t0", "right"))
    await turns.turn("child", 0, PromptInput("In child"))
    await turns.said("child-t0", left="C0", right="D0")
    await turns.match("grandchild", 2, parent=("child-t0", "left"))
    await turns.turn("grandchild", 0, PromptInput("In grandchild"))
    script = await turns.log.read("grandchild-t0")
    contents = [message.content for message in script.history["right"]]
    assert contents == ["Hello", "R0", "In child", "C0"]
    assert script.history["left"] == script.history["right"]


async def test_a_lineage_whose_parent_is_gone_is_carried_as_far_as_it_goes(turns: StoredTurns) -> None:
    await turns.match("child", 1, parent=("gone", "right"))
    await turns.turn("child", 0, PromptInput("In child"))
    assert (await turns.log.read("child-t0")).history == {"left": (), "right": ()}
