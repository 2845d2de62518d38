"""`parley limits` as a person runs it."""

from pathlib import Path

import msgspec
import pytest

from tests.fakes.commands import Run, runner


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(tmp_path, monkeypatch)


def test_a_limit_is_added_changed_raised_listed_and_removed(run: Run) -> None:
    assert "There are no limits." in run("limits").stdout
    assert run("limits", "add", "--cap", "$20").stdout == (
        "This installation: $20.00 a month, $20.00 left.\n"
    )
    (limit,) = msgspec.json.decode(run("limits", "list", "--json").stdout)
    assert (limit["cap"], limit["unpriced"]) == (20_000_000, "refuse")
    changed = run("limits", "change", limit["id"], "--cap", "30.5", "--warn", "90", "--unpriced", "allow")
    assert "$30.50 a month" in changed.stdout
    assert "$35.50 a month" in run("limits", "raise", limit["id"], "--by", "5", "--days", "2").stdout
    listed = run("limits").stdout
    assert "This installation" in listed
    assert "$35.50 a month until" in listed
    assert "has a limit in money a month already" in run("limits", "add", "--cap", "1", status=2).stderr
    assert run("limits", "remove", limit["id"]).stdout == "The limit is removed.\n"
    assert "There are no limits." in run("limits").stdout


@pytest.mark.parametrize("cap", ["much", "-1", "NaN", "0.5"])
def test_an_amount_that_is_none_is_refused(run: Run, cap: str) -> None:
    assert "is not an amount" in run("limits", "add", "--in", "tokens", f"--cap={cap}", status=2).stderr


def test_a_rate_is_set(run: Run) -> None:
    assert run("limits", "rate", "person", "--per-minute", "60").stdout == "The rate is set.\n"
    assert "no such limit" in run("limits", "change", "nothing", "--cap", "1", status=2).stderr
