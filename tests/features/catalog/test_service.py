"""Tests of the catalog's service."""

from pathlib import Path

import msgspec
import pytest

from parley.features.catalog.reader import Entries
from parley.features.catalog.service import CatalogService, make_catalog, read_entries_file
from parley.kernel.errors import NotFound, ParleyError
from parley.kernel.models import Capability, Model, Provider, Route


def model(
    name: str,
    *,
    tags: tuple[str, ...] = (),
    enabled: bool = True,
    capabilities: tuple[Capability, ...] = ("text",),
    demo: bool = False,
    local: bool = False,
) -> Model:
    return Model(
        id=name,
        name=name.title(),
        organization="Somebody",
        family="somebody",
        license="MIT",
        routes=(Route("p", name),),
        tags=tags,
        enabled=enabled,
        capabilities=capabilities,
        demo=demo,
        local=local,
    )


DEMO = Entries((Provider("demo", "demo"),), (model("demo-a", demo=True), model("demo-b", demo=True)))
OWN = Entries((Provider("p", "openai"),), (model("own"),))


def ids(models: object) -> list[str]:
    assert isinstance(models, tuple)
    return [entry.id for entry in models]


def test_what_is_not_in_the_catalog_is_not_found() -> None:
    catalog = CatalogService(*OWN)
    assert catalog.model("own").id == "own"
    assert catalog.provider("p").connector == "openai"
    with pytest.raises(NotFound, match="no model “other”"):
        catalog.model("other")
    with pytest.raises(NotFound, match="no provider “other”"):
        catalog.provider("other")


def test_all_enabled_models_that_answer_are_in_the_pool_where_none_is_tagged() -> None:
    catalog = CatalogService(
        (), (model("a"), model("b", enabled=False), model("c", capabilities=("embeddings",)))
    )
    assert ids(catalog.battle_pool()) == ["a"]
    assert ids(catalog.models()) == ["a", "b", "c"]


def test_tagged_models_alone_are_in_the_pool_where_there_are_any() -> None:
    catalog = CatalogService((), (model("a"), model("b", tags=("battle",)), model("c", tags=("battle",))))
    assert ids(catalog.battle_pool()) == ["b", "c"]


@pytest.mark.parametrize(
    ("setting", "own", "expected"),
    [
        ("auto", OWN, ["own"]),
        ("auto", Entries(), ["demo-a", "demo-b"]),
        ("on", OWN, ["own", "demo-a", "demo-b"]),
        ("on", Entries(), ["demo-a", "demo-b"]),
        ("off", OWN, ["own"]),
        ("off", Entries(), []),
    ],
)
def test_demo_models_show_as_they_are_set(setting: str, own: Entries, expected: list[str]) -> None:
    catalog = make_catalog(own, DEMO, setting)  # pyright: ignore[reportArgumentType]
    assert ids(catalog.models()) == expected
    assert catalog.demo_only is (bool(expected) and own == Entries())


def test_a_configured_id_wins_over_the_demo() -> None:
    own = Entries((), (model("demo-a"),))
    assert not make_catalog(own, DEMO, "on").model("demo-a").demo


def test_a_card_tells_who_a_model_is() -> None:
    catalog = CatalogService(*OWN)
    card = catalog.card(catalog.model("own"))
    assert (card.id, card.name, card.provider, card.local, card.demo) == ("own", "Own", "p", False, False)
    assert catalog.cards() == (card,)


@pytest.mark.parametrize("entry", [model("a", local=True), model("a", demo=True)])
def test_a_card_is_local_on_this_computer_and_for_the_demo(entry: Model) -> None:
    assert CatalogService((), (entry,)).card(entry).local


def test_a_list_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ParleyError, match="cannot be read"):
        read_entries_file(tmp_path, connectors=(), variables={})


def test_a_list_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text("models: [{id: a, connector: demo, model: ${NAME}}]", encoding="utf-8")
    entries = read_entries_file(path, connectors=("demo",), variables={"NAME": "x"})
    assert entries.models[0].routes == (Route("demo", "x"),)


def ensemble(name: str, *, enabled: bool = True) -> Model:
    return msgspec.structs.replace(model(name, enabled=enabled), kind="ensemble", routes=())


def test_ensembles_come_and_go_and_all_else_stays() -> None:
    catalog = CatalogService((), (model("a", tags=("battle",)), model("b")))
    catalog.admit([ensemble("board-r1"), ensemble("jury-r1", enabled=False)])
    assert ids(catalog.models()) == ["a", "b", "board-r1", "jury-r1"]
    assert ids(catalog.battle_pool()) == ["a", "board-r1"], "they need no tag, and make no tag needless"
    catalog.admit([ensemble("board-r2")])
    assert ids(catalog.models()) == ["a", "b", "board-r2"]
    with pytest.raises(NotFound):
        catalog.model("board-r1")
    catalog.admit([])
    assert ids(catalog.models()) == ["a", "b"]


def test_an_id_of_the_model_list_stays_the_list_s(caplog: pytest.LogCaptureFixture) -> None:
    catalog = CatalogService((), (model("board-r1"),))
    catalog.admit([ensemble("board-r1")])
    assert catalog.model("board-r1").kind == "single"
    assert "board-r1" in caplog.text
