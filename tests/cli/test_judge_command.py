"""`parley judge` as a person runs it: votes of a file and of a server, resuming, a cap, planted judges."""

import random
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parley.cli.judge_comparisons import Comparison, read_comparisons
from parley.cli.judge_run import ORDERS, make_plan
from parley.cli.measuring_record import MeasuredReply, Record, key_of
from tests.fakes.commands import ctrl_c
from tests.fakes.process import COMMAND
from tests.fakes.upstream import ScriptedUpstream

WINNERS = ("model_a", "model_b", "tie")
Row = dict[str, Any]
Run = Callable[..., Any]


@pytest.fixture
def run(run: Run) -> Run:
    """Carry out a command; return its output with all white space as one space."""

    def call(*arguments: str, status: int = 0) -> Any:
        said = run(*arguments, status=status)
        return " ".join(said.split()) if isinstance(said, str) else said

    return call


def a_row(number: int, winner: str | None, **more: object) -> Row:
    models = {"model_a": "ada", "model_b": "bob", "judge": f"person {number % 12}"}
    texts = {
        "prompt": f"Question {number}?",
        "response_a": f"Ada says {number}",
        "response_b": f"No {number}",
    }
    return {**models, **texts, "winner": winner, "category": ["coding"] if number % 2 else [], **more}


def write(rows: Sequence[Row], name: str = "votes.jsonl") -> Path:
    path = Path(name)
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)) + b"\n")
    return path


def judged(run: Run, *more: str, status: int = 0) -> Any:
    return run("judge", "run", "cleo", "--votes", "votes.jsonl", "--yes", *more, status=status)


def record(verdict: Callable[[Comparison, int], str]) -> None:
    """Write what the judge said of each comparison of the file in both orders, as `judge run` records it."""
    plan = make_plan("cleo", read_comparisons(Path("votes.jsonl")), {}, limit=None, unvoted=None)
    saved = Record(Path("judge.cleo.jsonl"))
    for each in plan.distinct:
        for order, shown in enumerate(ORDERS):
            text = f"Better: {verdict(each, order)}"
            saved.add(MeasuredReply(question=key_of(each.key), model="cleo", shown=shown, text=text))


def judged_prompt() -> Path:
    """Write a prompt whose answers cleo judges, and a row for it."""
    Path("rows.csv").write_text("question\nIs it so?\n")
    file = Path("judged.md")
    checks = "checks:\n  - kind: judge\n    model: cleo\n    rubric: It is kind.\n"
    file.write_text(f"---\nname: Judged\n{checks}---\n{{{{question}}}}\n")
    return file


def prompts(upstream: ScriptedUpstream) -> list[str]:
    return [chat.json["messages"][-1]["content"] for chat in upstream.chats]


