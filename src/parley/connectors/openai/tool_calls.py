"""Assembling tool calls from their pieces."""

from parley.connectors.openai.chunks import WireFunction, WireToolCall
from parley.connectors.openai.surrogates import encode_leniently, mended
from parley.kernel.messages import ToolCall

CALL_COST = 256
"""A call's share of the limit of an answer, besides its text."""


class ToolCallAssembler:
    """Puts pieces together by index. A call without a name is dropped; order is that of the indexes."""

    def __init__(self) -> None:
        self._ids: dict[int, str] = {}
        self._indexes: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._arguments: dict[int, bytearray] = {}
        self._last = -1

    def take(self, piece: WireToolCall) -> int:
        """Add a piece; return by how many bytes the kept data grew."""
        index = self._index_of(piece)
        self._last = index
        size = 0
        if index not in self._arguments:
            self._arguments[index] = bytearray()
            size += CALL_COST
        if piece.id:
            size += self._name(index, piece.id)
        return size if piece.function is None else size + self._take_function(index, piece.function)

    def calls(self) -> list[ToolCall]:
        """Return the calls; ask only once the model has finished."""
        return [
            ToolCall(
                index,
                mended(self._ids.get(index, f"call_{index}")),
                mended(self._names[index]),
                mended(arguments.decode("utf-8", "surrogatepass")) or "{}",
            )
            for index, arguments in sorted(self._arguments.items())
            if index in self._names
        ]

    def _name(self, index: int, call_id: str) -> int:
        old = self._ids.get(index, "")
        if old != call_id:
            if self._indexes.get(old) == index:
                del self._indexes[old]
            self._indexes.setdefault(call_id, index)
            self._ids[index] = call_id
        return max(0, len(call_id) - len(old))

    def _take_function(self, index: int, function: WireFunction) -> int:
        size = 0
        if function.name:
            # Usually sent once; a server that repeats it in every piece must not double it.
            size = max(0, len(function.name) - len(self._names.get(index, "")))
            self._names[index] = function.name
        arguments = function.arguments
        if isinstance(arguments, dict):
            arguments = encode_leniently(arguments)
        if arguments:
            # As bytes: many short strings would take many times their length.
            written = arguments.encode("utf-8", "surrogatepass")
            self._arguments[index] += written
            size += len(written)
        return size

    def _index_of(self, piece: WireToolCall) -> int:
        if piece.index is not None:
            return piece.index
        # Without an index, a new id begins a new call; anything else continues the last one.
        known = None if piece.id is None else self._indexes.get(piece.id)
        if known is not None:
            return known
        begins = piece.id is not None or self._last < 0
        return self._last + 1 if begins else self._last
