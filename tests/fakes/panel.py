"""A panel: an open mode that a person pauses and steers, as a plugin would provide it.

with a_panel_plugin(tmp_path):      a Parley that is opened now, or started with that folder on its path, has it
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest

from parley.kernel.inputs import (
    INPUT_TYPES,
    INTERJECTED,
    AskInput,
    PromptInput,
    SkipInput,
    SynthesiseInput,
    TurnInput,
    text_of,
)
from parley.kernel.messages import Message
from parley.kernel.mode import Brief, Mode, Reply, Stage
from parley.kernel.seats import Group, Seat, Seating
from parley.plugins.hookspecs import hookimpl


class PanelBrief(Brief):
    """How many rounds a panel has in a turn, and whether it waits for the person after each."""

    rounds: int = 2
    pause: Literal["each_round", "never"] = "never"


class Panel(Mode[PanelBrief]):
    """Members speak in rounds, each knowing what the others said; a chair sums up at the end or when asked to."""

    name = "panel"
    title = "Panel"
    summary = "Members talk, a person steps in"
    brief = PanelBrief
    seating = Seating(groups=(Group("chair"), Group("member", 2, 4)))
    inputs = frozenset(INPUT_TYPES)
    listens = INTERJECTED
    remembers = True
    voice = "chair"

    async def play(self, stage: Stage, brief: PanelBrief) -> None:
        """Play rounds; a turn that pauses is one round, and the next one continues from it."""
        paused = brief.pause == "each_round" and stage.attended
        asks_anew = isinstance(stage.input, PromptInput) or not stage.earlier
        before = [] if asks_anew else [f"{reply.seat}: {reply.text}" for reply in _last_said(stage)]
        after = 0 if asks_anew else stage.earlier[-1].round
        said: tuple[TurnInput, ...] = () if asks_anew else (stage.input,)
        done = False
        for number in stage.rounds(1 if paused else brief.rounds, after=after):
            said = (*said, *stage.inbox)
            seats = _asked(stage, said)
            talk = _speaking(stage, number, before, said)
            replies = await stage.ask_all(seats, talk)
            stage.announce("panel.round/1", {"asked": [seat.name for seat in seats], "heard": len(said)})
            before = [f"{reply.seat.name}: {reply.text}" for reply in replies if reply.completed]
            done = any(isinstance(each, SynthesiseInput) for each in said)
            said = ()
            if done:
                break
        if done or not paused:
            await _sum_up(stage, before)


def _last_said(stage: Stage):
    last = stage.earlier[-1]
    return [reply for reply in last.replies if reply.round == last.round and reply.purpose == "answer"]


def _asked(stage: Stage, said: Sequence[TurnInput]) -> tuple[Seat, ...]:
    """Return the members to ask: all except those left out, or the one that was named."""
    skipped = {each.seat for each in said if isinstance(each, SkipInput)}
    wanted = {each.seat for each in said if isinstance(each, AskInput)}
    members = [seat for seat in stage.role("member") if seat.name not in skipped]
    return tuple(seat for seat in members if not wanted or seat.name in wanted)


def _speaking(stage: Stage, number: int, before: Sequence[str], said: Sequence[TurnInput]):
    words = " / ".join(text_of(each) for each in said if text_of(each))
    line = f"Round {number}. {stage.prompt} [{' | '.join(before)}] ({words})"
    return lambda seat: (*stage.history(seat), Message("user", line))


async def _sum_up(stage: Stage, before: Sequence[str]) -> Reply:
    (chair,) = stage.role("chair")
    asking = Message("user", f"Sum up {stage.prompt} [{' | '.join(before)}]")
    return await stage.ask(chair, (*stage.history(chair), asking), purpose="sum")


@hookimpl
def parley_modes() -> list[Mode[PanelBrief]]:
    """Offer the panel."""
    return [Panel()]


@contextmanager
def a_panel_plugin(folder: Path) -> Generator[Path]:
    """Install the panel as a package's entry point, in a folder that is put on the path of this process."""
    found = folder / "parley_panel-1.0.dist-info"
    found.mkdir(parents=True, exist_ok=True)
    (found / "METADATA").write_text("Metadata-Version: 2.1\nName: parley-panel\nVersion: 1.0\n", "utf-8")
    (found / "entry_points.txt").write_text("[parley]\npanel = tests.fakes.panel\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield folder
