"""`parley keys` as a person runs it: API keys of a shared Parley."""

from pathlib import Path

import msgspec
import pytest

from tests.fakes.commands import Run, runner


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(tmp_path, monkeypatch)


def test_a_key_is_made_listed_and_revoked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_MODE", "shared")
    assert "The owner has no account yet" in run("keys", "create", "--name", "Early", status=2).stderr
    who = ("--email", "ana@example.org", "--name", "Ana", "--password", "four unrelated wordy words")
    run("users", "create-admin", *who)
    assert "There are no API keys." in run("keys").stdout
    made = run("keys", "create", "--name", "Editor", "--model", "demo-ada", "--days", "30")
    secret = made.stdout.strip()
    assert secret.startswith("parley-")
    assert "not shown again" in made.stderr
    assert "there is no model" in run("keys", "create", "--name", "x", "--model", "none", status=2).stderr
    (key,) = msgspec.json.decode(run("keys", "list", "--json").stdout)["keys"]
    assert (key["name"], key["models"]) == ("Editor", ["demo-ada"])
    assert secret not in run("keys").stdout
    assert "There is no such API key." in run("keys", "revoke", "Other", status=2).stderr
    assert run("keys", "revoke", "Editor").stdout == "Editor is revoked.\n"
    assert "There are no API keys." in run("keys").stdout


def test_on_ones_own_computer_no_key_is_needed(run: Run) -> None:
    assert "any key works" in run("keys", "create", "--name", "x", status=2).stderr
    assert "any key works" in run("keys").stdout
