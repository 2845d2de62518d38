"""`parley export`: one file for other programs, for nobody else to read."""

import stat
from pathlib import Path

import pytest
import sqlite_utils

from tests.fakes.commands import runner


def test_the_ending_tells_the_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runner(tmp_path, monkeypatch, "export")
    for name in ("logs.db", "logs.jsonl", "logs.zip"):
        assert f"Wrote {name}" in run(name).stdout
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert "transcript" in sqlite_utils.Database(tmp_path / "logs.db").view_names()
    assert "not in the file" in run("open.jsonl", "--anonymised").stdout
    assert "Not guaranteed" in (tmp_path / "open.jsonl").read_text("utf-8")


def test_what_is_there_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = runner(tmp_path, monkeypatch, "export")
    (tmp_path / "logs.db").write_text("mine", "utf-8")
    assert "already exists" in run("logs.db", status=None).stderr
    assert (tmp_path / "logs.db").read_text("utf-8") == "mine"
    run("logs.db", "--overwrite")
    assert "can't be told" in run("logs.txt", status=None).stderr
