"""What a model may be asked besides the words: how freely and how long it answers, and in which form."""

import msgspec


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A function that a model may call; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: dict[str, object]


class AskOptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Options of one question; what is null is the provider's own choice.

    `max_output_tokens` counts reasoning too where the provider does. `json_schema` is a JSON Schema that the answer
    must fit. `seed` asks for the same answer to the same question; few providers promise it.
    A model that calls `tools` says so in its reply: the mode acts, and asks again with what they returned.
    """

    temperature: float | None = None
    max_output_tokens: int | None = None
    json_schema: dict[str, object] | None = None
    seed: int | None = None
    tools: tuple[Tool, ...] | None = None

    def or_else(self, others: "AskOptions") -> "AskOptions":
        """Return these options, and for each that is null the other one."""
        ours = {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not None}
        return msgspec.structs.replace(others, **ours)


NO_OPTIONS = AskOptions()
"""Asks for nothing but an answer."""
