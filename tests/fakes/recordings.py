"""Recordings of turns for the page's reducer: canned answers, played through the real engine on a virtual clock.

    python -m tests.fakes.recordings        writes tests/fixtures/turns/*.json

Ids are counted and time is virtual, so recording again gives the same bytes.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from parley.engine import feed as feeds
from parley.engine import stage
from parley.engine.live_turn import LiveTurn
from parley.kernel.connector import Delta, Finish, Made
from parley.kernel.errors import Rejected
from parley.kernel.events import TurnSnapshot
from parley.kernel.inputs import AddInput, SkipInput, SteerInput
from parley.kernel.messages import Message, ToolCall
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.seats import Group, Seating
from parley.kernel.tools import ToolResult
from parley.modes.battle import Battle
from parley.modes.chat import Chat
from parley.modes.consortium.mode import Consortium
from parley.modes.team.mode import Team
from parley.testing import CannedEngine, Forever, Wait, decoded, heard, make_script, open_engine, until
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.panel import Panel
from tests.fakes.tools import FakeTools
from tests.fakes.virtual_loop import run

FOLDER = Path(__file__).parent.parent / "fixtures" / "turns"
BATTLE = {"left": "ada", "right": "bob"}
CHAT = {"assistant": "ada"}
PANEL = {"chair": "judge", "a": "ada", "b": "bob"}
Recorded = tuple[list[dict[str, Any]], TurnSnapshot]


async def battle_complete(engine: CannedEngine) -> Recorded:
    """Both sides answer, in every kind of code point."""
    engine.connector.says(
        "ada",
        *(
            "Grüße, e\u0301 ",
            Wait(0.2),
            "👩‍👩‍👧‍👦",
            Wait(0.1),
            " 🇨🇭 日本語\n",
            Wait(0.3),
            "a\u0308\u0323 🜁 “𝄞” " * 4,
        ),
    )
    engine.connector.says("bob", Wait(0.5), *("مرحبا ", Wait(0.1), "👍🏽 ok. ") * 6)
    return await whole(engine.start(Battle(), make_script(Battle(), BATTLE, prompt="Say hello 👋")))


async def chat_with_reasoning(engine: CannedEngine) -> Recorded:
    """One model thinks aloud, then answers."""
    thoughts = [
        part for word in ("Let ", "me ", "think… 🤔 ") for part in (Delta("reasoning", word), Wait(0.1))
    ]
    engine.connector.says("ada", *thoughts, "It ", Wait(0.1), "is ", Delta("reasoning", "Sure?"), "**4**.")
    return await whole(engine.start(Chat(), make_script(Chat(), CHAT, prompt="2 + 2?")))


async def chat_with_pictures(engine: CannedEngine) -> Recorded:
    """A model draws twice, and writes before, between and after."""
    engine.connector.says(
        "ada", "A 🐈:", Wait(0.1), Made(b"cat"), Wait(0.1), "\n\nA dog:", Made(b"dog"), " Done."
    )
    return await whole(engine.start(Chat(), make_script(Chat(), CHAT, prompt="Draw")))


async def battle_with_a_picture(engine: CannedEngine) -> Recorded:
    """One side draws, the other writes."""
    engine.connector.says("ada", "Look: ", Made(b"cat"), Wait(0.3), "a cat, " * 9)
    engine.connector.says("bob", Wait(0.5), *("I can't draw. ", Wait(0.1)) * 9)
    return await whole(engine.start(Battle(), make_script(Battle(), BATTLE, prompt="Draw")))


async def battle_void(engine: CannedEngine) -> Recorded:
    """One side fails in mid-answer."""
    engine.connector.says("ada", *("A long answer, ", Wait(0.2)) * 30)
    engine.connector.says("bob", "A short one, ", Wait(2.0), Rejected("The key was refused."))
    return await whole(engine.start(Battle(), make_script(Battle(), BATTLE)))


async def chat_stopped(engine: CannedEngine) -> Recorded:
    """The person stops a chat; the reply so far is kept."""
    engine.connector.says("ada", "As far ", Wait(0.2), "as this", Forever())
    return await stopped(engine, engine.start(Chat(), make_script(Chat(), CHAT)))


async def battle_stopped(engine: CannedEngine) -> Recorded:
    """The person stops a battle when one side has long been done."""
    engine.connector.says("ada", "Done at once, and much longer than the other one. " * 3)
    engine.connector.says("bob", "Slow ", *(Wait(0.4), "and slower ") * 5, Forever())
    return await stopped(engine, engine.start(Battle(), make_script(Battle(), BATTLE)))


async def chat_failed(engine: CannedEngine) -> Recorded:
    """A model fails; the turn still completes."""
    engine.connector.says("ada", "Half an ", Wait(0.1), Rejected("The context is too long.", "Shorten it."))
    return await whole(engine.start(Chat(), make_script(Chat(), CHAT)))


async def chat_asked_again(engine: CannedEngine) -> Recorded:
    """A failed reply, and its second attempt after a new connection."""
    engine.connector.says("ada", "Wrong ", Wait(0.1), Rejected("no"))
    engine.connector.says("ada", "Right ", Wait(0.1), "at last.")
    first, _ = await whole(engine.start(Chat(), make_script(Chat(), CHAT)))
    engine.log.renew("turn")
    second, view = await whole(engine.start(Chat(), await engine.log.read("turn")))
    return first + second, view


async def consortium_two_rounds(engine: CannedEngine) -> Recorded:
    """Three members, two of one model; one fails at first, the arbiter asks for another round."""
    words = [
        member("Paris is the capital of France. 🇫🇷", 0.9),
        member("The capital of France is Paris, I think.", "60%"),
    ]
    engine.connector.says("ada", words[0][:40], Wait(0.2), words[0][40:])
    engine.connector.says("bob", "<answer>Ly", Wait(0.1), Rejected("The key was refused."))
    engine.connector.says("bob", words[1][:30], Wait(0.3), words[1][30:])
    first = arbiter("Paris.", 0.6, more=True, areas=["since when"], dissent="Member 1 is not sure.")
    engine.connector.says("judge", first[:100], Wait(0.2), first[100:])
    engine.connector.says("judge", arbiter("The capital of France is Paris.", 0.95))
    mode = Consortium()
    seats = {"arbiter": "judge", "a": "ada", "b": "bob", "c": "ada"}
    return await whole(engine.start(mode, make_script(mode, seats, prompt="Which city?")))


async def team_debate(engine: CannedEngine) -> Recorded:
    """Two experts debate: one fails once, one changes its mind; the person adds a fact before the second round."""
    closing = "\n\nAnswers: {}\nPosition: {}\nChanged my mind: {}"
    engine.connector.says("ada", "Tea. 🍵", Wait(0.2), closing.format("none", "Tea.", "no"))
    engine.connector.says(
        "ada", "Coffee, then.", closing.format("1.2", "Coffee.", "it is early [1.2 Critic]")
    )
    engine.connector.says("bob", "Cof", Wait(0.4), "fee, says the Critic.")
    engine.connector.says("bob", "As the Proposer says", Wait(0.1), Rejected("The key was refused."))
    parts = "## Consensus\n- Something hot [1.1 Proposer] [1.2 Critic]\n\n## Disagreements\nNone.\n\n"
    parts += "## Assumptions\n- It is early\n\n## Recommendation\n1. Coffee [2.1 Proposer] [9.9]\n\n"
    engine.connector.says(
        "judge", parts, Wait(0.2), "## Minority report\n- The Critic was first [1.2 Critic]"
    )
    brief = {"members": {"c": {"role": "Moderator"}}}
    seats = {"a": "ada", "b": "bob", "c": "judge"}
    live = engine.start(Team(), make_script(Team(), seats, prompt="Tea or coffee?", brief=brief))
    reading = asyncio.create_task(heard(live.follow()))
    await until(lambda: live.round == 1)
    await engine.interject(AddInput("It is seven in the morning."))
    return await reading, live.snapshot()


async def panel_interjected(engine: CannedEngine) -> Recorded:
    """A person interjects twice before the second round, and once when no round reads it any more."""
    engine.connector.says("ada", "First, ", Wait(0.5), "and slowly.")
    engine.connector.says("ada", "Second.")
    engine.connector.says("bob", "One.")
    engine.connector.says("bob", "Two.")
    engine.connector.says("judge", "In ", Wait(0.5), "sum.")
    live = engine.start(Panel(), make_script(Panel(), PANEL, prompt="Tea or coffee?"))
    reading = asyncio.create_task(heard(live.follow()))
    await until(lambda: live.round == 1)
    await engine.interject(SteerInput("Be brief. 🜁"))
    await engine.interject(SkipInput("b"))
    await until(lambda: engine.connector.asked("judge"))
    await engine.interject(AddInput("Or water?"))
    return await reading, live.snapshot()


class Errand(Mode[Brief]):
    """The mode calls a tool, then runs those that its seat calls."""

    name = "errand"
    title = "Errand"
    summary = "For recordings"
    brief = Brief
    seating = Seating(groups=(Group("assistant"),))

    async def play(self, stage: Stage, brief: Brief) -> None:
        (seat,) = stage.seats
        await stage.call("clock", {"zone": "UTC"})
        reply = await stage.ask(seat)
        for call in reply.tool_calls:
            await stage.call(call.name, call.arguments, reply=reply, key=call.id)
        await stage.ask(seat, [Message("user", "And?")], purpose="after")


async def tools_called(engine: CannedEngine) -> Recorded:
    """The mode and its seat call tools; one call fails."""
    calls = (ToolCall(0, "call-1", "clock", "{}"), ToolCall(1, "call-2", "calendar", '{"year": 2026}'))
    engine.connector.says("ada", "Let me look.", *calls, Finish("tool_calls"))
    engine.connector.says("ada", "It is noon. 🕛")
    return await whole(engine.start(Errand(), make_script(Errand(), CHAT)))


async def slow_client(engine: CannedEngine) -> Recorded:
    """A client reads a little, then nothing for long, and reconnects."""
    engine.connector.says("ada", *("word 🜁 ", Wait(0.05)) * 60)
    live = engine.start(Chat(), make_script(Chat(), CHAT))
    frames = aiter(live.follow())
    events: list[dict[str, Any]] = []
    for _ in range(4):
        events += decoded(await anext(frames))
    await until(lambda: live.replies and next(iter(live.replies.values())).text.length > 200)
    return events + [event async for event in _rest(frames)], live.snapshot()


async def whole(live: LiveTurn) -> Recorded:
    """Follow a turn to its end."""
    return await heard(live.follow()), live.snapshot()


async def stopped(engine: CannedEngine, live: LiveTurn) -> Recorded:
    """Follow a turn that is stopped after two and a half seconds."""
    reading = asyncio.create_task(heard(live.follow()))
    await asyncio.sleep(2.5)
    await engine.runner.stop(live.id)
    return await reading, live.snapshot()


async def _rest(frames: AsyncIterator[bytes]) -> AsyncIterator[dict[str, Any]]:
    async for joined in frames:
        for event in decoded(joined):
            yield event


PLAYS: tuple[Callable[[CannedEngine], Awaitable[Recorded]], ...] = (
    battle_complete,
    battle_stopped,
    battle_void,
    battle_with_a_picture,
    chat_asked_again,
    chat_failed,
    chat_stopped,
    chat_with_pictures,
    chat_with_reasoning,
    consortium_two_rounds,
    panel_interjected,
    slow_client,
    team_debate,
    tools_called,
)


def record(play: Callable[[CannedEngine], Awaitable[Recorded]]) -> bytes:
    """Return a play's recording: the events that a client got, and the turn as the server finally shows it."""

    async def perform() -> Recorded:
        tools = FakeTools("clock")
        tools.does("clock", Wait(0.5), ToolResult(text="noon"))
        async with open_engine(tools=tools) as engine:
            return await play(engine)

    with _counted_ids(), _small_queue(), _computing_at_once():
        events, view = run(perform())
    recording = {
        "events": events,
        "views": msgspec.to_builtins(view.turn),
        "match": msgspec.to_builtins(view.match),
    }
    return msgspec.json.format(msgspec.json.encode(recording), indent=1) + b"\n"


@contextmanager
def _counted_ids() -> Iterator[None]:
    numbers = iter(range(1, 1000))
    before = stage.random_id
    stage.random_id = lambda: f"{next(numbers):032x}"
    try:
        yield
    finally:
        stage.random_id = before


@contextmanager
def _computing_at_once() -> Iterator[None]:
    """Let no thread decide what comes first."""
    before = stage.LiveStage.compute

    async def compute(self: stage.LiveStage, function: Callable[..., Any], *args: object) -> Any:
        return function(*args)

    stage.LiveStage.compute = compute
    try:
        yield
    finally:
        stage.LiveStage.compute = before


@contextmanager
def _small_queue() -> Iterator[None]:
    """Make a client count as slow after a few frames."""
    before = feeds.MAX_PENDING_BYTES
    feeds.MAX_PENDING_BYTES = 1024
    try:
        yield
    finally:
        feeds.MAX_PENDING_BYTES = before


def path_of(play: Callable[[CannedEngine], Awaitable[Recorded]]) -> Path:
    """Where a play's recording is kept."""
    return FOLDER / f"{play.__name__.replace('_', '-')}.json"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for each in PLAYS:
        path_of(each).write_bytes(record(each))
