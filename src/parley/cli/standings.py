"""`parley standings`: prints the ratings table, recounts it from the votes, lists and excludes flagged voters."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from parley.cli.options import JsonOption, ListsByDefault, with_settings
from parley.cli.public_prior import SEE_PRIOR, forecast_text, prior
from parley.cli.terminal import print_table, progress_bar, say, say_json

if TYPE_CHECKING:
    from parley.features.standings.health_schemas import FlaggedVoter, VoteHealth, VoterPage
    from parley.features.standings.runtime import StandingsRuntime
    from parley.features.standings.schemas import Leaderboard, Preferences, Rebuilt
    from parley.kernel.caller import Caller
    from parley.settings import Settings

T = TypeVar("T")

METHODS = {"bradley-terry": "Bradley-Terry", "style-control": "style control", "elo": "Elo"}

VoterArgument = Annotated[
    str, typer.Argument(metavar="VOTER", help="A pseudonym, as “parley standings voters” lists it.")
]

standings = typer.Typer(
    cls=ListsByDefault, help="Show and rebuild the ratings table. Without a command: list."
)
standings.add_typer(prior, name="prior")


@standings.command("list")
@standings.command("show", hidden=True)
@with_settings(models=False)
def show(
    settings: "Settings",
    category: Annotated[str, typer.Option(help="A category's id, such as overall or coding.")] = "overall",
    method: Annotated[
        Literal["bradley-terry", "style-control", "elo"], typer.Option(help="Rating method.")
    ] = "bradley-terry",
    min_votes: Annotated[int, typer.Option(min=0, help="Hide models with fewer votes.")] = 5,
    preferences: Annotated[
        bool, typer.Option("--preferences", help="Show unrated votes in a separate table.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the table. Reads only, so you can run it beside a server."""
    from parley.features.standings.schemas import TableQuery

    if preferences:
        current = asyncio.run(_open(settings, lambda runtime: runtime.preferences.read()))
        say_json(current) if as_json else _print_preferences(current)
        return
    query = TableQuery(category=category, method=method, min_votes=min_votes, limit=1_000_000)

    table = asyncio.run(_open(settings, lambda runtime: runtime.leaderboard.page(query)))
    say_json(table) if as_json else _print_table(table)


@standings.command()
@with_settings(models=False)
def rebuild(settings: "Settings", as_json: JsonOption = False) -> None:
    """Recount every vote and correct the counts. Stop a running server first, or use its API."""
    from parley.features.accounts.service import AccountsService

    with progress_bar("Counting") as progress:
        owner = AccountsService.owner("command")
        result = asyncio.run(_open(settings, lambda runtime: runtime.rebuild(owner, progress), write=True))
    say_json(result) if as_json else say(rebuilt_text(result))


@standings.command()
@with_settings(models=False)
def voters(settings: "Settings", as_json: JsonOption = False) -> None:
    """List flagged and excluded voters."""
    report = asyncio.run(_open(settings, lambda runtime: runtime.voters.voters()))
    if as_json:
        say_json(report)
        return
    for flag in report:
        say(_flag_text(flag))
    if any(flag.excluded_at is None for flag in report):
        say("A flag is a reason to check. Flagged votes count until you run: parley standings exclude VOTER")
    elif not report:
        say("No voter is flagged.")


@standings.command()
@with_settings(models=False)
def health(
    settings: "Settings",
    limit: Annotated[int, typer.Option(min=0, max=50, help="The number of voters to list.")] = 10,
    as_json: JsonOption = False,
) -> None:
    """Show who stands behind the table: voters, speed, sides, and what single voters move."""
    from parley.cli.vote_health import print_health
    from parley.features.standings.health_schemas import VoterQuery

    async def read(runtime: "StandingsRuntime") -> "tuple[VoteHealth, VoterPage]":
        report = await runtime.health.read()
        page = await runtime.health.voters(VoterQuery(limit=limit))
        while page.pending:
            page = await runtime.health.voters(VoterQuery(limit=limit))
        return report, page

    report, page = asyncio.run(_open(settings, read))
    say_json({"health": report, "voters": page}) if as_json else print_health(report, page)


@standings.command()
@with_settings(models=False)
def exclude(settings: "Settings", voter: VoterArgument, as_json: JsonOption = False) -> None:
    """Exclude the votes of a flagged voter. Undo it with “reinstate”."""
    route = f"voters/{voter}/exclude"
    _rule(settings, as_json, route, lambda runtime, owner: runtime.voters.exclude(owner, voter))


@standings.command()
@with_settings(models=False)
def reinstate(settings: "Settings", voter: VoterArgument, as_json: JsonOption = False) -> None:
    """Count the votes of an excluded voter again."""
    route = f"voters/{voter}/reinstate"
    _rule(settings, as_json, route, lambda runtime, owner: runtime.voters.reinstate(owner, voter))


