"""Tests of the report on a real crowd, from a file as somebody has it."""

import csv
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from parley.ratings.outcomes import Outcome
from prove.crowds import Cast, Crowd, cast
from prove.real_crowd import flags, halves, read_crowd, shuffled_within_prompts

WORDS = {
    Outcome.WIN: "model_a",
    Outcome.LOSS: "model_b",
    Outcome.TIE: "tie",
    Outcome.BOTH_BAD: "tie (bothbad)",
}


@pytest.fixture
def crowd() -> Cast:
    """Fifty people and one who pushes a model, with a hundred prompts that they share."""
    made = cast(np.random.default_rng(3), Crowd(people=50, pushers=1, zipf=0.5))
    return msgspec.structs.replace(made, prompt=np.arange(len(made.prompt)) % 100)


@pytest.fixture
def file(crowd: Cast, tmp_path: Path) -> Path:
    """The crowd's votes in LMArena's columns, and two rows that are none."""
    votes, path = crowd.votes, tmp_path / "votes.csv"
    assert votes.voter is not None
    with path.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.writer(opened)
        writer.writerow(("model_a", "model_b", "winner", "judge", "prompt"))
        for place in range(len(votes)):
            names = (votes.models[votes.left[place]], votes.models[votes.right[place]])
            word = WORDS[Outcome(int(votes.outcome[place]))]
            writer.writerow((*names, word, f"judge {votes.voter[place]}", f"prompt {crowd.prompt[place]}"))
        writer.writerow(("m0", "m0", "tie", "judge 1", "x"))
        writer.writerow(("m0", "m1", "tie", "", "x"))
    return path


def test_the_report_says_who_is_flagged_and_what_shuffles_and_halves_show(file: Path) -> None:
    command = [sys.executable, "-m", "prove.real_crowd", str(file), "--shuffles", "3", "--splits", "4"]
    command += ["--pushers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "votes of 51 voters on 100 prompts, 16 models." in done.stdout
    assert "voter v0: pushes m" in done.stdout
    assert "Shuffled within prompts, " in done.stdout
    assert "on prompts of their own: 2 of 2 are found." in done.stdout
    assert "  clustered, any time: " in done.stdout


def test_a_file_without_voters_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("model_a,model_b,winner\nada,bob,tie\n", "utf-8")
    command = [sys.executable, "-m", "prove.real_crowd", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "judge" in done.stderr


def test_shuffling_keeps_each_prompts_votes_and_voters_and_hides_who_pushes(crowd: Cast, file: Path) -> None:
    read = read_crowd(file)
    shuffled = shuffled_within_prompts(read, np.random.default_rng(1))
    assert read.votes.voter is not None
    assert shuffled.votes.voter is not None
    for prompt in range(100):
        of_prompt = read.prompt == prompt
        assert sorted(shuffled.votes.voter[of_prompt]) == sorted(read.votes.voter[of_prompt])
    assert (shuffled.votes.voter != read.votes.voter).any()
    first, *_, last = flags(read, np.random.default_rng(1), 4)
    assert first.endswith("Flagged: 1 voters.")
    assert last.startswith("Shuffled within prompts, 0.")


def test_halves_of_an_honest_crowd_agree(crowd: Cast) -> None:
    _, plain, clustered, watched = halves(crowd, np.random.default_rng(1), 30)
    shares = [float(line.rpartition(" ")[2].rstrip("%")) for line in (plain, clustered, watched)]
    assert shares[0] > 85
    assert 88 < shares[1] <= shares[2]
