"""Shows answers while they come: side by side in a terminal, one block after another elsewhere."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from parley.cli.answers import SeatReplies, SeatReply
from parley.cli.asking import ask_turn
from parley.cli.markdown import markdown_lines
from parley.cli.terminal import cell, console, say
from parley.cli.turns import SAVED
from parley.text.controls import in_one_line

if TYPE_CHECKING:
    from rich.console import Console, RenderableType  # noqa: TID251 - only named
    from rich.live import Live
    from rich.text import Text

    from parley.cli.client import ApiClient

LEAST_PANEL = 30
"""Columns; where panels would be narrower, they go into further rows."""

FRAME = 4
"""Columns that a panel's border and padding take; its border takes two lines."""


class GrowingText:
    """Prints a text as it grows. The last carriage return waits: a line feed may follow."""

    def __init__(self) -> None:
        self._printed = 0

    def update(self, text: str, *, ended: bool = False) -> None:
        """Print what is new; at the end, a line that is not ended too."""
        if len(text) < self._printed:
            say()
            say("The answer was restarted.", err=True)
            self._printed = 0
        ready = len(text) - (not ended and text.endswith("\r"))
        if ready > self._printed:
            say(text[self._printed : ready], nl=False)
            self._printed = ready
        if ended and text and not text.endswith("\n"):
            say()


class GrowingAnswer:
    """Shows the one answer of a turn while it comes: laid out in a terminal, as it is elsewhere."""

    def __init__(self, answers: SeatReplies, *, hidden: bool) -> None:
        self._answers = answers
        self._hidden = hidden
        self._growing = GrowingText()
        self._live: Live | None = None
        self._out = console()

    def __enter__(self) -> None:
        if self._hidden or not self._out.is_terminal or self._out.is_dumb_terminal:
            return
        from rich.live import Live

        self._live = Live(
            console=self._out,
            get_renderable=lambda: self._laid_out(self._out.height - 1),
            transient=True,
            refresh_per_second=8,
            vertical_overflow="crop",
        )
        self._live.__enter__()

    def __exit__(self, *error: object) -> None:
        if self._live is not None:
            self._live.__exit__(None, None, None)
            self._out.print(self._laid_out(None))
        elif not self._hidden:
            self._grow(ended=True)

    def update(self) -> None:
        """Show what is new."""
        if self._live is None and not self._hidden:
            self._grow(ended=False)

    def _grow(self, *, ended: bool) -> None:
        for answer in self._answers.all:
            self._growing.update(answer.text, ended=ended)

    def _laid_out(self, lines_max: int | None) -> "Text":
        from rich.text import Text

        lines = [
            line for it in self._answers.all for line in markdown_lines(it.text, self._out, self._out.width)
        ]
        return Text("\n").join(lines if lines_max is None else lines[-lines_max:])


@contextmanager
def shown(answers: SeatReplies) -> Generator[Callable[[], None]]:
    """Show answers on stdout until the block ends; yield what to call after a change."""
    out = console()
    if not out.is_terminal or out.is_dumb_terminal:
        blocks = _Blocks(answers)
        yield blocks.update
        return
    from rich.live import Live

    def live() -> "RenderableType":
        return _panels(answers.all, out, whole=False)

    try:
        with Live(
            console=out, get_renderable=live, transient=True, refresh_per_second=8, vertical_overflow="crop"
        ):
            yield lambda: None
    finally:
        out.print(_panels(answers.all, out, whole=True))


async def play(
    client: "ApiClient", body: dict[str, Any], *, hidden: bool = False
) -> tuple[SeatReplies, dict[str, Any]]:
    """Run a turn and show it, unless `hidden`; return its answers, and the turn as the API shows it."""
    answers = SeatReplies()
    try:
        if hidden:
            return answers, await ask_turn(client, body, answers, lambda: None)
        with shown(answers) as update:
            return answers, await ask_turn(client, body, answers, update)
    except asyncio.CancelledError:
        # Below what is shown, where a live display would wipe it away.
        say(f"Stopped. {SAVED}", err=True)
        raise


class _Blocks:
    """Prints the first answer as it comes, and each other one when those before it have ended."""

    def __init__(self, answers: SeatReplies) -> None:
        self._answers = answers
        self._at = -1
        self._growing = GrowingText()
        self._open = False

    def update(self) -> None:
        answers = self._answers.all
        while True:
            if not self._open:
                if self._at + 1 >= len(answers):
                    return
                self._begin(answers[self._at + 1])
            answer = answers[self._at]
            self._growing.update(answer.text, ended=answer.ended)
            if not answer.ended:
                return
            self._open = False
            if closing := closing_text(answer):
                say(f"[{closing}]")

    def _begin(self, answer: SeatReply) -> None:
        self._at += 1
        self._open = True
        self._growing = GrowingText()
        say(f"{chr(10) if self._at else ''}=== {in_one_line(answer.name)} ===\n")


def closing_text(answer: SeatReply) -> str:
    """Return what is printed below an answer: its problem, or what it took."""
    if answer.problem:
        return in_one_line(" ".join(part for part in answer.problem if part))
    limit = "The answer reached the token limit." if answer.finish_reason == "length" else ""
    return " ".join(part for part in (limit, answer.files_note, answer.facts) if part)


def _panels(answers: list[SeatReply], out: "Console", *, whole: bool) -> "RenderableType":
    """Return the answers in rows of panels: the whole texts, or their ends, so that all fit the screen."""
    from rich.console import Group
    from rich.table import Table

    beside = max(1, min(len(answers), out.width // LEAST_PANEL))
    rows = [answers[start : start + beside] for start in range(0, len(answers), beside)]
    width = out.width // beside - FRAME
    lines_max = max(1, (out.height - 1) // max(1, len(rows)) - 2)
    grids: list[Table] = []
    for row in rows:
        bodies = [_body(answer, out, width, None if whole else lines_max) for answer in row]
        height = max(map(len, bodies))
        grid = Table.grid(expand=True)
        for _ in range(beside):
            grid.add_column(ratio=1)
        grid.add_row(*(_panel(answer, body, height) for answer, body in zip(row, bodies, strict=True)))
        grids.append(grid)
    return Group(*grids)


def _body(answer: SeatReply, out: "Console", width: int, lines_max: int | None) -> "list[Text]":
    """Return an answer's lines with what is below them; no more than `lines_max`, the last ones."""
    from rich.text import Text

    lines = markdown_lines(answer.text, out, max(1, width)) if answer.text else []
    closing = closing_text(answer) or ("" if answer.ended else "…")
    if closing:
        style = "red" if answer.problem else "dim"
        lines += [*([Text()] if lines else []), *Text(closing, style=style).wrap(out, max(1, width))]
    return lines if lines_max is None else lines[-lines_max:]


def _panel(answer: SeatReply, body: "list[Text]", height: int) -> "RenderableType":
    from rich.panel import Panel
    from rich.text import Text

    return Panel(Text("\n").join(body), title=cell(answer.name), title_align="left", height=height + 2)
