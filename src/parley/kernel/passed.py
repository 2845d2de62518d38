"""Requests of other programs that go to a provider as they came."""

from typing import Literal, TypeAlias

import msgspec

Endpoint: TypeAlias = Literal["chat/completions", "embeddings", "moderations"]
"""The paths of OpenAI's API to which a request can be passed on; moderations are Parley's own."""


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """A request in OpenAI's dialect; `fields` are its JSON, undecoded.

    The connector sets the model, the token limit and the wish for usage; all else is the program's. `include_usage`:
    the program wants the usage of a stream too.
    """

    endpoint: Endpoint
    fields: dict[str, msgspec.Raw]
    stream: bool = False
    include_usage: bool = False

    @property
    def answers(self) -> int:
        """The answers that the program wants side by side (`n`)."""
        raw = self.fields.get("n")
        try:
            return max(1, msgspec.json.decode(raw, type=int)) if raw is not None else 1
        except msgspec.DecodeError:
            return 1
