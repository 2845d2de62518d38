"""What the commands that ask models share: options for how to ask, and the turn with its answers."""

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from parley.cli.answers import Answers
from parley.cli.turns import run_turn

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

T = TypeVar("T")

SystemOption = Annotated[
    str | None, typer.Option("--system", "-s", help="System prompt.", show_default=False)
]
TemperatureOption = Annotated[
    float | None, typer.Option(help="Sampling temperature, 0 to 2.", show_default=False)
]
MaxTokensOption = Annotated[int | None, typer.Option(help="Max tokens in an answer.", show_default=False)]


def asked_settings(
    system: str | None, temperature: float | None, max_tokens: int | None
) -> dict[str, object]:
    """Return the settings of a seat that were given."""
    given = {"system_prompt": system, "temperature": temperature, "max_output_tokens": max_tokens}
    return {name: value for name, value in given.items() if value is not None}


def ask_quietly(
    settings: "Settings", work: Callable[["ApiClient"], Awaitable[T]], *, blind: bool = False
) -> T:
    """Carry out requests as `ask_server` does; a server started for them logs no warnings, and nothing if `blind`.

    The log names models and repeats what is wrong with an answer, which the turn says too.
    """
    from parley.cli.client import ask_server

    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL if blind else logging.WARNING)
    try:
        return ask_server(settings, work)
    finally:
        logging.disable(before)


async def ask_turn(
    client: "ApiClient", body: dict[str, Any], answers: Answers, update: Callable[[], None]
) -> dict[str, Any]:
    """Run a turn, keep `answers` up to date, and return the turn as the API shows it. See `run_turn`."""

    def take(event: dict[str, Any]) -> None:
        answers.take(event)
        update()

    end = await run_turn(client, body, take)
    return await client.get(f"/api/turns/{end['turn_id']}")
