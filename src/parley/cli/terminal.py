"""Terminal output in which no name, file, server or model can send control sequences.

Everything that is printed goes through `say`, `say_json` or a `console`; ruff refuses other ways.
"""

import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from parley.text.controls import in_one_line, visible, visible_json

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType  # noqa: TID251 - wrapped here
    from rich.segment import Segment
    from rich.text import Text

    from parley.kernel.errors import ParleyError


def say(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print lines; to stderr with `err`."""
    typer.echo(visible(text), err=err, nl=nl)  # noqa: TID251 - wrapped here


def say_json(document: object) -> None:
    """Print a document as indented JSON."""
    import msgspec

    encoded = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    typer.echo(visible_json(encoded))  # noqa: TID251 - wrapped here


def print_error(title: str, detail: str | None = None) -> None:
    """Print an error to stderr: what happened in one line, and below it what to do."""
    say(f"error: {in_one_line(title)}", err=True)
    for line in (detail or "").splitlines():
        say(f"       {line}", err=True)


def say_notice(notice: "ParleyError") -> None:
    """Print to stderr something that a person should know, and what to do."""
    say(f"note: {in_one_line(notice.title)}", err=True)
    for line in (notice.detail or "").splitlines():
        say(f"      {line}", err=True)


def cell(text: str) -> "Text":
    """Return a text for a table: one line, without mark-up."""
    from rich.text import Text

    return Text(in_one_line(text))


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, width: int) -> None:
    """Print a table. A heading with a leading ">" is a column of numbers; the first column never wraps."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, heading in enumerate(headings):
        number = heading.startswith(">")
        table.add_column(
            heading.removeprefix(">"),
            justify="right" if number else "left",
            no_wrap=number or not index,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*map(cell, row))
    console(width=width).print(table)


@contextmanager
def progress_bar(label: str) -> Generator[Callable[[int, int], None]]:
    """Show a progress bar on stderr if it is a terminal; yield a function that takes done and total."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.progress import Progress

    with Progress(console=console(err=True), transient=True) as bar:
        task = bar.add_task(label)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def console(*, err: bool = False, width: int | None = None, **more: Any) -> "Console":
    """Return a rich console without mark-up; `width` applies when the output is not a terminal."""
    from rich.console import Console  # noqa: TID251 - wrapped here
    from rich.segment import Segment

    class VisibleConsole(Console):
        """Escapes control characters in whatever is rendered."""

        def render(
            self, renderable: "RenderableType", options: "ConsoleOptions | None" = None
        ) -> "Iterable[Segment]":
            for segment in super().render(renderable, options):
                text = segment.text
                yield segment if segment.control else Segment(visible(text), segment.style)

    stream = sys.stderr if err else sys.stdout
    keywords: dict[str, Any] = {"markup": False, "highlight": False, "emoji": False, "stderr": err, **more}
    return VisibleConsole(width=None if stream.isatty() else width, **keywords)