def test_a_judge_that_likes_the_first_place_is_caught(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("Better: 1", model="cleo")
    write([a_row(number, WINNERS[number % 3]) for number in range(24)])
    passport = judged(run, "--json")
    position = passport["position"]
    assert (position["first"]["value"], position["flipped"]["value"], position["lean"]["value"]) == (1, 1, 1)
    assert position["lean"]["ci_lower"] > 0.7
    assert (passport["votes"], passport["verdicts"], passport["unread"]) == (24, 48, 0)
    (overall, coding) = passport["agreement"]
    assert (overall["votes"], coding["category"], coding["votes"]) == (24, "coding", 12)
    assert overall["agreement"]["kappa"]["value"] == 0.0  # a tie each time
    assert overall["agreement"]["share"]["value"] == pytest.approx(1 / 3)
    assert len(upstream.chats) == 48
    said = run("judge", "report", "cleo", "--votes", "votes.jsonl")
    assert "Position bias: it prefers the first place, whatever stands there (+100% (" in said
    assert "Win rates: none has 10 votes and a judged comparison without a vote" in said
    assert len(upstream.chats) == 48


def test_a_judge_that_is_a_coin_agrees_by_chance_alone(run: Run) -> None:
    coin = random.Random(5)
    write([a_row(number, coin.choice(WINNERS[:2])) for number in range(40)])
    record(lambda _each, _order: coin.choice("12"))
    passport = run("judge", "report", "cleo", "--votes", "votes.jsonl", "--json")
    kappa = passport["agreement"][0]["agreement"]["kappa"]
    assert kappa["ci_lower"] < 0 < kappa["ci_upper"]
    lean = passport["position"]["lean"]
    assert lean["ci_lower"] < 0 < lean["ci_upper"]
    assert 0.3 < passport["position"]["flipped"]["value"] < 0.7
    assert "No position bias is seen" in run("judge", "report", "cleo", "--votes", "votes.jsonl")


def test_both_orders_are_shown_without_names_and_texts_are_judged_once(
    run: Run, upstream: ScriptedUpstream
) -> None:
    upstream.reply("Better: 1").reply("Better: 2").reply("I can't say.")
    again = a_row(1, "model_b", judge="somebody", model_a="bob", model_b="ada")
    again |= {"response_a": a_row(1, "")["response_b"], "response_b": a_row(1, "")["response_a"]}
    write([a_row(1, "model_a"), again])
    passport = judged(run, "--json", "--at-once", "1")
    first, second = prompts(upstream)
    assert first.index("Ada says") < first.index("No 1")
    assert second.index("Ada says") > second.index("No 1")
    assert all("bob" not in each.lower() and "Question 1?" in each for each in (first, second))
    assert (passport["votes"], passport["position"]["comparisons"]) == (2, 1)
    assert passport["agreement"][0]["agreement"]["share"]["value"] == 1.0
    assert (passport["people"]["votes"], passport["people"]["agreement"]["share"]["value"]) == (2, 1.0)
    assert passport["cost_usd"] == pytest.approx(2 * 9e-6)
    write([a_row(1, "model_a"), a_row(2, "model_b")])
    passport = judged(run, "--json")
    assert (passport["votes"], passport["verdicts"], passport["unread"]) == (2, 4, 2)
    assert len(upstream.chats) == 4


def test_verdicts_without_votes_narrow_the_interval_of_a_win_rate(run: Run) -> None:
    """The judge says what people say, as it were: the same answer wins in both orders."""
    chance = random.Random(3)
    rows = [a_row(number, "model_a" if chance.random() < 0.6 else "model_b") for number in range(30)]
    rows += [a_row(number, None) for number in range(30, 90)]
    write(rows)
    liked: dict[str, bool] = {}

    def verdict(each: Comparison, order: int) -> str:
        if each.key not in liked:
            liked[each.key] = chance.random() < 0.6 if each.outcome is None else each.outcome == 0
        left_is_first = each.swapped == bool(order)
        return "1" if left_is_first == liked[each.key] else "2"

    record(verdict)
    passport = run("judge", "report", "cleo", "--votes", "votes.jsonl", "--json")
    assert (passport["votes"], passport["unvoted"], passport["left"]) == (30, 60, 0)
    assert passport["agreement"][0]["agreement"]["kappa"]["value"] == 1.0
    ada, bob = passport["models"]
    assert (ada["model"], bob["model"], ada["name"]) == ("ada", "bob", "Ada")
    assert ada["rate"]["power"] == pytest.approx(2 / 3, abs=0.1)
    assert 0.5 < ada["rate"]["width"] < 0.75
    assert ada["rate"]["people"]["value"] == pytest.approx(sum(it["winner"] == "model_a" for it in rows) / 30)
    assert [pair["opponent"] for pair in passport["pairs"]] == ["bob"]
    said = run("judge", "report", "cleo", "--votes", "votes.jsonl")
    assert "The judge narrows the intervals to" in said
    report = run("judge", "report", "cleo", "--votes", "votes.jsonl", "--unvoted", "0", "--json")
    assert (report["unvoted"], report["models"]) == (0, [])


@pytest.mark.slow  # seven commands
def test_votes_and_comparisons_of_the_server_are_read_but_no_open_battle(
    run: Run, upstream: ScriptedUpstream
) -> None:
    upstream.reply("Ada's view", model="ada").reply("Bob's view", model="bob").reply(
        "Better: 1", model="cleo"
    )
    run("battle", "Who wins?", "--vote", "left")
    run("battle", "A secret question", "--json")
    run("compare", "-m", "ada", "-m", "bob", "Not voted on yet", "--json")
    before = len(upstream.chats)
    passport = run("judge", "run", "cleo", "--yes", "--json")
    assert (passport["votes"], passport["unvoted"], passport["voters"]) == (1, 1, 1)
    asked = prompts(upstream)[before:]
    assert len(asked) == 4
    assert sum("Who wins?" in each for each in asked) == 2
    assert sum("Not voted on yet" in each for each in asked) == 2
    assert not any("secret" in each for each in asked)
    assert run("judge", "run", "cleo", "--unvoted", "0", "--json")["unvoted"] == 0
    said = run("judge", "report", "cleo")
    assert "All votes share one prompt, so no interval is known." in said
    assert "times (no interval)" in said or "Length: nothing shows its effect." in said
    assert len(upstream.chats) == before + 4
    shown = run("lab", "run", str(judged_prompt()), "--data", "rows.csv", "--models", "ada")
    assert "could not be decided Agrees with people in 0%" in shown
    assert " of 1 vote. " in shown
    assert "Wrote 1 votes" in run("votes", "export", "out.csv")


@pytest.mark.parametrize("how", ["interrupted", pytest.param("killed", marks=pytest.mark.slow)])
def test_a_rerun_continues_where_it_ended(run: Run, upstream: ScriptedUpstream, how: str) -> None:
    upstream.reply("Better: 1", times=3).reply("Better: ", "1", hold_after=1)
    write([a_row(number, "model_a") for number in range(3)])
    if how == "interrupted":
        with ctrl_c(lambda: len(upstream.chats) == 5):  # two wait for their end
            said = judged(run, "--at-once", "2", status=130)
        assert "Replies so far are in judge.cleo.jsonl" in said
        assert "Stopped." not in said
    else:
        command = [*COMMAND, "judge", "run", "cleo", "--votes", "votes.jsonl", "--yes", "--at-once", "2"]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        while len(upstream.chats) < 5:
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
        process.wait()
    out = Path("judge.cleo.jsonl")
    assert len(out.read_bytes().splitlines()) == 3
    report = run("judge", "report", "cleo", "--votes", "votes.jsonl", "--json")
    assert (report["votes"], report["left"]) == (1, 2)
    upstream.release()
    upstream.forget()
    passport = judged(run, "--json")
    assert len(upstream.chats) == 3
    assert (passport["votes"], passport["left"]) == (3, 0)


@pytest.mark.parametrize("at_once", ["1", "4"])
def test_the_cap_stops_and_the_exit_says_that_work_is_left(
    run: Run, upstream: ScriptedUpstream, at_once: str
) -> None:
    used = {"prompt_tokens": 7, "completion_tokens": 600, "total_tokens": 607}
    upstream.reply("Better: 2", usage=used)
    write([a_row(number, "model_a") for number in range(4)])
    said = judged(run, "--max-cost-usd", "0.004", "--at-once", at_once, status=1)
    assert "Stopped at the cap: $0.0036 of $0.0040 are spent." in said
    assert len(upstream.chats) == 3
    assert "Cleo is to read 4 questions with two answers, without names" in said
    assert judged(run, "--limit", "1", "--json", "--max-cost-usd", "0.1")["left"] == 0


def test_three_failures_in_a_row_stop_the_command(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.fail(400, "no such thing", model="cleo")
    write([a_row(number, "model_a") for number in range(6)])
    said = judged(run, "--at-once", "1", status=2)
    assert "3 comparisons in a row lack a verdict." in said
    assert len(upstream.chats) == 3


def test_a_saved_team_judges_as_a_contestant(run: Run, upstream: ScriptedUpstream) -> None:
    upstream.reply("Better: 2")
    run("team", "save", "bench", "-m", "ada", "-m", "bob", "--rounds", "1")
    write([a_row(1, "model_b")])
    asked = ("--votes", "votes.jsonl", "--yes")
    assert "no contestant" in run("judge", "run", "bench", *asked, status=2)
    run("team", "save", "bench", "-m", "ada", "-m", "bob", "--rounds", "1", "--contestant")
    passport = run("judge", "run", "bench", *asked, "--json")
    assert (passport["judge"], passport["name"], passport["verdicts"]) == ("bench-r1", "Team: bench", 2)


def test_what_cannot_be_judged_is_reported(run: Run, upstream: ScriptedUpstream) -> None:
    assert "There is no vote with its texts" in run("judge", "run", "cleo", "--yes", status=2)
    assert "There is no model “nobody”" in run("judge", "run", "nobody", "--yes", status=2)
    write([{"model_a": "ada", "model_b": "bob", "winner": "tie"}])
    assert "votes.jsonl has no texts to judge." in judged(run, status=2)
    write([a_row(1, "model_a", response_b=""), a_row(2, "perhaps"), a_row(3, "tie", response_a="No 3")])
    said = judged(run, status=2)
    assert "1 × its texts are not there" in said
    assert "1 × both answers are the same" in said
    assert "1 × winner is not" in said
    write([a_row(1, "model_a")])
    assert "Add --yes to start." in run("judge", "run", "cleo", "--votes", "votes.jsonl", status=2)
    said = judged(run, "--out", "votes.jsonl", status=2)
    assert "votes.jsonl, line 1 is not a result of this command." in said
    assert "was judged in both orders yet" in run("judge", "report", "cleo", "--votes", "votes.jsonl")
    assert not upstream.chats
