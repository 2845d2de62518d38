"""`parley standings`: the table in the terminal, and the counts made anew from the votes."""

import asyncio
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from parley.cli.options import ConfigOption, DataDirOption, JsonOption

if TYPE_CHECKING:
    from parley.settings import Settings
    from parley.text.categories import Categories
    from parley.workspace.standings.schemas import Leaderboard, Rebuilt, TableQuery

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
    as_json: JsonOption = False,
) -> None:
    """Print the table; it only reads, and may run while a server uses the same database."""
    import msgspec

    from parley.settings import load_settings
    from parley.workspace.standings.schemas import TableQuery

    if method not in METHODS:
        raise typer.BadParameter(f"must be one of {', '.join(METHODS)}", param_hint="--method")
    settings = load_settings({"config": config, "data_dir": data_dir})
    asked = msgspec.convert(
        {"category": category, "method": method, "min_votes": min_votes, "limit": 1_000_000}, TableQuery
    )
    table = asyncio.run(_read(settings, asked))
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(table), indent=2).decode())
        return
    _print_table(table)


@standings.command()
def rebuild(config: ConfigOption = None, data_dir: DataDirOption = None, as_json: JsonOption = False) -> None:
    """Count every vote anew and put right what differs. The server must be stopped, or be asked to do it itself."""
    import msgspec

    from parley.settings import load_settings

    settings = load_settings({"config": config, "data_dir": data_dir})
    with _progress() as progress:
        found = asyncio.run(_rebuild(settings, progress))
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
        return
    typer.echo(rebuilt_text(found))


def rebuilt_text(found: "Rebuilt") -> str:
    """Return what a person is told."""
    votes = f"{found.votes:,} {'vote' if found.votes == 1 else 'votes'}"
    seconds = f"{found.duration_ms / 1000:.1f} s"
    if not found.corrected:
        return f"✓ {votes} counted anew in {seconds}: the counts were right."
    numbers = f"{found.corrected:,} {'count was' if found.corrected == 1 else 'counts were'}"
    return f"✓ {votes} counted anew in {seconds}: {numbers} wrong and put right."


async def _read(settings: "Settings", asked: "TableQuery") -> "Leaderboard":
    from parley.storage.database import Database
    from parley.workspace.standings.alone import open_alone

    database = Database(settings.database_url)
    try:
        async with open_alone(database, _categories(settings)) as room:
            await room.boards.open()
            return await room.service.leaderboard(asked)
    finally:
        await database.close()


async def _rebuild(settings: "Settings", progress: Callable[[int, int], None]) -> "Rebuilt":
    from parley.kernel.errors import Unavailable
    from parley.storage.database import Database
    from parley.storage.folder_lock import lock_folder, read_address
    from parley.storage.server_lock import lock_database
    from parley.workspace.standings.alone import open_alone

    database = Database(settings.database_url)
    try:
        with lock_folder(settings.data_dir):
            async with lock_database(database), open_alone(database, _categories(settings)) as room:
                return await room.worker.rebuild(progress)
    except Unavailable as error:
        if error.leaf_code not in ("folder_locked", "database_in_use"):
            raise
        ask = f"curl -X POST {read_address(settings.data_dir) or settings.url}"
        raise Unavailable(
            error.title,
            f"Nothing was changed. Stop the server first, or let it do this itself: {ask}/api/leaderboard/rebuild",
            code=error.leaf_code,
        ) from None
    finally:
        await database.close()


def _categories(settings: "Settings") -> "Categories":
    from parley.text.categories import Categories

    return Categories([category.own() for category in settings.categories])


def _print_table(table: "Leaderboard") -> None:
    from rich import box
    from rich.console import Console
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
            f"{line.model.name}{' (provisional)' if line.provisional else ''}",
            f"{line.rating:.0f}",
            interval,
            f"{line.votes:,}",
            f"{line.win_rate:.0%}",
            line.model.organization,
        )
    if table.lines:
        Console(width=None if sys.stdout.isatty() else 160).print(shown)
    for text in _notes(table):
        typer.echo(text)


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
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Counting")
        yield lambda done, total: bar.update(task, completed=done, total=total)
