"""The models that are known, by their names, to take a reasoning effort."""

import re

_TAKES_EFFORT = re.compile(
    r"(?:^|[/:.@~])(?:"
    r"o1(?!-mini|-preview|\w)|o[34](?!\w)"
    r"|gpt-5(?!.*chat)|gpt-oss"
    r"|claude-(?:3[.-]7|[4-9]|(?:opus|sonnet|haiku)-[4-9])"
    r"|gemini-(?:2\.5|[3-9])(?!.*(?:image|tts|embedding))"
    r"|grok-3-mini"
    r")"
)


def takes_effort(model: str) -> bool:
    """Return whether a model is known to take a reasoning effort; False where its name does not tell."""
    return _TAKES_EFFORT.search(model.lower()) is not None
