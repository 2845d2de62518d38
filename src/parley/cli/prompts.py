"""The prompt of a command: its argument, with standard input after it where something is piped in."""

import sys
from typing import Annotated

import typer

PromptArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[PROMPT]",
        help="The prompt. Piped text is added after it. Use - or omit it to read stdin.",
        show_default=False,
    ),
]


def read_prompt(given: str | None) -> str:
    """Return the prompt, followed by what is piped in. Raises Invalid if there is neither, or no text."""
    from parley.kernel.errors import Invalid

    asked = "" if given in (None, "-") else str(given)
    prompt = "\n\n".join(part for part in (asked, _piped(wait=not asked)) if part.strip())
    if not prompt:
        raise Invalid(
            "prompt", "There is no prompt.", "Nothing was sent. Add it as an argument, or pipe it in."
        )
    return prompt


def _piped(*, wait: bool) -> str:
    """Return standard input; what a person types there only with `wait`."""
    if sys.stdin is None or (sys.stdin.isatty() and not wait):
        return ""
    if sys.stdin.isatty():
        from parley.cli.terminal import say

        keys = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        say(f"Type the prompt, then press {keys} on a line of its own.", err=True)
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        from parley.kernel.errors import Invalid

        raise Invalid(
            "prompt", "Standard input is not UTF-8 text.", "Nothing was sent. Pipe text, not a binary file."
        ) from None
