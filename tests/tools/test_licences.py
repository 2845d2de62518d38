"""Tests of licences: the bill of materials names one for each part, and the built page carries their texts."""

import re
from pathlib import Path

import msgspec
import pytest

from tools import sbom

NOTICES = Path(__file__).parents[2] / "src/parley/web_dist/third-party-notices.txt"


def test_every_part_of_the_bill_of_materials_has_a_licence() -> None:
    components = msgspec.json.decode(sbom.document())["components"]
    assert [part["name"] for part in components if not part.get("licenses")] == []
    licences = {part["name"]: part["licenses"][0].get("expression") for part in components}
    assert licences["elkjs"] == "EPL-2.0 OR GPL-3.0-or-later"
    assert (licences["react"], licences["pillow"], licences["khroma"]) == ("MIT", "MIT-CMU", "MIT")


def test_a_package_whose_licence_nobody_knows_is_refused() -> None:
    with pytest.raises(SystemExit, match="no-such-package states no licence"):
        sbom.python_licence("no-such-package")


def test_the_page_is_built_with_the_licence_texts_of_what_it_contains() -> None:
    text = NOTICES.read_text(encoding="utf-8")
    listed = dict(re.findall(r"^(\S+) \S+ · (.+)$", text, re.MULTILINE))
    assert listed["elkjs"].startswith("EPL-2.0")
    assert "Eclipse Public License" in text
    assert "https://github.com/kieler/elkjs" in text
    for part in ("react", "katex", "shiki", "mermaid", "tailwindcss", "@fontsource-variable/inter"):
        assert part in listed, part
    assert "SIL OPEN FONT LICENSE" in text
