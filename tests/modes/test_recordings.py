"""Tests that the recordings which the page's reducer is tested with are what the engine says today."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest

from parley.testing import CannedEngine
from tests.fakes.deltas import texts
from tests.fakes.recordings import FOLDER, PLAYS, Recorded, path_of, record


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.__name__)
def test_a_recording_is_not_stale(play: Callable[[CannedEngine], Awaitable[Recorded]]) -> None:
    stale = f"{path_of(play).name} is stale: python -m tests.fakes.recordings"
    assert path_of(play).read_bytes() == record(play), stale


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: play.__name__)
def test_what_was_streamed_is_what_is_shown_at_last(
    play: Callable[[CannedEngine], Awaitable[Recorded]],
) -> None:
    recording = msgspec.json.decode(path_of(play).read_bytes())
    shown = {reply["seat"]: reply["text"] for reply in recording["views"]["replies"]}
    assert texts(recording["events"]) == shown
    assert recording["events"][0]["kind"] == "turn.snapshot"
    assert recording["events"][-1]["kind"] in ("turn.completed", "turn.failed", "turn.stopped")


def test_every_recording_belongs_to_a_play() -> None:
    assert {path.name for path in FOLDER.glob("*.json")} == {path_of(play).name for play in PLAYS}
