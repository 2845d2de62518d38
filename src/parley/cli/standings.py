"""`parley standings`: the table in the terminal, and the counts made anew from the votes."""

import asyncio
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.callers import the_caller
from parley.cli.options import ConfigOption, DataDirOption, JsonOption
from parley.cli.terminal import cell, console, say, say_json

if TYPE_CHECKING:
    from parley.settings import Settings
    from parley.text.categories.categorise import Categories
    from parley.workspace.standings.schemas import FlaggedVoter, Leaderboard, Preferences, Rebuilt, TableQuery

standings = typer.Typer(no_args_is_help=True, help="The ratings table that votes make.")

METHODS = ("bradley-terry", "style-control", "elo")


@standings.callback()
def root() -> None:
    """Take the options that stand before a command of this group."""


@standings.command()
def show(
    config: ConfigOption = None,
    data_dir: DataDirOption = None,
    category: Annotated[str, typer.Option(help="A category's id, as overall or coding.")] = "overall",
    method: Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}.")] = "bradley-terry",
    min_votes: Annotated[int, typer.Option(min=0, help="Leave out models with fewer votes.")] = 5,
    preferences: Annotated[
        bool, typer.Option("--preferences", help="Votes that no rating comes from, in a table of their own.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the table; it only reads, and may run while a server uses the same database."""
    import msgspec

    from parley.settings import load_settings
    from parley.workspace.standings.schemas import TableQuery

    if method not in METHODS:
        raise typer.BadParameter(f"must be one of {', '.join(METHODS)}", param_hint="--method")
    settings = load_settings({"config": config, "data_dir": data_dir})
    if preferences:
        found = asyncio.run(_preferences(settings))
        say_json(found) if as_json else _print_preferences(found)
        return
    asked = msgspec.convert(
        {"category": category, "method": method, "min_votes": min_votes, "limit": 1_000_000}, TableQuery
    )
    table = asyncio.run(_read(settings, asked))
    if as_json:
        say_json(table)
        return
    _print_table(table)


@standings.command()
def rebuild(config: ConfigOption = None, data_dir: DataDirOption = None, as_json: JsonOption = False) -> None:
    """Count every vote anew and put right what differs. The server must be stopped, or be asked to do it itself."""
    from parley.settings import load_settings

    settings = load_settings({"config": config, "data_dir": data_dir})
    with _progress() as progress:
        found = asyncio.run(_rebuild(settings, progress))
    if as_json:
        say_json(found)
        return
    say(rebuilt_text(found))


@standings.command()
def voters(config: ConfigOption = None, data_dir: DataDirOption = None, as_json: JsonOption = False) -> None:
    """List the voters whose votes look like a plan. Their votes count: look into it before you judge."""
    from parley.settings import load_settings

    found = asyncio.run(_flags(load_settings({"config": config, "data_dir": data_dir})))
    if as_json:
        say_json(found)
        return
    for flag in found:
        about = f" {flag.model_id}" if flag.model_id else ""
        say(
            f"{flag.voter_id}  {flag.pattern}{about}: {flag.e_value:.3g} to 1 after {flag.after:,} votes, "
            f"{flag.votes:,} in all"
        )
    say("No voter is flagged." if not found else "Nothing was taken out: a flag is a reason to look.")


def rebuilt_text(found: "Rebuilt") -> str:
    """Return what a person is told."""
    votes = f"{found.votes:,} {'vote' if found.votes == 1 else 'votes'}"
    seconds = f"{found.duration_ms / 1000:.1f} s"
    restored = ""
    if found.restored:
        restored = f"\n  Beside {found.restored:,} of them stood what the audit log does not say: put back."
    if not found.corrected:
        return f"✓ {votes} counted anew in {seconds}: the counts were right.{restored}"
    numbers = f"{found.corrected:,} {'count was' if found.corrected == 1 else 'counts were'}"
    return f"✓ {votes} counted anew in {seconds}: {numbers} wrong and put right.{restored}"


async def _read(settings: "Settings", asked: "TableQuery") -> "Leaderboard":
    from parley.storage.first_start import open_existing
    from parley.workspace.standings.runtime import open_offline

    async with (
        open_existing(settings.database_url, settings.data_dir) as database,
        open_offline(database, _categories(settings)) as runtime,
    ):
        return await runtime.leaderboard.page(asked)


async def _preferences(settings: "Settings") -> "Preferences":
    from parley.storage.first_start import open_existing
    from parley.workspace.standings.runtime import open_offline

    async with (
        open_existing(settings.database_url, settings.data_dir) as database,
        open_offline(database, _categories(settings)) as runtime,
    ):
        return await runtime.preferences.read()


def _print_preferences(table: "Preferences") -> None:
    for line in table.lines:
        say(f"{line.rank_ub:>4}  {line.rating:>6.0f}  {line.model.name}: {line.chosen:,} of {line.shown:,}")
    say(f"{table.votes:,} votes prefer a model; {table.ties:,} prefer none and are left out.")


async def _flags(settings: "Settings") -> "Sequence[FlaggedVoter]":
    from parley.storage.first_start import open_existing
    from parley.workspace.standings.runtime import open_offline

    async with (
        open_existing(settings.database_url, settings.data_dir) as database,
        open_offline(database, _categories(settings)) as runtime,
    ):
        return await runtime.worker.flags()


async def _rebuild(settings: "Settings", progress: Callable[[int, int], None]) -> "Rebuilt":
    from parley.kernel.errors import Unavailable
    from parley.storage.first_start import open_existing
    from parley.storage.folder_lock import lock_folder, read_address
    from parley.storage.server_lock import lock_database
    from parley.workspace.standings.runtime import open_offline

    try:
        async with open_existing(settings.database_url, settings.data_dir) as database:
            with lock_folder(settings.data_dir):
                async with lock_database(database), open_offline(database, _categories(settings)) as runtime:
                    return await runtime.rebuild(the_caller(), progress)
    except Unavailable as error:
        if error.leaf_code not in ("folder_locked", "database_in_use"):
            raise
        ask = f"curl -X POST {read_address(settings.data_dir) or settings.url}"
        raise Unavailable(
            error.title,
            f"Nothing was changed. Stop the server first, or let it do this itself: {ask}/api/leaderboard/rebuild",
            code=error.leaf_code,
        ) from None


def _categories(settings: "Settings") -> "Categories":
    from parley.text.categories.categorise import Categories

    return Categories([category.own() for category in settings.categories])


def _print_table(table: "Leaderboard") -> None:
    from rich import box
    from rich.table import Table

    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    shown.add_column("Rank (UB)", justify="right")
    shown.add_column("Model", overflow="fold")
    for heading in ("Rating", "95% CI", "Votes", "Win rate"):
        shown.add_column(heading, justify="right")
    shown.add_column("Organization", overflow="fold")
    for line in table.lines:
        interval = "–"
        if line.ci_lower is not None and line.ci_upper is not None:
            interval = f"{line.ci_lower - line.rating:+.0f} / {line.ci_upper - line.rating:+.0f}"
        shown.add_row(
            str(line.rank_ub),
            cell(f"{line.model.name}{' (provisional)' if line.provisional else ''}"),
            f"{line.rating:.0f}",
            interval,
            f"{line.votes:,}",
            f"{line.win_rate:.0%}",
            cell(line.model.organization),
        )
    if table.lines:
        console(width=160).print(shown)
    for text in _notes(table):
        say(text)


def _notes(table: "Leaderboard") -> Generator[str]:
    """Yield what has to be known about a table."""
    title = next((it.title for it in table.categories if it.id == table.category), table.category)
    yield f"{title}, {table.method}: {table.votes:,} votes, {table.models:,} models."
    if table.left_out:
        yield f"{table.left_out:,} models with fewer than {table.min_votes} votes are left out (--min-votes)."
    if table.groups > 1:
        yield f"There are {table.groups} groups of models that were never compared with each other."
    if table.uncounted:
        reasons = ", ".join(f"{it.votes:,} {it.reason}" for it in table.uncounted)
        yield f"Kept but not counted: {reasons}."
    if table.worker.pending:
        yield f"{table.worker.pending:,} votes wait to be counted; a running server counts them."


@contextmanager
def _progress() -> Generator[Callable[[int, int], None]]:
    """Yield what shows how far it has come, on a terminal's error output only."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    from rich.progress import Progress

    with Progress(console=console(err=True), transient=True) as bar:
        task = bar.add_task("Counting")
        yield lambda done, total: bar.update(task, completed=done, total=total)
