"""`parley team` as a person runs it: save, list, show, run to the synthesis, remove."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.fakes.commands import Run, hurry_demo, runner

QUESTION = "Should a small team write its backend in Rust?"
MEMBERS = ("-m", "demo-pico=Proposer", "-m", "ada (demo)=Poet: Rhyme: always.", "-m", "demo-tilo=Moderator")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Carry out a command in this process, with demo models that need no time."""
    hurry_demo(monkeypatch)
    return runner(tmp_path, monkeypatch, "team")


def show(run: Run, name: str) -> dict[str, Any]:
    return msgspec.json.decode(run("show", name, "--json").stdout)


def test_a_team_is_saved_asked_changed_and_removed(run: Run) -> None:
    assert run("save", "board", *MEMBERS, "--rounds", "1").stdout == "board: saved.\n"
    asked = run("run", "board", QUESTION)
    assert asked.stdout.startswith("## Consensus\n")
    assert asked.stdout.rstrip().splitlines()[-1].startswith("- ")
    assert "This takes 3 calls" in asked.stderr
    assert "[1.1 Proposer] · " in asked.stderr
    assert "No. Measure first" in asked.stderr
    assert "1 round, 2 statements" in asked.stderr
    assert (
        run("save", "board", *MEMBERS, "--strategy", "trial", "-o", "pause=each_round").stdout
        == "board: changed.\n"
    )
    saved = show(run, "board")
    assert saved["seats"] == {"a": "demo-pico", "b": "demo-ada", "c": "demo-tilo"}
    assert saved["brief"]["members"]["b"] == {"role": "Poet", "instructions": "Rhyme: always."}
    assert (saved["brief"]["strategy"], saved["brief"]["pause"]) == ("trial", "each_round")
    line = "board: demo-pico (Proposer), demo-ada (Poet), demo-tilo (Moderator); trial"
    assert line in run("list").stdout
    assert line in run("show", "board").stdout
    assert run("remove", "board").stdout == "board: removed.\n"
    assert "There are no teams yet. Save one with: parley team save" in run("list").stdout


def test_a_ready_team_takes_the_models_in_order(run: Run) -> None:
    models = [part for model in ("ada", "vera=Judge", "tilo", "pico") for part in ("-m", f"demo-{model}")]
    run("save", "mine", "--like", "research question", *models, "-o", "rounds=1")
    brief = show(run, "mine")["brief"]
    assert [member["role"] for member in brief["members"].values()] == [
        "Domain expert",
        "Judge",
        "Devil's advocate",
        "Moderator",
    ]
    assert (brief["strategy"], brief["rounds"]) == ("panel", 1)


def test_json_has_the_synthesis_and_the_turn(run: Run) -> None:
    run("save", "board", *MEMBERS, "-o", "pause=each_round", "-o", "rounds=1")
    done = run("run", "board", QUESTION, "--json", "-o", "strategy=round_robin")
    document = msgspec.json.decode(done.stdout)
    assert document["synthesis"]["parsed"]
    assert [reply["purpose"] for reply in document["turn"]["replies"]] == ["speak", "speak", "synthesis"]
    assert "No. Measure first" not in done.stderr


def test_what_a_cap_ends_is_reported(run: Run) -> None:
    run("save", "board", *MEMBERS)
    done = run("run", "board", QUESTION, "-o", "max_tokens=10", "--json")
    assert "The rounds ended at the cap." in done.stderr
    assert msgspec.json.decode(done.stdout)["synthesis"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "demo-ada"), "a team has 2 to 8 members"),
        (("-m", "nobody", "-m", "demo-ada"), "no model “nobody”"),
        (("-m", "demo-ada=Judge", "-m", "demo-pico"), "a team needs two members"),
        (("-m", "demo-ada=<b>", "-m", "demo-pico"), "brief.members.a.role"),
        ((*MEMBERS, "--strategy", "best"), "must be one of"),
        ((*MEMBERS, "--like", "nothing"), "Ready teams: Design review, Research question"),
        ((*MEMBERS, "-o", "writer=z"), "there is no seat “z”"),
    ],
)
def test_what_is_wrong_is_reported_and_nothing_is_saved(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    assert message in " ".join(run("save", "x", *arguments, status=2).stderr.split())
    assert "There are no teams yet" in run("list").stdout
    assert "There is no team “x”" in run("run", "x", "Hello", status=2).stderr
