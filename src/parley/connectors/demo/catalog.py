"""The demo's entries for the catalog."""

from parley.connectors.demo.characters import CHARACTERS
from parley.connectors.demo.faulty import FAULTS
from parley.kernel.models import Model, Prices, Provider, Route

_CARDS: dict[str, tuple[str, Prices | None, str]] = {
    # model id: family, prices, description
    "demo-ada": (
        "Parley Steps",
        Prices(0.6, 2.4),
        "Thorough: headings, numbered steps, tables. Shows its reasoning.",
    ),
    "demo-pico": ("Parley Swift", Prices(0.05, 0.2), "Terse and quick. Rounds where others calculate."),
    "demo-lyra": ("Parley Verse", None, "Answers in verse and keeps the facts straight."),
    "demo-maieu": ("Parley Dialogue", Prices(0.2, 0.8), "Leads to the answer with questions."),
    "demo-vera": (
        "Parley Steps",
        Prices(0.9, 3.6),
        "Sceptical: claim, basis, objection, confidence. Shows its reasoning.",
    ),
    "demo-tilo": ("Parley Swift", Prices(0.1, 0.4), "A friendly tutor in plain paragraphs."),
    "demo-echo": ("Parley Dialogue", None, "Listens, gives your words back and asks on."),
}


def demo_catalog() -> tuple[tuple[Provider, ...], tuple[Model, ...]]:
    """Return the demo's provider and its models: offline, free of charge, prices only so that costs show."""
    provider = Provider(id="demo", connector="demo", base_url="demo://", local=True)
    return (provider,), tuple(_card(model_id) for model_id in CHARACTERS)


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
    family, prices, description = _CARDS[model_id]
    return Model(
        id=model_id,
        name=f"{CHARACTERS[model_id].name} (demo)",
        organization="Parley Demo",
        family=family,
        license="Apache-2.0",
        routes=(Route("demo", model_id),),
        prices=prices,
        context_window=32_000,
        tags=("demo", "offline"),
        description=f"{description} A small program, not a language model.",
        demo=True,
        local=True,
    )
