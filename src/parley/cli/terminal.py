"""What commands print: one way out, on which no name, file, server or model can command the terminal.

Everything that is printed goes through `say`, `say_json` or a `console`; ruff refuses other ways.
"""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import typer

from parley.text.controls import in_one_line, visible, visible_json

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType  # noqa: TID251 - this is the way
    from rich.segment import Segment
    from rich.text import Text


def say(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print lines; to the error output with `err`."""
    typer.echo(visible(text), err=err, nl=nl)  # noqa: TID251 - this is the way


def say_json(document: object) -> None:
    """Print a document for programs."""
    import msgspec

    encoded = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
    typer.echo(visible_json(encoded))  # noqa: TID251 - this is the way


def complain(title: str, detail: str | None = None) -> None:
    """Print an error: what happened in one line, and below what to do."""
    say(f"error: {in_one_line(title)}", err=True)
    for line in (detail or "").splitlines():
        say(f"       {line}", err=True)


def cell(text: str) -> "Text":
    """Return what a table shows of a text: one line, in which nothing is mark-up."""
    from rich.text import Text

    return Text(in_one_line(text))


def console(*, err: bool = False, width: int | None = None, **more: Any) -> "Console":
    """Return rich's console without mark-up; `width` holds where the output is no terminal."""
    from rich.console import Console  # noqa: TID251 - this is the way
    from rich.segment import Segment

    class VisibleConsole(Console):
        """Whatever is rendered is made visible once more, so that nobody has to think of it."""

        def render(
            self, renderable: "RenderableType", options: "ConsoleOptions | None" = None
        ) -> "Iterable[Segment]":
            for segment in super().render(renderable, options):
                text = segment.text
                yield segment if segment.control else Segment(visible(text), segment.style)

    stream = sys.stderr if err else sys.stdout
    given: dict[str, Any] = {"markup": False, "highlight": False, "emoji": False, "stderr": err, **more}
    return VisibleConsole(width=None if stream.isatty() else width, **given)
