"""`parley ask`, `compare` and `battle` as a person runs them: alone, beside a server, in pipes and terminals."""

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import threading
from base64 import b64encode
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.cli.answer_view import GrowingText
from parley.cli.answers import SeatReplies, SeatReply, cost_text, numbered, summary_text
from parley.settings_loading import load_settings
from parley.storage.folder_lock import lock_folder
from tests.api.test_attachments import a_picture
from tests.fakes.commands import Run, carry_out, ctrl_c
from tests.fakes.process import COMMAND
from tests.fakes.running import write_models
from tests.fakes.serving import serving
from tests.fakes.terminal import Size, in_terminal
from tests.fakes.upstream import ScriptedUpstream, delta

IN_TERMINAL = (
    "import sys; sys.argv[0] = 'parley'; import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "from parley.cli import main; main()"
)
NAMED = re.compile(r"\b(ada|bob|near|scripted)", re.IGNORECASE)
STOPPED = "Stopped. What was answered so far is saved in the session.\n"


@pytest.fixture
def run(command: Run, tmp_path: Path, upstream: ScriptedUpstream) -> Run:
    """Carry out a command of a person with two models."""
    write_models(tmp_path / "models.yaml", upstream.url, ["ada", "bob"])
    return command


def test_an_answer_goes_to_stdout_and_piped_text_follows_the_prompt(
    run: Run, upstream: ScriptedUpstream
) -> None:
    upstream.reply("x\x1b[2Jy\r", "\nz\r\n", "模", finish="length")
    done = run("ask", "Ada", "Summarise", "--system", "Be brief", "--temperature", "0.5", given="a file\n")
    assert done.stdout == "x\\x1b[2Jy\nz\n模\n"
    assert done.stderr == "The answer reached the token limit.\n"
    sent = upstream.chats[-1].json
    assert [message["content"] for message in sent["messages"]] == ["Be brief", "Summarise\n\na file\n"]
    assert sent["temperature"] == 0.5
    document = msgspec.json.decode(run("ask", "ada", "-", "--json", given="\ufeffall of it").stdout)
    assert document["turn"]["input"]["text"] == "all of it"
    assert document["turn"]["replies"][0]["metrics"]["output_tokens"] == 3
    assert "\\u6a21" in run("ask", "ada", "x", encoding="cp1252").stdout


def test_what_is_wrong_is_shown_on_stderr(run: Run, upstream: ScriptedUpstream) -> None:
    unknown = run("ask", "adda", "x", status=2).stderr
    assert unknown.splitlines()[0] == "error: There is no model “adda” (did you mean “ada”?)."
    assert "Models: ada, bob." in unknown
    assert "There is no prompt." in run("ask", "ada", status=2).stderr
    assert not upstream.chats
    upstream.fail(400, "no such thing", model="bob").reply("fine", model="ada")
    done = run("ask", "bob", "x", status=2)
    assert (done.stdout, done.stderr.count("no such thing")) == ("", 1)
    partly = run("compare", "-m", "ada", "-m", "bob", "x", status=1)
    assert "=== Ada ===\n\nfine\n" in partly.stdout
    assert "no such thing" in partly.stdout
    assert partly.stderr == "Failed: Bob.\n"
    assert "2 to 6" in run("compare", "-m", "ada", "x", status=2).stderr
    assert "--temperature: must be at most 2" in run("ask", "ada", "x", "--temperature", "3", status=2).stderr


def test_a_comparison_follows_one_block_after_another_and_sums_up(
    run: Run, upstream: ScriptedUpstream
) -> None:
    upstream.reply("short", model="bob").reply("quite ", "long", model="ada")
    done = run("compare", "-m", "ada", "-m", "bob", "-m", "ada", "x", "--one-at-a-time")
    assert re.findall("=== (.*) ===", done.stdout) == ["Ada 1", "Bob", "Ada 2"]
    assert [request.model for request in upstream.chats] == ["ada", "bob", "ada"]
    assert "Cheapest: Bob, $0.000009" in done.stdout
    assert "Total: $0.000031, 21 input tokens, 5 output tokens" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.usefixtures("run")
