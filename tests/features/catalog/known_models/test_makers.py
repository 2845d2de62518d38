"""Makers, families, licences and names, facts_shown from ids as servers, clouds, repositories and files write them."""

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from parley.features.catalog.discovery.describing import described
from parley.features.catalog.discovery.findings import OfferedModel
from parley.features.catalog.known_models.makers import NOTHING_KNOWN, facts_of_name, maker_names, maker_of

LINES = (Path(__file__).parent / "names.txt").read_text("utf-8").splitlines()
NAMES = [line.split(" | ") for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize("parts", NAMES, ids=lambda parts: parts[0])
def test_an_id_tells_what_is_certain_of_its_model(parts: list[str]) -> None:
    model, *facts = parts
    known = facts_of_name(model)
    facts_shown = [known.name, known.organization, known.family, known.license]
    assert facts_shown == [fact.removesuffix(" |").strip() for fact in facts] + [""] * (4 - len(facts))


def test_the_table_has_every_maker_in_use() -> None:
    assert len(NAMES) >= 150
    data = tomllib.loads(
        (files("parley.features.catalog.known_models") / "makers.toml").read_text(encoding="utf-8")
    )
    assert {family["maker"] for family in data["family"]} <= set(maker_names())
    assert len(set(maker_names())) == len(maker_names()) >= 40


@pytest.mark.parametrize(
    "model", ["", " ", "/", "\\", "...", "q4_k_m", "latest", ":latest", "x" * 5000, "a/b/c"]
)
def test_a_name_that_says_nothing_tells_nothing(model: str) -> None:
    assert facts_of_name(model) == NOTHING_KNOWN


@pytest.mark.parametrize(
    ("text", "maker"),
    [
        *(
            ("mistralai", "Mistral"),
            ("Alibaba Cloud", "Alibaba"),
            ("META-LLAMA", "Meta"),
            ("Zhipu AI", "Z.ai"),
        ),
        *(
            ("Acme Labs", "Acme Labs"),
            ("lmstudio-community", ""),
            ("library", ""),
            ("organization_owner", ""),
        ),
        *(("Unknown", ""), ("", ""), (None, "")),
    ],
)
def test_a_servers_word_for_a_maker_is_written_as_people_do(text: str | None, maker: str) -> None:
    assert maker_of(text) == maker


def test_a_server_that_packs_models_is_not_taken_for_their_maker() -> None:
    packed = described(OfferedModel(model="qwen3-8b", name="Qwen3 8B", organization="lmstudio-community"))
    assert (packed.organization, packed.known_from["organization"]) == ("Alibaba", "name")
    unknown = described(OfferedModel(model="lab-v3", name="lab-v3", organization="Acme", context_window=8))
    assert (unknown.name, unknown.organization) == ("lab-v3", "Acme")
    assert (unknown.known_from["organization"], unknown.known_from["context_window"]) == ("server", "server")
