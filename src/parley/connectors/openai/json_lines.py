"""Answers that are lines of JSON, one chunk each, instead of server-sent events."""

import msgspec

from parley.wire.http import Response
from parley.wire.sse import BOM


async def read_second_line(response: Response, start: bytes, limit: int) -> tuple[bytes, bool]:
    """Return the start of a body and whether each of its lines is a JSON text.

    Reads up to the second line, or `limit` bytes: a single line may be a document. Raises UpstreamError.
    """
    while True:
        first, _, rest = start.removeprefix(BOM).lstrip(b"\x1e \t\r\n").replace(b"\r", b"\n").partition(b"\n")
        if rest.strip(b"\x1e \t\n"):
            return start, _is_object(first)
        more = await response.read() if len(start) <= limit else b""
        if not more:
            return start, False
        start += more


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (ValueError, RecursionError):
        return False


class EventsOfLines:
    """Makes server-sent events of lines, which may be cut anywhere."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, packet: bytes) -> bytes:
        """Return the events that a packet completes."""
        *lines, self._rest = (self._rest + packet).replace(b"\r", b"\n").split(b"\n")
        return b"".join(b"data: %b\n\n" % bare for line in lines if (bare := line.strip(b"\x1e \t")))

    def end(self) -> bytes:
        """Return the last line, which may have no end, as an event."""
        return self.feed(b"\n")
