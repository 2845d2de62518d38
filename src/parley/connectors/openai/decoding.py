"""Decoding a chunk: quickly if it has the dialect's shapes, else leniently."""

from typing import cast

import msgspec

from parley.connectors.openai.chunks import WireChunk
from parley.connectors.openai.odd_shapes import is_message, read_odd_chunk
from parley.connectors.openai.surrogates import decode_leniently

_CHUNK = msgspec.json.Decoder(WireChunk)

LENIENT_BYTES = 1 << 20
"""The longest payload that is repaired, which takes time; a longer one is a picture."""


def decode_chunk(payload: bytes) -> WireChunk:
    """Decode a chunk. Raises ValueError: not JSON, or not the shape of a chunk."""
    try:
        chunk = _CHUNK.decode(payload)
        if chunk.choices is None and (is_message(chunk.message) or is_message(chunk.delta)):
            return read_odd_chunk(decode_leniently(payload))
        return chunk
    except msgspec.ValidationError:
        return read_odd_chunk(decode_leniently(payload))
    except ValueError:
        if len(payload) > LENIENT_BYTES:
            raise
        # Split characters and control characters are repaired later; msgspec refuses them.
        document = decode_leniently(payload)
        fields = cast("dict[str, object]", document) if isinstance(document, dict) else {}
        usage = fields.pop("usage", None)
        try:
            chunk = msgspec.convert(document, WireChunk)
        except msgspec.ValidationError:
            chunk = read_odd_chunk(cast("object", document))
        chunk.usage = msgspec.Raw(msgspec.json.encode(usage))
        return chunk
