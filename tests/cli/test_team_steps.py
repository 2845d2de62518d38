"""Stepping in between the rounds of `parley team run`, in a terminal."""

import os
import pty
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from parley.cli.team_steps import step_of
from tests.fakes.commands import COMMAND

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


class Terminal:
    """A command whose input and messages are a terminal."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._own, theirs = pty.openpty()
        inherited = os.environ.items()  # noqa: TID251 - the child gets ours, less what would configure it
        environment = {name: value for name, value in inherited if not name.startswith("PARLEY_")}
        environment["PARLEY_DATA_DIR"] = str(folder / "data")
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            env=environment,
            cwd=folder,
            stdin=theirs,
            stderr=theirs,
            stdout=subprocess.PIPE,
        )
        os.close(theirs)
        self.seen = ""

    def type(self, after: str, line: str) -> None:
        """Type a line once a text was shown that had not been before."""
        self.wait(after)
        os.write(self._own, line.encode())

    def wait(self, text: str) -> None:
        """Read until a text is shown, and forget what was before it."""
        ends = time.monotonic() + 60
        while text not in self.seen:
            assert time.monotonic() < ends, f"{text!r} never came: {self.seen}"
            self.seen += os.read(self._own, 4096).decode("utf-8", "replace")
        self.seen = self.seen.partition(text)[2]

    def end(self) -> tuple[int, str]:
        """Return the exit code and what went to stdout."""
        out, _ = self.process.communicate(timeout=60)
        return self.process.returncode, out.decode()


@pytest.fixture
def paused(tmp_path: Path) -> Path:
    """A data folder with a team that pauses each round."""
    members = ("-m", "demo-pico=Proposer", "-m", "demo-ada=Critic")
    save = ("team", "save", "board", *members, "-o", "pause=each_round", "--rounds", "3")
    Terminal(tmp_path, *save).end()
    return tmp_path


QUESTION = "Should a small team write its backend in Rust?"


def test_a_person_steps_in_between_the_rounds(paused: Path) -> None:
    terminal = Terminal(paused, "team", "run", "board", QUESTION)
    terminal.type("Next (", "nonsense\n")
    terminal.wait("is not one of these")
    terminal.type("Next (", "ask Critic: And in five years?\n")
    terminal.wait("[2.1 Critic]")
    terminal.type("Next (", "add We know Python.\n")
    terminal.wait("[3.1 Proposer]")
    terminal.type("Next (", "synthesise\n")
    code, answer = terminal.end()
    assert (code, answer.startswith("## Consensus")) == (0, True), answer


def test_ctrl_d_leaves_the_team_paused(paused: Path) -> None:
    terminal = Terminal(paused, "team", "run", "board", QUESTION)
    terminal.type("Next (", "\x04")
    terminal.wait("Paused. Finished statements are saved in the session.")
    assert terminal.end() == (0, "")


def test_ctrl_c_ends_the_command_while_it_waits(paused: Path) -> None:
    terminal = Terminal(paused, "team", "run", "board", QUESTION)
    terminal.wait("Next (")
    terminal.process.send_signal(2)
    assert terminal.end()[0] == 130
