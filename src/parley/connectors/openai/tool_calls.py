"""Assembling tool calls from their pieces."""

import msgspec

from parley.connectors.openai.chunks import WireToolCall
from parley.kernel.connector import ToolCall


class ToolCallAssembler:
    """Puts pieces together by index. A call without a name is dropped; order is that of the indexes."""

    def __init__(self) -> None:
        self._ids: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._arguments: dict[int, list[str]] = {}
        self._last = -1

    def take(self, piece: WireToolCall) -> int:
        """Add a piece; return how many characters of arguments it brought."""
        index = self._index_of(piece)
        self._last = index
        self._arguments.setdefault(index, [])
        if piece.id:
            self._ids[index] = piece.id
        if piece.function is None:
            return 0
        if piece.function.name:
            # Sent whole, as a rule; a server that sends it in every piece must not double it.
            self._names[index] = piece.function.name
        arguments = piece.function.arguments
        if isinstance(arguments, dict):
            arguments = msgspec.json.encode(arguments).decode()
        if arguments:
            self._arguments[index].append(arguments)
        return len(arguments or "")

    def calls(self) -> list[ToolCall]:
        """Return the calls; ask only once the model has finished."""
        return [
            ToolCall(
                index, self._ids.get(index, f"call_{index}"), self._names[index], "".join(pieces) or "{}"
            )
            for index, pieces in sorted(self._arguments.items())
            if index in self._names
        ]

    def _index_of(self, piece: WireToolCall) -> int:
        if piece.index is not None:
            return piece.index
        # Without an index a new id begins a new call, and everything else goes on with the last.
        known = next((index for index, call_id in self._ids.items() if piece.id == call_id), None)
        if known is not None:
            return known
        begins = piece.id is not None or self._last < 0
        return self._last + 1 if begins else self._last
