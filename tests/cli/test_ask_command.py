"""`parley ask` without a model's name, its default model, the chat it continues, and what a terminal shows of it."""

import re
from pathlib import Path

import msgspec
import pytest

from tests.fakes.commands import Run
from tests.fakes.running import write_models
from tests.fakes.terminal import in_terminal
from tests.fakes.upstream import ScriptedUpstream

QUESTION = "Why is the sky blue?"


@pytest.fixture
def run(command: Run, tmp_path: Path, upstream: ScriptedUpstream) -> Run:
    """Carry out a command of a person with two models."""
    write_models(tmp_path / "models.yaml", upstream.url, ["ada", "bob"])
    return command


def test_a_pipe_without_a_default_model_says_what_to_do_and_asks_none(
    run: Run, upstream: ScriptedUpstream
) -> None:
    refused = run("ask", QUESTION, status=2).stderr
    assert "there is no default model" in refused
    assert "parley models default MODEL" in refused
    assert not upstream.chats


def test_a_default_model_answers_until_another_is_named(run: Run, upstream: ScriptedUpstream) -> None:
    assert "no default model" in run("models", "default").stdout
    assert "(did you mean “bob”?)" in run("models", "default", "bobb", status=2).stderr
    run("models", "default", "BOB")
    assert run("models", "default").stdout == "bob\n"
    run("ask", QUESTION, given="a file")
    run("ask", "ada", QUESTION)
    run("ask", QUESTION, "-m", "Ada")
    run("ask", "Is", "water", "wet?", "--model", "ada")
    asked = [(chat.model, chat.json["messages"][-1]["content"]) for chat in upstream.chats]
    assert asked[0] == ("bob", f"{QUESTION}\n\na file")
    assert asked[1:] == [("ada", QUESTION), ("ada", QUESTION), ("ada", "Is water wet?")]


def test_a_word_that_nearly_names_a_model_is_no_question(run: Run, upstream: ScriptedUpstream) -> None:
    run("models", "default", "bob")
    near = run("ask", "adda", status=2, given="a file").stderr
    assert "There is no model “adda” (did you mean “ada”?)." in near
    assert "in quotes" in run("ask", "why", "not", status=2).stderr
    assert not upstream.chats
    assert run("ask", "summarise", given="a file").status == 0


def test_a_default_model_that_is_gone_is_named(run: Run, tmp_path: Path, upstream: ScriptedUpstream) -> None:
    run("models", "default", "bob")
    write_models(tmp_path / "models.yaml", upstream.url, ["ada"])
    assert "The default model “bob” is not available." in run("ask", QUESTION, status=2).stderr


@pytest.mark.usefixtures("run")
def test_a_terminal_is_asked_for_the_default_model_once(upstream: ScriptedUpstream) -> None:
    typed = [("Number, name or id", "9\n"), ("Number, name or id", "bbo\n"), ("did you mean", "2\n")]
    shown = in_terminal("ask", QUESTION, typed=typed)
    assert shown.status == 0
    assert "Choose a default model" in shown.terminal
    assert "Choose" not in in_terminal("ask", QUESTION).terminal
    assert [chat.model for chat in upstream.chats] == ["bob", "bob"]


def test_continue_goes_on_in_the_last_chat_with_its_model_or_another(
    run: Run, upstream: ScriptedUpstream
) -> None:
    assert "There is no chat to continue." in run("ask", "--continue", "x", status=2).stderr
    run("ask", "bob", "First")
    run("battle", "Something else")
    run("ask", "--continue", "Second")
    run("ask", "-c", "ada", "Third")
    last = upstream.chats[-2:]
    assert [chat.model for chat in last] == ["bob", "ada"]
    said = [[it["content"] for it in chat.json["messages"] if it["role"] == "user"] for chat in last]
    assert said == [["First", "Second"], ["First", "Second", "Third"]]
    assert len(msgspec.json.decode(run("sessions", "--json").stdout)) == 2


def test_a_terminal_lays_markdown_out_and_a_pipe_gets_it_raw(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("**Sky** and `sea`, [here](http://evil.example/x)\n\n- one\n", times=2)
    assert "**Sky** and `sea`" in run("ask", "ada", QUESTION).stdout
    shown = in_terminal("ask", "ada", QUESTION).terminal
    last = shown.rsplit("\x1b[2K", 1)[-1]
    plain = re.sub(r"\x1b\[[0-9;]*m", "", last)
    assert plain.startswith("Sky and sea, here (http://evil.example/x)\r\n\r\n • one\r\n")
    assert "\x1b]8" not in shown, "no link that a terminal follows"


def test_a_session_is_shown_with_names_only_after_the_vote(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("An answer.", times=5)
    run("battle", QUESTION)
    before = run("sessions", "show").stdout
    assert f"> {QUESTION}" in before
    assert "=== Assistant A ===" in before
    assert "Ada" not in before
    match = msgspec.json.decode(run("sessions", "show", "--json").stdout)["matches"][0]["match"]["id"]
    run("votes", "cast", match, "left")
    after = run("sessions", "show").stdout
    assert "=== Ada ===" in after
    assert "Assistant" not in after
    assert "Your vote: " in after
    assert "No" not in run("sessions", "show", "nowhere", status=2).stdout
