"""The demo's characters in the real team: recorded discussions, by data files alone."""

import itertools
from typing import Any

import pytest

from parley.connectors.demo import demo_catalog
from parley.kernel.views import TurnView
from parley.modes.team.mode import Team
from parley.modes.team.ready import TEAMS
from parley.testing import SmallCatalog, make_script, open_engine, until
from tests.connectors.consortium_rounds import OnDemo
from tests.fakes.virtual_loop import on_virtual_time

MODELS = ("demo-ada", "demo-vera", "demo-tilo", "demo-pico")
RUST = "Should a small team write its backend in Rust?"
QUESTIONS = (RUST, "Explain recursion", "What is a p-value?", "Nobody has recorded this one, I hope")
BRIEFS = {each["name"]: each["brief"] for each in TEAMS} | {"Trial": {"strategy": "trial"}}


async def play(brief: dict[str, Any], question: str) -> TurnView:
    """Play a team of demo models to its end."""
    seats = dict(zip("abcd", MODELS, strict=True))
    kept = {seat: seats[seat] for seat in brief.get("members", seats)}
    providers, models = demo_catalog()
    async with open_engine(OnDemo(), catalog=SmallCatalog(models, providers)) as engine:
        live = engine.start(Team(), make_script(Team(), kept, prompt=question, brief=brief))
        await until(live.finished.is_set)
        return live.snapshot().turn


def data(turn: TurnView, name: str) -> list[Any]:
    return [note.data for note in turn.notes if note.name == f"team.{name}/1"]


@pytest.mark.parametrize(("name", "question"), list(itertools.product(BRIEFS, QUESTIONS)))
@on_virtual_time
async def test_a_team_of_demo_models_comes_to_a_whole_synthesis(name: str, question: str) -> None:
    turn = await play(BRIEFS[name], question)
    assert turn.status == "completed"
    assert "{{" not in "".join(reply.text for reply in turn.replies)
    (synthesis,) = data(turn, "synthesis")
    assert (synthesis["parsed"], synthesis["warning"]) == (True, None)
    points = [point for part in ("consensus", "recommendation") for point in synthesis[part]]
    assert points
    assert not any(point["unknown"] for point in points)
    said = data(turn, "said")
    assert all(each["position"] and each["problem"] is None for each in said)
    assert all(each["how"] == "moderator" for each in data(turn, "choice"))


@pytest.mark.parametrize("name", BRIEFS)
@on_virtual_time
async def test_the_recorded_discussion_has_answers_changes_of_mind_and_points_with_their_origin(
    name: str,
) -> None:
    turn = await play(BRIEFS[name], RUST)
    said, (synthesis,) = data(turn, "said"), data(turn, "synthesis")
    texts = [reply.text for reply in turn.replies if reply.purpose != "choose"]
    assert len(texts) == len(set(texts)), "nobody says the same twice"
    assert sum(bool(each["answers"]) for each in said) >= len(said) // 2
    assert any(each["changed"] for each in said)
    sources = [
        point["refs"] for part in ("consensus", "disagreements", "minority") for point in synthesis[part]
    ]
    assert sum(map(bool, sources)) >= 4
