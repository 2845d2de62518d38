"""Passing on: a program's request goes to the provider as it is, and the answer's bytes come back."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import cast

import msgspec

from parley.engine.accounting import UNFINISHED
from parley.features.openai_api.open_call import OpenCall
from parley.kernel.connector import Finish, Piece
from parley.kernel.errors import Invalid
from parley.kernel.messages import Message
from parley.kernel.passed import Endpoint, Passed

_FIELDS: msgspec.json.Decoder[dict[str, msgspec.Raw]] = msgspec.json.Decoder(dict[str, msgspec.Raw])
_NO_TEXT = frozenset({"url", "data", "file_data", "id", "file_id", "role", "type"})
_CHARACTERS_OF_A_TOKEN = 4

UNREADABLE = Invalid("body", "body: is not JSON that can be sent on.", "Nothing was sent.")


class PassedCall(OpenCall):
    """One call that is passed on: `whole` or `pieces` can be read once."""

    async def whole(self) -> bytes:
        """Return the whole answer. Raises ParleyError."""
        return b"".join([piece async for piece in self.pieces()])

    async def pieces(self) -> AsyncGenerator[bytes]:
        """Yield the answer's bytes as they come. Raises ParleyError; an answer that was cut off is one too."""
        gateway, finished = self._calls.gateway, False
        async with aclosing(self._read(lambda: gateway.pass_on(self.call, self.result))) as pieces:
            async for piece in pieces:
                finished = finished or _ends(piece)
                if piece.data:
                    yield piece.data
        if not finished:
            raise UNFINISHED


def _ends(piece: Piece) -> bool:
    return any(isinstance(chunk, Finish) for chunk in piece.chunks)


def read_passed(
    body: bytes, endpoint: Endpoint, *, stream: bool = False, include_usage: bool = False
) -> Passed:
    """Return a program's request, without the field for Parley. Raises Invalid for JSON that can't be sent on."""
    try:
        fields = _FIELDS.decode(body)
    except (ValueError, RecursionError):
        raise UNREADABLE from None
    fields.pop("parley", None)
    return Passed(endpoint=endpoint, fields=fields, stream=stream, include_usage=include_usage)


def texts_of(passed: Passed) -> tuple[Message, ...]:
    """Return the texts of a request as a message, by which its tokens are estimated."""
    names = [name for name in ("messages", "input", "tools") if name in passed.fields]
    values = [cast("object", msgspec.json.decode(passed.fields[name])) for name in names]
    return (Message("user", "\n".join(_texts(values))),)


def _texts(values: list[object]) -> Iterator[str]:
    """Yield the texts within values; a number is a token."""
    waiting = values
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            waiting += cast("list[object]", value)
        elif isinstance(value, dict):
            fields = cast("dict[str, object]", value)
            waiting += [each for name, each in fields.items() if name not in _NO_TEXT]
        elif isinstance(value, int) and not isinstance(value, bool):
            yield " " * (_CHARACTERS_OF_A_TOKEN - 1)  # and the line break
