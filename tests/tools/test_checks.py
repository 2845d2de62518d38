"""Tests of the repository's own checks: each finds what it is there to find."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch):
    def load(name: str) -> ModuleType:
        monkeypatch.syspath_prepend(str(TOOLS))
        spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return load


def test_a_long_function_is_found(tool) -> None:
    text = '"""One thing."""\n\n\ndef long():\n' + "    x = 1\n" * 41
    (fault,) = tool("check_sizes").module_faults("src/x.py", text)
    assert "long has 41 lines" in fault


def test_a_signature_and_a_docstring_do_not_count(tool) -> None:
    signature = (
        "def short(\n"
        + "".join(f"    a{n},\n" for n in range(40))
        + '):\n    """Say.\n\n    More.\n    """\n'
    )
    assert not list(
        tool("check_sizes").module_faults("src/x.py", f'"""One."""\n\n\n{signature}' + "    x = 1\n" * 40)
    )


def test_a_long_module_is_found_and_a_long_test_is_not(tool) -> None:
    check = tool("check_sizes")
    text = '"""One thing."""\n' + "x = 1\n" * 400
    assert list(check.module_faults("src/x.py", text))
    assert not list(check.module_faults("tests/x.py", text))


@pytest.mark.parametrize(
    ("docstring", "fine"),
    [
        ('"""A thing."""\n', True),
        ('"""A thing\nover two lines.\n\nAnd more"""\n', True),
        ('"""A thing"""\n', False),
        ("x = 1\n", False),
        ("", True),
    ],
)
def test_a_module_opens_with_a_sentence(tool, docstring: str, fine: bool) -> None:
    assert (not list(tool("check_sizes").module_faults("src/x.py", docstring))) is fine


@pytest.mark.parametrize(
    "text",
    [
        "found = search()",
        "for said in texts:\n    pass",
        "def read(given):\n    return given",
        'LIMIT = 3\n"""How many are read."""',
        'def read():\n    """Whether it is there."""',
    ],
)
def test_vague_names_and_questions_are_found(tool, text: str) -> None:
    faults = tool("check_sizes").module_faults
    assert list(faults("src/x.py", f'"""One thing."""\n\n{text}\n'))
    assert not list(faults("tests/x.py", f'"""One thing."""\n\n{text}\n'))


@pytest.fixture
def repository(tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def finds(name: str, text: str) -> list[str]:
        check = tool("check_words")
        monkeypatch.setattr(check, "ROOT", tmp_path)
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return list(check.look_at(name))

    return finds


HOST = "https://registry.example.org/"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/a.py", "path = '/" + "root/thing'"),
        ("src/a.py", "see /" + "home/somebody/x"),
        ("docs/a.md", "Co-" + "authored-by: somebody"),
        ("docs/a.md", "fixes #" + "12"),
        ("src/a.py", "key = 'sk-" + "a" * 24 + "'"),
        ("requirements.lock", f"--extra-index-url {HOST}simple"),
        ("web/package-lock.json", f'"resolved": "{HOST}a.tgz"'),
        ("NOTES.md", "at the top"),
    ],
)
def test_what_does_not_belong_here_is_found(repository, name: str, text: str) -> None:
    assert len(repository(name, text)) >= 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("docs/a.md", "[home](https://example.org/root/x) and /usr/bin/env and #12 px"),
        ("web/package-lock.json", '"url": "https://opencollective.example/x"'),
        ("README.md", "at the top"),
    ],
)
def test_what_belongs_here_is_not_found(repository, name: str, text: str) -> None:
    assert repository(name, text) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("run `make dance`", "there is no “make dance”"),
        ("```sh\nparley dance --now\n```", "there is no “parley dance”"),
        ("set PARLEY_DANCE", "there is no variable PARLEY_DANCE"),
        ("see [it](nowhere.md)", "links to nowhere.md, which is not there"),
    ],
)
def test_a_document_that_names_what_is_not_there_is_found(tool, text: str, fault: str) -> None:
    check = tool("check_docs")
    assert list(check.document_faults("README.md", text, {"serve"}, {"run"})) == [fault]


def test_a_document_that_names_what_is_there_is_fine(tool) -> None:
    check = tool("check_docs")
    text = "`make run`, `parley serve`, PARLEY_PORT, [code](src/parley/settings.py#L1), [web](https://example.org)"
    assert not list(check.document_faults("README.md", text, check.parley_commands(), check.make_targets()))


def test_a_glossary_that_names_what_the_code_has_not_is_found(tool) -> None:
    check = tool("check_docs")
    row = "| seat | A place. | `parley.kernel.seats.{}` |\n"
    assert not list(check.glossary_faults(row.format("Seat")))
    assert list(check.glossary_faults(row.format("Chair")))


def test_the_table_of_settings_is_what_the_code_says(tool) -> None:
    check = tool("check_docs")
    assert check.SETTINGS.read_text(encoding="utf-8") == check.settings_document()


def test_a_build_is_stale_where_a_source_is_newer(
    tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = tool("build_web")
    for folder in ("src", "public", "scripts", "node_modules"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src" / "a.ts").touch()
    (tmp_path / "src" / "a.test.ts").touch()
    (tmp_path / "node_modules" / "b.js").touch()
    (tmp_path / "index.html").touch()
    monkeypatch.setattr(build, "WEB", tmp_path)
    assert {path.name for path in build.sources()} == {"a.ts", "index.html", "plug-ins.md"}


def test_a_browser_is_found_where_it_is_named(tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = tmp_path / "chromium"
    browser.touch()
    monkeypatch.setenv("CHROMIUM", str(browser))
    assert tool("ensure_chromium").find_chromium() == str(browser)


@pytest.fixture
def words(tool):
    """Check a text against two retired words: one everywhere, one in names only."""
    check = tool("retired_words")
    table = "| house | a thing |  |\n\n## Retired words\n\n| word | say instead |\n|---|---|\n"
    retired = check.retired_words(f"{table}| house, houses | server |\n| told (in names) | sent |\n")
    return lambda name, text: list(check.faults_of(name, text, retired))


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("src/a.py", "x = 1\n# The house is open.\n", "src/a.py:2: “house” in “house”: say server"),
        ("src/a.py", "def old_house(): ...\n", "src/a.py:1: “house” in “old_house”: say server"),
        ("web/src/a.ts", "class HouseRow {}\n", "web/src/a.ts:1: “house” in “HouseRow”: say server"),
        ("docs/a.md", "All houses", "docs/a.md:1: “houses” in “houses”: say server"),
        ("src/house.py", "", "src/house.py: “house” in the file's name: say server"),
        ("src/a.py", "told = 1\n", "src/a.py:1: “told” in “told”: say sent"),
        ("web/src/a.ts", "const told = 1;\n", "web/src/a.ts:1: “told” in “told”: say sent"),
        ("web/src/a.tsx", "// see lastTold\n", "web/src/a.tsx:1: “told” in “lastTold”: say sent"),
        ("tests/a.py", "def test_it_is_told(): ...\n", "tests/a.py:1: “told” in “test_it_is_told”: say sent"),
    ],
)
def test_a_retired_word_is_found(words, name: str, text: str, fault: str) -> None:
    assert words(name, text) == [fault]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/a.py", "# Nobody is told.\nlighthouse = 'told'\n"),
        ("web/src/a.ts", "// Nobody is told: never.\nconst text = 'told';\n"),
        ("docs/a.md", "Nobody is told."),
    ],
)
def test_plain_english_is_no_retired_word(words, name: str, text: str) -> None:
    assert words(name, text) == []


def test_a_retired_word_fails_the_check_of_the_whole_repository(
    tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = tool("retired_words")
    glossary = (check.ROOT / check.GLOSSARY).read_text(encoding="utf-8")
    files = {check.GLOSSARY: glossary, "src/a.py": "house = 1\n", "CHANGELOG.md": "The house stands.\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(check, "ROOT", tmp_path)
    monkeypatch.setattr(check, "PENDING", ())
    (fault,) = check.retired_in(files)
    assert fault.startswith("src/a.py:1: “house”")
    monkeypatch.setattr(check, "PENDING", ("src/a.py", "src/b.py"))
    assert list(check.retired_in(files)) == ["src/b.py: without retired words: take it out of PENDING"]
