"""Tests of the repository itself: what its documents and its package promise."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGE = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))  # noqa: TID251


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=;~! ]", requirement)[0] for requirement in requirements}


def reasons() -> list[str]:
    text = (ROOT / "docs" / "decisions" / "dependencies.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([^`]+)` \| \S.* \|$", text, re.MULTILINE)


def test_every_dependency_has_a_reason_and_every_reason_a_dependency() -> None:
    wanted = names(PROJECT["project"]["dependencies"]) | names(PROJECT["dependency-groups"]["dev"])
    wanted |= PAGE["dependencies"].keys() | PAGE["devDependencies"].keys()
    assert sorted(reasons()) == sorted(wanted)


def test_every_dependency_is_locked_with_hashes() -> None:
    for lock, wanted in (
        ("requirements.lock", names(PROJECT["project"]["dependencies"])),
        ("requirements-dev.lock", names(PROJECT["dependency-groups"]["dev"])),
    ):
        text = (ROOT / lock).read_text(encoding="utf-8")
        locked = set(re.findall(r"^([\w.-]+)(?:\[.*\])?==", text, re.MULTILINE))
        assert wanted <= locked
        entries = re.findall(r"^[\w.-]+(?:\[.*\])?==.*\\\n    --hash=sha256:", text, re.MULTILINE)
        assert len(entries) >= len(locked)


def test_both_locks_agree() -> None:
    def pins(lock: str) -> set[str]:
        return set(re.findall(r"^[\w.-]+==[^ ;]+", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))

    assert pins("requirements.lock") <= pins("requirements-dev.lock")


def test_no_lock_names_a_host() -> None:
    for lock in ("requirements.lock", "requirements-dev.lock"):
        assert "://" not in (ROOT / lock).read_text(encoding="utf-8")
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]  # noqa: TID251
    assert not [name for name, entry in packages.items() if "resolved" in entry]


def test_the_version_is_the_same_everywhere() -> None:
    import parley

    assert parley.__version__ == PROJECT["project"]["version"]


def test_decisions_are_short() -> None:
    for path in (ROOT / "docs" / "decisions").glob("0*.md"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 60, path.name


def test_every_layer_of_the_code_is_in_the_contract() -> None:
    contract = PROJECT["tool"]["importlinter"]["contracts"][0]
    layers = {name for layer in contract["layers"] for name in re.findall(r"\w+", layer)}
    package = ROOT / "src" / "parley"
    found = {path.parent.name for path in package.glob("*/__init__.py")} | {
        path.stem for path in package.glob("*.py") if path.stem != "__init__"
    }
    assert found <= layers


@pytest.mark.parametrize("name", ["LICENSE", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", ".ci/run"])
def test_what_a_reader_looks_for_is_there(name: str) -> None:
    assert (ROOT / name).stat().st_size > 0
