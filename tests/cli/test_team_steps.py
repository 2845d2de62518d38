"""Stepping in between the rounds of `parley team run`, in a terminal."""

import os
import pty
import re
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from parley.cli.team_steps import step_of
from tests.fakes.commands import hurry_demo, runner
from tests.fakes.process import COMMAND
from tests.fakes.terminal import in_terminal

ROLES = {"a": "Proposer", "b": "Devil's advocate", "c": "Critic", "d": "Critic"}


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("\n", {"type": "continue"}),
        ("end\n", {"type": "continue", "to_end": True}),
        ("Add  it rains \n", {"type": "add", "text": "it rains"}),
        ("steer be brief", {"type": "steer", "text": "be brief"}),
        ("ask devil's advocate: Why: so?", {"type": "ask", "seat": "b", "text": "Why: so?"}),
        ("ask d: Why?", {"type": "ask", "seat": "d", "text": "Why?"}),
        ("skip", {"type": "skip"}),
        ("skip proposer", {"type": "skip", "seat": "a"}),
        ("synthesise", {"type": "synthesise"}),
    ],
)
def test_a_typed_line_is_an_input(line: str, step: dict[str, Any]) -> None:
    assert step_of(line, ROLES) == step


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("ad it rains", "“ad it rains” is not one of these"),
        ("add", "Type add TEXT."),
        ("ask proposer", "Type ask ROLE: TEXT."),
        ("ask nobody: Why?", "There is no member “nobody”. Name one of Proposer (a), "),
        ("skip critic", "2 members are “critic”. Name one of"),
    ],
)
def test_a_line_that_is_no_input_says_what_to_type(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        step_of(line, ROLES)


MEMBERS = ("-m", "demo-pico=Proposer", "-m", "demo-pico=Critic")
QUESTION = "Should a small team write its backend in Rust?"
RUN = ("team", "run", "board", QUESTION)


@pytest.fixture
def paused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder with a team that pauses each round."""
    run = runner(tmp_path, monkeypatch, "team")
    hurry_demo(monkeypatch)
    run("save", "board", *MEMBERS, "-o", "pause=each_round", "--rounds", "3")


@pytest.mark.usefixtures("paused")
def test_a_person_steps_in_between_the_rounds() -> None:
    typed = [
        ("Next (", "nonsense\n"),
        ("is not one of these", ""),
        ("Next (", "ask Critic: And in five years?\n"),
        ("[2.1 Critic]", ""),
        ("Next (", "add We know Python.\n"),
        ("[3.1 Proposer]", ""),
        ("Next (", "synthesise\n"),
    ]
    shown = in_terminal(*RUN, typed=typed, pipes=True)
    assert (shown.status, shown.stdout.startswith("## Consensus")) == (0, True), shown


@pytest.mark.usefixtures("paused")
def test_ctrl_d_leaves_the_team_paused() -> None:
    shown = in_terminal(*RUN, typed=[("Next (", "\x04")], pipes=True)
    assert "Paused. Finished statements are saved in the session." in shown.terminal
    assert (shown.status, shown.stdout) == (0, "")


@pytest.mark.slow
@pytest.mark.usefixtures("paused")
def test_ctrl_c_ends_the_process_while_it_waits() -> None:
    """A thread that waits for what is typed does not keep Python from ending."""
    here, there = pty.openpty()
    process = subprocess.Popen([*COMMAND, *RUN], stdin=there, stderr=there, stdout=subprocess.PIPE)
    os.close(there)
    seen = b""
    while b"Next (" not in seen:
        seen += os.read(here, 4096)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    os.close(here)
    assert process.returncode == 130
