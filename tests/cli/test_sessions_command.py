"""`parley sessions` as a person runs it: lists, searches, exports and imports."""

from pathlib import Path

import msgspec
import pytest

from tests.fakes.commands import Run, runner

TALK = {
    "title": "About the sea",
    "tags": ["nature"],
    "messages": [
        {"role": "user", "content": "Why is it salty?"},
        {"role": "assistant", "content": "Rivers bring minerals."},
    ],
}


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "talk.json").write_bytes(msgspec.json.encode([TALK, {"title": "Odd"}]))
    return tmp_path


@pytest.fixture
def run(here: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(here, monkeypatch, "sessions")


def test_sessions_are_imported_and_found(run: Run, here: Path) -> None:
    said = run("import", "talk.json").stdout
    assert said.startswith(
        "Imported 1 session.\n1 skipped:\n  conversation 2 “Odd”: it is not a conversation"
    )
    assert "1 already here." in run("import", "talk.json").stdout
    assert "About the sea" in run().stdout
    assert "Rivers bring minerals." in run("search", "MINERALS").stdout
    assert run("search", "nothing like it").stdout == "No sessions.\n"
    assert len(msgspec.json.decode(run("list", "--tag", "nature", "--json").stdout)) == 1


def test_sessions_are_exported_as_markdown_and_as_a_page(run: Run, here: Path) -> None:
    run("import", "talk.json")
    assert run("export", "sea.md").stdout == "Wrote 1 session to sea.md.\n"
    assert (here / "sea.md").read_text().startswith("# About the sea\n\n## 1. Question\n\n> Why is it salty?")
    run("export", "sea.html", "--tag", "nature")
    assert "<h1>About the sea</h1>" in (here / "sea.html").read_text()


def test_a_file_is_not_replaced_and_a_format_is_asked_for(run: Run, here: Path) -> None:
    (here / "there.md").write_text("mine")
    assert "already exists" in run("export", "there.md", status=2).stderr
    assert "format can't be told" in run("export", "there.txt", status=2).stderr
    assert "can't be read" in run("import", "nowhere.json", status=2).stderr
    assert "no session to export" in run("export", "none.md", status=2).stderr
    assert (here / "there.md").read_text() == "mine"


def test_an_export_that_fails_leaves_the_earlier_file(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
        assert (
            "Can't write there.md: No space left" in run("export", "there.md", "--overwrite", status=2).stderr
        )
    assert (here / "there.md").read_text() == "mine"
    run("export", "there.md", "--overwrite")
    assert (here / "there.md").read_text().startswith("# About the sea")
    assert (here / "there.md.part").read_text() == "mine too"
    assert sorted(here.iterdir()) == before


def test_an_export_through_a_link_replaces_the_file_it_leads_to(run: Run, here: Path) -> None:
    run("import", "talk.json")
    (here / "there.md").write_text("old")
    (here / "link.md").symlink_to("there.md")
    run("export", "link.md", "--overwrite")
    assert (here / "link.md").is_symlink()
    assert (here / "there.md").read_text().startswith("# About the sea")
