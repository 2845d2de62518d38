"""`parley lab` as a person runs it: a run from files, again with one model more, and its exit status."""

from pathlib import Path

import msgspec
import pytest

from tests.fakes.commands import Run, hurry_demo, runner

PROMPT = '---\nname: Sums\nchecks:\n  - kind: contains\n    values: ["{{expected}}"]\n---\n{{question}}\n'
ROWS = "question,expected\nWhat is 12 * 12?,144\nHow many kilometres is 10 miles?,16\n"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Carry out a command in this process, with demo models that need no time."""
    hurry_demo(monkeypatch)
    return runner(tmp_path, monkeypatch, "lab")


def test_a_run_from_files_asks_only_what_is_not_recorded(run: Run, tmp_path: Path) -> None:
    prompt, rows = tmp_path / "sums.md", tmp_path / "rows.csv"
    prompt.write_text(PROMPT)
    rows.write_text(ROWS)
    files = (str(prompt), "--data", str(rows))
    first = run("run", *files, "--models", "demo-ada,demo-pico")
    assert "4 calls. Quote" in first.stderr
    assert "Sums, run 1: completed" in first.stdout
    again = run("run", *files, "--models", "demo-ada,demo-pico,demo-lyra", "--json")
    assert "2 calls, 4 recorded." in again.stderr
    report = msgspec.json.decode(again.stdout)
    assert [column["rows"] for column in report["columns"]] == [2, 2, 2]
    assert f"run     {report['run']['id'][:8]}" in run("list").stdout
    assert report["sentence"] in run("show", report["run"]["id"][:8]).stdout


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--versions", "x", "“x” is not a version's number"),
        ("--versions", "1,0", "“0” is not a version's number"),
        ("--versions", "99", "This prompt has no version 99"),
        ("--models", " , ", "name at least one"),
        ("--models", "nobody", "There is no model “nobody”"),
        ("--repeats", "0", "Input should be greater than or equal to 1"),
        ("--repeats", "many", "Input should be a valid integer"),
        ("--rows", "-1", "Input should be greater than or equal to 1"),
        ("--parallel", "0", "Input should be greater than or equal to 1"),
        ("--max-cost-usd", "nan", "nan is not above 0"),
        ("--max-cost-usd", "0", "0 is not above 0"),
        ("--min-score", "101", "101 is not a score from 0 to 100"),
        ("--judge", "demo-ada", "only a promptfoo config takes it"),
        ("--data", "nowhere.csv", "There is no data set “nowhere.csv”, and no such file"),
        ("--data", "binary.csv", "binary.csv is not UTF-8 text"),
    ],
)
def test_an_option_that_makes_no_sense_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, value: str, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums.md").write_text(PROMPT)
    (tmp_path / "rows.csv").write_text(ROWS)
    (tmp_path / "binary.csv").write_bytes(b"question,expected\n\xff\xfe,1\n")
    options = {"--data": "rows.csv", "--models": "demo-ada"} | {option: value}
    typed = [word for pair in options.items() for word in pair]
    refused = run("run", "sums.md", *typed, status=2)
    shown = " ".join(refused.stderr.replace("│", " ").split())
    assert words in shown
    assert value.strip() in shown or option in shown
    assert "Traceback" not in shown


def test_a_search_says_what_it_found_and_refuses_what_makes_no_sense(run: Run, tmp_path: Path) -> None:
    prompt, rows = tmp_path / "sums.md", tmp_path / "rows.csv"
    prompt.write_text(PROMPT.replace("{{question}}", "Briefly: {{question}}"))
    lines = [f"{question},144,{split}" for split, times in SPLITS.items() for question in sums(split, times)]
    rows.write_text("\n".join(["question,expected,split", *lines]))
    search = ("improve", str(prompt), "--data", str(rows), "--model", "demo-pico")
    quoted = msgspec.json.decode(run(*search, "--quote", "--json").stdout)
    assert (quoted["training"], quoted["validation"], quoted["holdout"]) == (3, 3, 10)
    small = run(*search, "--answers", "5", status=2)
    assert "5 answers are too few" in small.stderr
    found = run(*search, "--json", "--save")
    assert "At most" in found.stderr
    detail = msgspec.json.decode(found.stdout)
    assert detail["improvement"]["status"] == "completed"
    assert detail["improvement"]["result"]["sentence"].startswith("No better prompt was found")
    assert "Saved" not in found.stderr
    search_id, sentence = detail["improvement"]["id"], "Sums, improvement 1: completed. No better prompt"
    assert f"improve {search_id[:8]}  {sentence}" in run("list").stdout
    assert "No better prompt was found" in run("show", search_id[:8]).stdout
    assert msgspec.json.decode(run("show", search_id, "--json").stdout) == detail
    assert "There is no run or improvement “zzz”." in run("show", "zzz", status=2).stderr


SPLITS = {"train": 3, "validation": 3, "holdout": 10}


def sums(split: str, times: int) -> list[str]:
    """Return questions with the same answer, each once in all splits."""
    return [f"What is 12 * 12? ({split} {at})" for at in range(times)]
