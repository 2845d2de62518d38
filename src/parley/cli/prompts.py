"""The prompt of a command: its argument, with standard input after it where something is piped in."""

import sys
from typing import Annotated

import typer

PromptArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="PROMPT",
        help="The prompt. Piped text is added after it. Use - or omit it to read stdin.",
        show_default=False,
    ),
]


def read_prompt(argument: str | None) -> str:
    """Return the prompt, followed by what is piped in. Raises Invalid if there is neither, or no text."""
    text = "" if argument in (None, "-") else str(argument)
    if not text and sys.stdin is not None and sys.stdin.isatty():
        say_how_to_type()
        return checked_prompt(text, _decoded())
    return checked_prompt(text, piped_text())


def checked_prompt(text: str, piped: str) -> str:
    """Return a prompt, followed by what is piped in. Raises Invalid if there is neither."""
    from parley.kernel.errors import Invalid

    prompt = "\n\n".join(part for part in (text, piped) if part.strip())
    if not prompt:
        raise Invalid(
            "prompt", "There is no prompt.", "Nothing was sent. Add it as an argument, or pipe it in."
        )
    return prompt


def piped_text() -> str:
    """Return standard input, empty if it is a terminal. Raises Invalid if it is not UTF-8."""
    return "" if sys.stdin is None or sys.stdin.isatty() else _decoded()


def say_how_to_type() -> None:
    """Say in a terminal how a prompt is typed."""
    from parley.cli.terminal import say

    keys = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
    say(f"Type the prompt, then press {keys} on a line of its own.", err=True)


def _decoded() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        from parley.kernel.errors import Invalid

        raise Invalid(
            "prompt", "Standard input is not UTF-8 text.", "Nothing was sent. Pipe text, not a binary file."
        ) from None
