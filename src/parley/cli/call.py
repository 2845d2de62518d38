"""`parley call`: what a Kubernetes Job of Parley runs."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.terminal import say

if TYPE_CHECKING:
    from parley.connectors.kubernetes.carried import CarriedCall


def call(file: Annotated[Path, typer.Argument(metavar="FILE", help="The call, as Parley wrote it.")]) -> None:
    """Make one call to a model and print its answer as numbered lines: what a Kubernetes Job of Parley runs."""
    import msgspec

    from parley.connectors.kubernetes.carried import CarriedCall

    try:
        carried = CarriedCall.unpacked(file.read_bytes())
    except OSError as error:
        say(f"Can't read the call: {error.strerror}.", err=True)
        raise typer.Exit(2) from None
    except msgspec.DecodeError as error:
        say(f"This is no call of this version of Parley: {error}", err=True)
        raise typer.Exit(2) from None
    if not asyncio.run(_answered(carried)):
        raise typer.Exit(1)


async def _answered(carried: "CarriedCall") -> bool:
    from parley.connectors.kubernetes.carried import answer
    from parley.features.catalog.connections import open_connector
    from parley.features.catalog.opening import build_registry

    async with open_connector(carried, build_registry()) as connector:
        return await answer(carried, connector, say)
