"""An incremental decoder of server-sent events: bytes in, data payloads out.

Follows the WHATWG standard (§9.2.6): CR, LF or CRLF ends a line, a BOM at the start and comments
are skipped, data lines join with LF. Unlike there, an event without its blank line counts once the stream has ended,
and a line that begins with a brace, which begins no field, is an event by itself: some servers send lines of JSON.
Payloads stay bytes: a line is decoded only once it is complete, and so are characters split over packets.
"""

from parley.kernel.errors import Garbled

_BEFORE_JSON = b" \t\x1e"
"""White space, and the mark before each text of RFC 7464."""

BOM = b"\xef\xbb\xbf"


class SseDecoder:
    """Decodes one stream.

    An event named "error" ends it: its data is kept in `error`, and nothing after it is returned.
    """

    def __init__(self, max_line_bytes: int = 1 << 20) -> None:
        self.error: bytes | None = None
        self._limit = max_line_bytes
        self._rest = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._name = b""
        self._clean = False
        self._first_line = True
        self._after_cr = False

    def feed(self, packet: bytes) -> list[bytes]:
        """Decode the next bytes of the stream; return the payloads that they complete.

        Raises Garbled: a line, or the data of one event, is longer than the limit.
        """
        # The fast path: servers usually write one or more complete `data: …\n\n` per packet.
        if (
            self._clean
            and packet.startswith(b"data: ")
            and packet.endswith(b"\n\n")
            and len(packet) <= self._limit
            # Line breaks stand only at the ends of events.
            and packet.count(b"\n") == 2 * packet.count(b"\n\ndata: ") + 2
            and b"\r" not in packet
        ):
            return packet[6:-2].split(b"\n\ndata: ")
        return self._feed_lines(packet)

    def end(self) -> list[bytes]:
        """Return the last event, if the end of the stream stands for its blank line."""
        if not (self._rest or self._data):
            return []
        return self._feed_lines(b"\n\n" if self._rest else b"\n")

    def _feed_lines(self, packet: bytes) -> list[bytes]:
        if not packet or self.error is not None:
            return []
        if self._after_cr and packet.startswith(b"\n"):
            packet = packet[1:]
        self._after_cr = packet.endswith(b"\r")
        if b"\r" in packet:
            packet = packet.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = packet.split(b"\n")
        payloads: list[bytes] = []
        if lines:
            lines[0] = bytes(self._rest) + lines[0]
            self._rest.clear()
        for line in lines:
            self._take_line(line, payloads)
        self._rest += rest
        if len(self._rest) > self._limit:
            raise self._too_long()
        waiting = self._rest or self._data or self._name or self._first_line or self._after_cr
        self._clean = not waiting and self.error is None
        return payloads

    def _take_line(self, line: bytes, payloads: list[bytes]) -> None:
        if self._first_line:
            self._first_line = False
            line = line.removeprefix(BOM)
        if not line:
            self._end_event(payloads)
            return
        field, _, value = line.partition(b":")
        if (bare := line.lstrip(_BEFORE_JSON)).startswith((b"{", b"[DONE]")):
            if self._data:
                self._end_event(payloads)
            self._take_data(bare, len(line))
            self._end_event(payloads)
        elif field == b"data":
            self._take_data(value[1:] if value.startswith(b" ") else value, len(line))
        elif field == b"event":
            self._name = value[1:] if value.startswith(b" ") else value
        elif len(line) > self._limit:
            raise self._too_long()

    def _take_data(self, value: bytes, line_bytes: int) -> None:
        self._data.append(value)
        self._size += len(value) + 1
        if self._size > self._limit or line_bytes > self._limit:
            raise self._too_long()

    def _end_event(self, payloads: list[bytes]) -> None:
        if self._data and self.error is None:
            payload = b"\n".join(self._data)
            if self._name == b"error":
                self.error = payload
            else:
                payloads.append(payload)
        self._data.clear()
        self._size = 0
        self._name = b""

    def _too_long(self) -> Garbled:
        return Garbled(
            "The model's server sent a line longer than Parley accepts.",
            f"One line may have {self._limit // 1024} KB at most.",
        )