def _rule(
    settings: "Settings",
    as_json: bool,
    route: str,
    act: "Callable[[StandingsRuntime, Caller], Awaitable[FlaggedVoter]]",
) -> None:
    from parley.features.accounts.service import AccountsService

    owner = AccountsService.owner("command")

    async def change(runtime: "StandingsRuntime") -> "FlaggedVoter":
        flag = await act(runtime, owner)
        await runtime.worker.run(False)
        return flag

    flag = asyncio.run(_open(settings, change, write=True, route=route))
    say_json(flag) if as_json else say(_flag_text(flag))


def _flag_text(flag: "FlaggedVoter") -> str:
    about = f" {flag.model_id}" if flag.model_id else ""
    text = (
        f"{flag.voter_id}  {flag.pattern}{about}: {flag.e_value:.3g} to 1 from {flag.votes:,} votes "
        f"on {flag.prompts:,} prompts, flagged {flag.flagged_at:%Y-%m-%d %H:%M} UTC"
    )
    if flag.excluded_at is None:
        return f"{text}. The votes count."
    return f"{text}. Excluded {flag.excluded_at:%Y-%m-%d %H:%M} UTC by {flag.excluded_by}."


async def _open(
    settings: "Settings",
    read: "Callable[[StandingsRuntime], Awaitable[T]]",
    *,
    write: bool = False,
    route: str = "rebuild",
) -> T:
    from parley.cli.databases import open_standings

    async with open_standings(settings, write=write, route=route) as runtime:
        return await read(runtime)


def rebuilt_text(rebuilt: "Rebuilt") -> str:
    """Describe a finished recount."""
    votes = f"{rebuilt.votes:,} {'vote' if rebuilt.votes == 1 else 'votes'}"
    result = "all counts were right"
    if rebuilt.corrected:
        result = f"corrected {rebuilt.corrected:,} {'count' if rebuilt.corrected == 1 else 'counts'}"
    text = f"✓ Recounted {votes} in {rebuilt.duration_ms / 1000:.1f} s: {result}."
    if rebuilt.restored:
        text += f"\n  {rebuilt.restored:,} of them differed from the audit log and were restored from it."
    return text


def _print_preferences(table: "Preferences") -> None:
    for line in table.lines:
        say(f"{line.rank_ub:>4}  {line.rating:>6.0f}  {line.model.name}: {line.chosen:,} of {line.shown:,}")
    say(f"{table.votes:,} votes prefer a model. {table.ties:,} prefer none and are not in the table.")


def _print_table(table: "Leaderboard") -> None:
    from parley.ratings.lines import rank_text

    rows: list[list[str]] = []
    for line in table.lines:
        interval = "–"
        if line.ci_lower is not None and line.ci_upper is not None:
            interval = f"± {max(1, round((line.ci_upper - line.ci_lower) / 2))}"
        name = f"{line.model.name}{' (provisional)' if line.provisional else ''}"
        numbers = [f"{line.rating:.0f}", interval, f"{line.votes:,}", f"{line.win_rate:.0%}"]
        rows.append([rank_text(line.rank_ub, line.rank_lb), name, *numbers, line.model.organization])
    if rows:
        headings = ("Rank", "Model", ">Score", ">95% interval", ">Votes", ">Won", "Organisation")
        print_table(headings, rows, width=160)
    for text in _notes(table):
        say(text)


def _notes(table: "Leaderboard") -> Generator[str]:
    """Yield what the reader of a table has to know."""
    title = next((it.title for it in table.categories if it.id == table.category), table.category)
    votes = f"{table.votes:,} {'vote' if table.votes == 1 else 'votes'}"
    models = f"{table.models:,} {'model' if table.models == 1 else 'models'}"
    yield f"{title}, {METHODS[table.method]}: {votes}, {models}."
    if table.prior is not None:
        started, use = table.prior, ""
        if started.in_use < started.weight:
            use = f", {started.in_use:,.4g} of them between these models"
        yield (
            f"Starts from {started.source}: counts as {started.weight:,.6g} votes{use} "
            f"(own votes: {started.own_votes:,}). {forecast_text(started.forecast) if started.forecast else SEE_PRIOR}"
        )
    if table.left_out:
        yield f"{table.left_out:,} models with fewer than {table.min_votes} votes are left out (--min-votes)."
    if table.groups > 1:
        yield f"No votes connect the {table.groups} groups of models, so their ratings are not comparable."
    if table.uncounted:
        reasons = ", ".join(f"{it.votes:,} {it.reason}" for it in table.uncounted)
        yield f"Saved but not counted: {reasons}."
    if table.worker.pending:
        yield f"{table.worker.pending:,} votes are not counted yet. A running server counts them."
