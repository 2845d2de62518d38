"""Markdown as lines for the terminal. Links are printed as text: no answer can send a control sequence."""

from typing import TYPE_CHECKING

from parley.text.controls import visible

if TYPE_CHECKING:
    from rich.console import Console  # noqa: TID251 - only named
    from rich.text import Text

MOST_CHARACTERS = 40_000
"""Longer texts are printed as they are: laying them out eight times a second would take all of a processor."""


def markdown_lines(text: str, out: "Console", width: int) -> "list[Text]":
    """Return Markdown in lines of a width."""
    from rich.markdown import Markdown
    from rich.text import Text

    shown = visible(text)
    if len(shown) > MOST_CHARACTERS:
        return list(Text(shown).wrap(out, width))
    rows = out.render_lines(
        Markdown(shown, hyperlinks=False), out.options.update(width=width, height=None), pad=False
    )
    lines = [Text.assemble(*((part.text, part.style or "") for part in row)) for row in rows]
    for line in lines:
        line.rstrip()
    while lines and not lines[-1].plain:
        lines.pop()
    return lines
