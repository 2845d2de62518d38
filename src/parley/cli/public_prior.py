"""`parley standings prior`: starts the leaderboard from published results, shows them, and removes them."""

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlencode

import typer

from parley.cli.options import JsonOption, with_settings
from parley.cli.terminal import say, say_json
from parley.features.vote_files.limits import FileLimits

if TYPE_CHECKING:
    from parley.features.standings.prior_schemas import PublicPriorState, PublicPriorView
    from parley.features.standings.runtime import StandingsRuntime
    from parley.kernel.caller import Caller
    from parley.ratings.lines import PriorForecast
    from parley.settings import Settings

SEE_PRIOR = "See parley standings prior show for whether it helps."

prior = typer.Typer(no_args_is_help=True, help="Start the leaderboard from published results.")


@prior.command("set")
@with_settings(models=False)
def set_prior(
    settings: "Settings",
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="Votes in LMArena's columns (model_a, model_b, winner), or counts per pair "
            "(model_a, model_b, wins_a, wins_b, ties): .csv, .jsonl or .parquet.",
        ),
    ],
    weight: Annotated[float, typer.Option(help="The number of votes that the results count as, in all.")],
    source: Annotated[
        str,
        typer.Option(help="Where the results come from, as the leaderboard names it.", show_default=False),
    ] = "",
    map_: Annotated[
        list[str] | None,
        typer.Option(
            "--map", metavar="NAME=MODEL", help="The model that a name in the file means.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Start the leaderboard from a file of published results. Replaces earlier ones."""
    from parley.features.standings.prior_schemas import PriorSettings, mapped_models
    from parley.features.vote_files.formats import format_of

    new_prior = PriorSettings(weight=weight, source=source, models=mapped_models(map_ or ()))
    kind = format_of(str(file))
    query = [("name", file.name), ("weight", f"{weight:g}"), *([("source", source)] if source else [])]
    route = f"prior?{urlencode([*query, *(('map', each) for each in map_ or ())])}"
    data = shlex.quote(f"@{file}")
    instead = f"-X PUT --data-binary {data} -H 'Content-Type: application/octet-stream'"
    _change(
        settings,
        as_json,
        (route, instead),
        lambda runtime, owner: runtime.prior.set(
            owner, file, kind, file.name, new_prior, FileLimits.of(settings)
        ),
    )


@prior.command()
@with_settings(models=False)
def show(settings: "Settings", as_json: JsonOption = False) -> None:
    """Show the published results, and whether they help to forecast your own votes."""
    from parley.cli.databases import open_standings

    async def read() -> "PublicPriorState":
        async with open_standings(settings) as runtime:
            return await runtime.prior.read(examine=True)

    current = asyncio.run(read())
    say_json(current) if as_json else _print(current)


@prior.command()
@with_settings(models=False)
def remove(settings: "Settings", as_json: JsonOption = False) -> None:
    """Remove the published results. The leaderboard is made from your own votes alone."""
    _change(settings, as_json, ("prior", "-X DELETE"), lambda runtime, owner: runtime.prior.remove(owner))


def _change(
    settings: "Settings",
    as_json: bool,
    instead: tuple[str, str],
    act: "Callable[[StandingsRuntime, Caller], Awaitable[PublicPriorState]]",
) -> None:
    from parley.cli.databases import open_standings
    from parley.features.accounts.service import AccountsService

    async def change() -> "PublicPriorState":
        route, options = instead
        async with open_standings(settings, write=True, route=route, options=options) as runtime:
            await act(runtime, AccountsService.owner("command"))
            await runtime.worker.run(False)
            return await runtime.prior.read(examine=True)

    prior = asyncio.run(change())
    say_json(prior) if as_json else _print(prior)


def _print(prior: "PublicPriorState") -> None:
    if prior.prior is None:
        say("The leaderboard starts from no published results.")
        return
    for text in _lines(prior.prior):
        say(text)


def _lines(shown: "PublicPriorView") -> Iterator[str]:
    yield (
        f"The leaderboard starts from {shown.source}: counts as {shown.weight:,.6g} votes "
        f"(own votes: {shown.own_votes:,})."
    )
    if shown.in_use < shown.weight:
        yield (
            f"Of these, {shown.in_use:,.4g} are between models that have own votes. The others count as soon as "
            "their models have some."
        )
    yield (
        f"{shown.usable:,.12g} of {shown.published:,.12g} published votes are between your models. "
        "The others are left out."
    )
    for it in shown.matched:
        yield f"  {it.name} is {it.model_id}." if it.name != it.model_id else f"  {it.name}"
    if shown.unmatched_names:
        names = ", ".join(f"{it.name} ({it.votes:,.6g} votes)" for it in shown.unmatched)
        count = f"{shown.unmatched_names:,} name{'s' if shown.unmatched_names > 1 else ''}"
        yield f"Not among your models: {count} (--map NAME=MODEL): {names}."
    yield forecast_text(shown.forecast)


def forecast_text(forecast: "PriorForecast | None") -> str:
    """Say whether a prior helps."""
    if forecast is None:
        return "Too few own votes to tell whether the prior helps."
    figures = (
        f"log loss {forecast.loss_with:.4f} with it, {forecast.loss_without:.4f} without, difference "
        f"{forecast.gain:+.4f} ({forecast.ci_lower:+.4f} to {forecast.ci_upper:+.4f}) "
        f"on {forecast.votes:,} held-out own votes"
    )
    if forecast.verdict == "helps":
        return f"The prior helps so far: {figures}."
    if forecast.verdict == "harms":
        return f"The prior makes the forecast worse: {figures}. Consider removing it."
    return f"Not clear yet whether the prior helps: {figures}."
