"""Shared by the commands that ask models: options, and the turn with its answers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from parley.cli.answers import SeatReplies
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
EffortOption = Annotated[
    str | None,
    typer.Option("--effort", help="Reasoning effort: none, low, medium or high.", show_default=False),
]
MaxTokensOption = Annotated[int | None, typer.Option(help="Max tokens in an answer.", show_default=False)]


FileOption = Annotated[
    list[Path] | None,
    typer.Option("--file", "-f", help="A picture or file to ask about; can be repeated.", show_default=False),
]


async def attach(client: "ApiClient", files: Sequence[Path] | None) -> list[dict[str, str]]:
    """Upload files; return them as a question names them. Raises Invalid for one that cannot be read."""
    if not files:
        return []
    from parley.kernel.errors import Invalid

    most = (await client.get("/api/about"))["max_attachment_bytes"]
    named: list[dict[str, str]] = []
    for path in files:
        try:
            with path.open("rb") as opened:
                # A device or a pipe does not say how long it is.
                content = opened.read(most + 1)
            if len(content) > most:
                title = f"{path.name} is larger than {most >> 20} MB."
                raise Invalid("file", title, "Nothing was asked. See the setting attachment_max_mb.")
        except OSError as error:
            raise Invalid("file", f"Can't read {path}: {error.strerror}.", "Nothing was asked.") from None
        stored = await client.send_file("/api/attachments", content, name=_sendable(path.name))
        named.append({"sha256": stored["sha256"], "name": stored["name"]})
    return named


def _sendable(name: str) -> str:
    """Return a name that UTF-8 can hold: a file system may have others."""
    return name.encode("utf-8", "replace").decode()


def seat_settings_of(
    system: str | None, temperature: float | None, max_tokens: int | None, effort: str | None
) -> dict[str, object]:
    """Return the settings of a seat that were given."""
    options: dict[str, object] = {
        "system_prompt": system,
        "temperature": temperature,
        "max_output_tokens": max_tokens,
    }
    options["reasoning_effort"] = effort
    return {name: value for name, value in options.items() if value is not None}


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
    client: "ApiClient",
    body: dict[str, Any],
    answers: SeatReplies,
    update: Callable[[], None],
    path: str = "/api/sessions",
) -> dict[str, Any]:
    """Run a turn, keep `answers` up to date, and return the turn as the API shows it. See `run_turn`."""

    def take(event: dict[str, Any]) -> None:
        answers.take(event)
        update()

    try:
        end = await run_turn(client, body, take, path, quiet=True)
    except asyncio.CancelledError:
        answers.stop()
        update()
        raise
    return await client.get(f"/api/turns/{end['turn_id']}")
