"""Options of a question: how freely, how long and in which form a model answers."""

from typing import Literal, TypeAlias

import msgspec

from parley.kernel.pictures import PictureSettings

Effort: TypeAlias = Literal["none", "low", "medium", "high"]
"""The extent to which a model reasons before it answers."""


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A function that a model may call; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, object]


class AskOptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Options of one question; None leaves it to the provider.

    `max_output_tokens` includes reasoning if the provider counts it. `json_schema` is a JSON Schema for the answer.
    `reasoning_effort` is for models with the capability “reasoning”.
    `seed` asks for the same answer to the same question; few providers promise that. The mode runs the `tools` that a
    reply calls, and asks again with their results. `picture` is for models that draw.
    """

    temperature: float | None = None
    max_output_tokens: int | None = None
    reasoning_effort: Effort | None = None
    json_schema: dict[str, object] | None = None
    seed: int | None = None
    tools: tuple[Tool, ...] | None = None
    picture: PictureSettings | None = None

    def or_else(self, others: "AskOptions") -> "AskOptions":
        """Return these options, with those that are None taken from `others`."""
        ours = {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not None}
        return msgspec.structs.replace(others, **ours)


NO_OPTIONS = AskOptions()
"""All options left to the provider."""
