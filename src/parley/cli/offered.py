"""Models as the terminal adds them: with what their provider says of them, like the page."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from parley.cli.terminal import say

if TYPE_CHECKING:
    from parley.cli.client import ApiClient

_FACTS = ("name", "organization", "capabilities", "context_window", "prices")


async def test_connection(client: "ApiClient", place: Mapping[str, Any]) -> dict[str, Any]:
    """Test a connection; return the address that was tested, and the models that it offers."""
    return await client.send("POST", "/api/providers/test", dict(place))


def with_facts(
    offer: Mapping[str, Any], models: Sequence[str], fields: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return models to add, by their names at the provider, completed by its offer; `fields` come first."""
    offered = {model["model"]: model for model in offer["models"]}
    if not offer["ok"]:
        say(f"Added untested, without prices and context windows. {offer['problem']['title']}", err=True)
    elif offered and (unknown := [model for model in models if model not in offered]):
        say(f"The provider does not list {', '.join(unknown)}.", err=True)
    return [
        {
            "model": model,
            **{name: fact for name in _FACTS if (fact := offered.get(model, {}).get(name)) is not None},
            **fields,
        }
        for model in models
    ]
