"""The demo's entries for the catalog."""

from parley.connectors.demo.characters import CHARACTERS, Character
from parley.connectors.demo.drawing import PAINTERS
from parley.connectors.demo.faulty import FAULTS
from parley.kernel.models import Capability, Model, Provider, Route

DEMO_URL = "demo://"


def demo_catalog() -> tuple[tuple[Provider, ...], tuple[Model, ...]]:
    """Return the demo's provider and its models: offline, free of charge, prices only so that costs show."""
    provider = Provider(id="demo", connector="demo", base_url=DEMO_URL, local=True)
    painters = (_painter_card(model_id) for model_id in PAINTERS)
    return (provider,), (*(_card(model_id) for model_id in CHARACTERS), *painters)


def faulty_catalog() -> tuple[tuple[Provider, ...], tuple[Model, ...]]:
    """Return a provider whose models fail on purpose. For tests only; never part of a real catalog."""
    provider = Provider(id="demo-faulty", connector="demo", base_url="demo://", local=True)
    models = tuple(
        Model(
            id=model_id,
            name=f"{model_id.removeprefix('demo-').capitalize()} (test)",
            organization="Parley Demo",
            family="Parley Faults",
            license="Apache-2.0",
            routes=(Route(provider.id, model_id),),
            demo=True,
            local=True,
        )
        for model_id in FAULTS
    )
    return (provider,), models


def _card(model_id: str) -> Model:
    character = CHARACTERS[model_id]
    pictures = (
        " Accepts pictures so that you can try attaching them, but can't read them."
        if character.takes_pictures
        else ""
    )
    return Model(
        id=model_id,
        name=f"{character.name} (demo)",
        organization="Parley Demo",
        family=character.family,
        license="Apache-2.0",
        routes=(Route("demo", model_id),),
        prices=character.prices,
        capabilities=_capabilities(character),
        context_window=32_000,
        tags=("demo", "offline"),
        description=f"{character.description} A small program that plays recorded answers, not a language model."
        f"{pictures}",
        demo=True,
        local=True,
    )


def _painter_card(model_id: str) -> Model:
    painter = PAINTERS[model_id]
    return Model(
        id=model_id,
        name=f"{painter.name} (demo)",
        organization="Parley Demo",
        family=painter.family,
        license="Apache-2.0",
        routes=(Route("demo", model_id),),
        prices=painter.prices,
        capabilities=("images",),
        tags=("demo", "offline"),
        description=f"{painter.description} A small program that draws the same picture for the same words, not an "
        "image model.",
        demo=True,
        local=True,
    )


def _capabilities(character: Character) -> tuple[Capability, ...]:
    """Return what a character can do: those that show their reasoning can leave it out."""
    reasons = "reasoning" in character.description
    return (
        "text",
        *(("vision",) if character.takes_pictures else ()),
        *(("tools",) if character.calls_tools else ()),
        *(("reasoning",) if reasons else ()),
    )
