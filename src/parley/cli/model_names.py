"""Finds models by what a person calls them: an id or a name, in any case."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parley.cli.client import ApiClient

MOST_LISTED = 20


async def model_resolver(client: "ApiClient") -> Callable[[str], str | None]:
    """Return a function that finds a model's id by its id or name, ignoring case."""
    known: dict[str, str] = {}
    for model in (await client.get("/api/models"))["models"]:
        known.setdefault(model["name"].casefold(), model["id"])
        known[model["id"].casefold()] = model["id"]
    return lambda name: known.get(name.casefold())


async def model_ids(client: "ApiClient", names: Sequence[str]) -> list[str]:
    """Return the ids of models. Raises NotFound, which names the models there are."""
    from parley.kernel.errors import NotFound
    from parley.text.plain_words import did_you_mean

    resolve = await model_resolver(client)
    resolved = {name: resolve(name) for name in names}
    for name, model_id in resolved.items():
        if model_id is None:
            models = (await client.get("/api/models"))["models"]
            ids = [model["id"] for model in models if model["enabled"]]
            more = f" and {len(ids) - MOST_LISTED} more (parley models)" if len(ids) > MOST_LISTED else ""
            there = f"Models: {', '.join(ids[:MOST_LISTED])}{more}." if ids else "There are no models yet."
            raise NotFound(f"There is no model “{name}”{did_you_mean(name, ids)}.", there)
    return [model_id for name in names if (model_id := resolved[name]) is not None]
