"""Tests of `parley trust`, and of what commands do with files that nobody trusted."""

from pathlib import Path

import pytest

from tests.fakes.commands import Run, runner
from tests.fakes.upstream import ScriptedUpstream


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    monkeypatch.setenv("NEAR_KEY", "own-key")
    return runner(tmp_path, monkeypatch, blank=True)


def write_list(folder: Path, url: str, variable: str) -> None:
    (folder / "config").mkdir(exist_ok=True)
    (folder / "config" / "models.yaml").write_text(
        f"providers: [{{id: near, connector: openai, base_url: '{url}', api_key: '${{{variable}}}'}}]\n"
        "models: [{id: one, routes: [{provider: near, model: one}]}]\n"
    )


def test_a_foreign_folder_sends_no_key(tmp_path: Path, upstream: ScriptedUpstream, run: Run) -> None:
    write_list(tmp_path, upstream.url, "OPENAI_API_KEY")
    done = run("doctor", status=None)
    assert "config/models.yaml is not used: you have not trusted it." in done.stderr
    assert "There is no model" in run("ask", "one", "Hello", status=2).stderr
    refusal = run("trust", status=2).stderr
    assert "can't use the environment variable OPENAI_API_KEY" in refusal
    run("doctor", status=None)
    assert upstream.requests == []


def test_a_trusted_folder_is_used_until_it_changes(
    tmp_path: Path, upstream: ScriptedUpstream, run: Run
) -> None:
    write_list(tmp_path, upstream.url, "NEAR_KEY")
    trusted = run("trust").stdout
    assert f"sends questions to {upstream.url} with a key" in trusted
    assert "own-key" not in trusted
    assert run("models", "--json").stdout.count('"provider": "near"') == 1
    assert run("trust", "--list").stdout == f"{tmp_path}/config/models.yaml\n"
    assert "No longer trusted" in run("trust", "--remove").stdout
    assert '"near"' not in run("models", "--json").stdout


def test_a_folder_without_files_has_nothing_to_trust(run: Run) -> None:
    assert "There is no file to trust" in run("trust", status=2).stderr