def test_panels_fit_a_narrow_terminal(upstream: ScriptedUpstream) -> None:
    upstream.reply("many words " * 30 + "\x1b[31mred")
    models = ["-m", "ada", "-m", "bob", "-m", "ada"]
    output, _, status = in_terminal("compare", *models, "x", columns=60)
    assert status == 0
    # A frame is drawn over the one before it: it begins with a carriage return, not with a new line.
    lines = re.split(r"[\r\n]", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", output))
    assert max(map(len, lines)) == 60
    assert any("Ada 1" in line and "Bob" in line and "Ada 2" not in line for line in lines)
    assert "\x1b[31m" not in output
    assert "\\x1b[31mred" in "".join(lines)


@pytest.mark.usefixtures("run")
def test_a_battle_in_a_terminal_names_models_after_the_vote_only() -> None:
    typed = [("Which answer", "5\n"), ("Which answer", "1\n")]
    output, _, status = in_terminal("battle", "x", columns=60, typed=typed)
    assert status == 0
    before, after = output.rsplit("Which answer", 1)
    assert "Assistant A" in before
    assert "Assistant B" in before
    assert not NAMED.search(before.replace("A scripted answer.", ""))
    assert {"Ada", "Bob"} <= set(re.findall(r"[AB]: (\w+) ", after))
    assert "Elo 1500 → 1516 (+16)" in after


def test_a_battle_without_a_terminal_prints_how_to_vote(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("An answer.")
    done = run("battle", "x")
    assert not NAMED.search(done.stdout + done.stderr)
    found = re.search("parley votes cast ([0-9a-f]+) left", done.stdout)
    assert found is not None
    assert "Elo 1500 → 1516 (+16)" in run("votes", "cast", found.group(1), "left").stdout
    voted = msgspec.json.decode(run("battle", "y", "--vote", "both_bad", "--json").stdout)
    assert voted["match"]["vote"]["vote"] == "both_bad"
    assert all(seat["model"] for seat in voted["match"]["seats"])


def test_a_void_battle_names_no_model_and_its_log_does_not_either(
    run: Run, upstream: ScriptedUpstream
) -> None:
    upstream.fail(400, "refused", model="bob").reply("fine", model="ada")
    done = run("battle", "x", "--vote", "left", status=2)
    assert "void" in done.stderr
    assert not NAMED.search(done.stdout + done.stderr)


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("arguments", [("compare", "-m", "ada", "-m", "bob"), ("battle",)])
def test_ctrl_c_stops_the_models_and_keeps_what_has_come(
    arguments: tuple[str, ...], upstream: ScriptedUpstream
) -> None:
    upstream.reply("first ", "never", hold_after=1)
    out = io.BytesIO()
    with ctrl_c(lambda: out.getvalue().startswith(b"=== A")):
        done = carry_out(*arguments, "x", out=out)
    assert done.stdout.endswith("\n")
    assert (done.status, done.stderr) == (130, STOPPED)
    upstream.release()


@pytest.mark.usefixtures("run")
def test_ctrl_c_ends_a_process_that_waits_for_an_answer(tmp_path: Path, upstream: ScriptedUpstream) -> None:
    upstream.reply("first ", "never", hold_after=1)
    process = subprocess.Popen(
        [*COMMAND, "ask", "ada", "x"], cwd=tmp_path, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    first = process.stdout.read(5)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert first == b"first"
    assert out.endswith(b"\n")
    assert (process.returncode, error.decode()) == (130, STOPPED), out
    upstream.release()


@pytest.mark.usefixtures("run")
def test_what_was_stopped_stays_in_the_terminal_and_says_so(
    tmp_path: Path, upstream: ScriptedUpstream
) -> None:
    upstream.reply("first ", "never", hold_after=1, times=2)
    pty = pytest.importorskip("pty")
    here, there = pty.openpty()
    process = subprocess.Popen(
        # A terminal of its own, so that Ctrl-C reaches it.
        [sys.executable, "-c", IN_TERMINAL, "compare", "-m", "ada", "-m", "bob", "x"], cwd=tmp_path,
        env={**os.environ, **Size(80).variables()}, stdin=there, stdout=there, stderr=there,  # noqa: TID251
        start_new_session=True,
    )  # fmt: skip
    os.close(there)
    output, keys = b"", b"\x03"
    with contextlib.suppress(OSError):  # the other end is closed
        while packet := os.read(here, 65536):
            output += packet
            if keys and b"first" in output:
                os.write(here, keys)
                keys = b""
    os.close(here)
    upstream.release()
    assert process.wait(60) == 130, output
    last = output.decode().rsplit("\x1b[2K", 1)[-1]
    assert last.count("The answer was stopped.") == 2
    assert last.rstrip().endswith(STOPPED.strip())


def test_a_command_waits_for_another_one_on_its_folder(run: Run, tmp_path: Path) -> None:
    waits = "Another command uses this data folder. Waiting for its end …\n"
    error, held = io.BytesIO(), threading.Event()

    def hold() -> None:
        with lock_folder(tmp_path / "data"):
            held.set()
            while not error.getvalue().endswith(b"\n"):
                over.wait(0.005)

    over = threading.Event()
    other = threading.Thread(target=hold)
    other.start()
    assert held.wait(20)
    done = carry_out("ask", "bob", "y", error=error)
    other.join()
    assert done == ("A scripted answer.\n", waits, 0)


@pytest.mark.usefixtures("run")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_behind_the_output_is_said_in_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "ask", "ada", "x"], cwd=tmp_path, stdin=subprocess.DEVNULL,
            stdout=full, stderr=subprocess.PIPE, timeout=110, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert (
        done.stderr.decode().splitlines()[0] == "error: The output can't be written: no space is left there."
    )
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


def test_a_running_server_is_used(run: Run, upstream: ScriptedUpstream) -> None:
    with serving(load_settings({})):
        session: Any = msgspec.json.decode(run("ask", "ada", "beside", "--json").stdout)
        assert run("ask", "bob", "again").stdout == "A scripted answer.\n"
        assert session["turn"]["status"] == "completed"


def test_a_text_is_printed_as_it_grows(capsys: pytest.CaptureFixture[str]) -> None:
    growing = GrowingText()
    growing.update("one\r")
    assert capsys.readouterr().out == "one"
    growing.update("one\r\ntwo")
    growing.update("new", ended=True)
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("\ntwo\nnew\n", "The answer was restarted.\n")


def test_answers_take_each_event_twice_and_ignore_earlier_attempts() -> None:
    answers = SeatReplies()
    answers.all = [SeatReply("a", "Ada")]
    started = {"kind": "reply.started", "seat": "a", "reply_id": "r", "attempt": 2}
    delta = {"kind": "reply.delta", "reply_id": "r", "attempt": 2, "channel": "text", "offset": 0, "end": 2}
    for event in (started, {**delta, "text": "hi"}, {**delta, "text": "hi"}, {**started, "attempt": 1}):
        answers.take(event)
    answers.take({**delta, "attempt": 1, "offset": 2, "end": 4, "text": "no"})
    assert answers.all[0].text == "hi"
    answers.take({"kind": "turn.stopped"})
    assert answers.all[0].problem == ("The answer was stopped.", None)


def test_facts_are_named_only_where_they_differ() -> None:
    assert numbered(["Ada", "Bob", "Ada"]) == ["Ada 1", "Bob", "Ada 2"]
    assert [cost_text(micros) for micros in (0, 9, 12_345)] == ["$0", "$0.000009", "$0.0123"]
    same = {"duration_ms": 5, "cost_micros": None, "input_tokens": 1, "output_tokens": 2}
    both = [SeatReply(seat, seat, status="completed", metrics=dict(same)) for seat in "ab"]
    assert summary_text(both) == "Total: no prices, 2 input tokens, 4 output tokens"
    refused = SeatReply("c", "c", status="failed", metrics={**same, "cost_micros": 0, "output_tokens": 0})
    assert "Total: no prices" in summary_text([*both, refused])
    paid = SeatReply("d", "d", status="completed", metrics={**same, "cost_micros": 90})
    assert "Total: at least $0.00009" in summary_text([*both, refused, paid])


def test_files_come_with_the_question(run: Run, upstream: ScriptedUpstream, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    (tmp_path / "notes.txt").write_text("Bring tea.")
    run("ask", "ada", "What is in them?", "--file", "table.csv", "-f", "notes.txt")
    run("battle", "And now?", "-f", "notes.txt", "--json")
    texts = [[part["text"] for part in chat.json["messages"][0]["content"]] for chat in upstream.chats]
    table, notes = (
        '<file name="table.csv">\na,b\n1,2\n\n</file>',
        '<file name="notes.txt">\nBring tea.\n</file>',
    )
    assert texts == [[table, notes, "What is in them?"], *[[notes, "And now?"]] * 2]


def test_a_picture_that_comes_with_an_answer_is_named(run: Run, upstream: ScriptedUpstream) -> None:
    url = f"data:image/png;base64,{b64encode(a_picture()).decode()}"
    picture = delta("A cat.", images=[{"image_url": {"url": url}}])
    upstream.stream(picture, delta(finish="stop"), "[DONE]", times=3)
    note = "The page shows what came with it: picture.png."
    done = run("ask", "ada", "Draw a cat.")
    assert (done.stdout, done.stderr) == ("A cat.\n", f"{note}\n")
    assert run("compare", "-m", "ada", "-m", "bob", "Draw a cat.").stdout.count(note) == 2


def test_a_file_that_cannot_be_sent_is_named_and_nothing_is_asked(
    run: Run, upstream: ScriptedUpstream, tmp_path: Path
) -> None:
    (tmp_path / "report.pdf").write_bytes(b"PK\x03\x04 a zip")
    done = run("ask", "ada", "Sum up", "--file", "report.pdf", status=2)
    assert (
        "“report.pdf” is a ZIP archive or an Office document that can't be read: it is damaged."
        in done.stderr
    )
    done = run("ask", "ada", "Sum up", "--file", "nowhere.txt", status=2)
    assert "Can't read nowhere.txt: No such file or directory." in done.stderr
    if Path("/dev/zero").exists():
        done = run("ask", "ada", "Sum up", "--file", "/dev/zero", status=2)
        assert "zero is larger than 20 MB." in done.stderr
    assert upstream.chats == []
