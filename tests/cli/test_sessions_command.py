"""`parley sessions` as a person runs it: lists, searches, exports and imports."""

import os
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from parley.cli.app import app
from parley.kernel.errors import ParleyError

TALK = {
    "title": "About the sea",
    "tags": ["nature"],
    "messages": [
        {"role": "user", "content": "Why is it salty?"},
        {"role": "assistant", "content": "Rivers bring minerals."},
    ],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("PARLEY_")]:  # noqa: TID251
        monkeypatch.delenv(name)
    monkeypatch.setenv("PARLEY_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.json").write_bytes(msgspec.json.encode([TALK, {"title": "Odd"}]))
    return tmp_path


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["sessions", *arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


def test_sessions_are_imported_found_and_exported(here: Path) -> None:
    said = run("import", "talk.json")
    assert said.startswith(
        "Imported 1 session.\n1 skipped:\n  conversation 2 “Odd”: it is not a conversation"
    )
    assert "1 already here." in run("import", "talk.json")
    assert "About the sea" in run()
    assert "Rivers bring minerals." in run("search", "MINERALS")
    assert run("search", "nothing like it") == "No sessions.\n"
    assert len(msgspec.json.decode(run("list", "--tag", "nature", "--json"))) == 1
    assert run("export", "sea.md") == "Wrote 1 session to sea.md.\n"
    assert (here / "sea.md").read_text().startswith("# About the sea\n\n## 1. Question\n\n> Why is it salty?")
    run("export", "sea.html", "--tag", "nature")
    assert "<h1>About the sea</h1>" in (here / "sea.html").read_text()


def test_a_file_is_not_replaced_and_a_format_is_asked_for(here: Path) -> None:
    (here / "there.md").write_text("mine")
    with pytest.raises(ParleyError, match="already exists"):
        run("export", "there.md")
    with pytest.raises(ParleyError, match="format can't be told"):
        run("export", "there.txt")
    with pytest.raises(ParleyError, match="can't be read"):
        run("import", "nowhere.json")
    with pytest.raises(ParleyError, match="no session to export"):
        run("export", "none.md")
    assert (here / "there.md").read_text() == "mine"


def test_an_export_that_fails_leaves_the_earlier_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("import", "talk.json")
    (here / "there.md").write_text("mine")
    (here / "there.md.part").write_text("mine too")
    before = sorted(here.iterdir())

    def full(self: Path, content: bytes) -> int:
        with self.open("wb") as file:
            file.write(content[:5])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(ParleyError, match=r"Can't write there\.md: No space left"):
            run("export", "there.md", "--overwrite")
    assert (here / "there.md").read_text() == "mine"
    run("export", "there.md", "--overwrite")
    assert (here / "there.md").read_text().startswith("# About the sea")
    assert (here / "there.md.part").read_text() == "mine too"
    assert sorted(here.iterdir()) == before


def test_an_export_through_a_link_replaces_the_file_it_leads_to(here: Path) -> None:
    run("import", "talk.json")
    (here / "there.md").write_text("old")
    (here / "link.md").symlink_to("there.md")
    run("export", "link.md", "--overwrite")
    assert (here / "link.md").is_symlink()
    assert (here / "there.md").read_text().startswith("# About the sea")
