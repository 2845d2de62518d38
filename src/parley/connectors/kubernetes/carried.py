"""A call as it is carried to its Job, and answered there."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import cast

import msgspec

from parley.connectors.kubernetes.numbered import AnswerWriter
from parley.kernel.connector import ChatRequest, Chunk, Connector, DrawsImages
from parley.kernel.errors import ParleyError, Rejected, UpstreamError
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest

MOST_BYTES = 1_000_000
"""The most bytes of a call: a Secret holds 1 MiB."""

log = logging.getLogger(__name__)


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """The way to model servers: the settings `proxy` and `no_proxy`, the variables they mean, the text of `ca_file`."""

    proxy: str = "off"
    no_proxy: tuple[str, ...] = ()
    variables: dict[str, str] = {}
    certificates: str | None = None


class CarriedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call: its provider with the key, the way there, and either a request for text or one for pictures."""

    id: str
    provider: Provider
    way: Way = Way()
    request: ChatRequest | None = None
    drawing: DrawRequest | None = None

    def packed(self) -> bytes:
        """Return the call as bytes. Raises Rejected for one that no Secret holds."""
        data = msgspec.json.encode(self)
        if len(data) > MOST_BYTES:
            raise Rejected(
                f"This question has {len(data) / 1e6:.1f} MB with its files; a Kubernetes Job takes "
                f"{MOST_BYTES / 1e6:.0f} MB.",
                "Attach less, choose another model, or let this provider run in Parley's own process.",
                code="job_too_large",
            )
        return data

    @classmethod
    def unpacked(cls, data: bytes) -> "CarriedCall":
        """Return the call that was packed. Raises msgspec.DecodeError."""
        return msgspec.json.decode(data, type=cls)


async def answer(call: CarriedCall, connector: Connector, write: Callable[[str], None]) -> bool:
    """Ask the model and write its answer as lines; return whether it ended without an error."""
    writer = AnswerWriter(call.id, write)
    try:
        async with aclosing(cast("_Chunks", _asked(call, connector))) as chunks:
            async for chunk in chunks:
                writer.chunk(chunk)
    except ParleyError as error:
        writer.error(error)
        return False
    except Exception:
        log.exception("the connector of %s failed", call.provider.id)
        writer.error(
            UpstreamError(
                "Parley ran into an internal error while asking this model in its Job.",
                "See the Job's log for the cause.",
                code="connector_broken",
            )
        )
        return False
    writer.end()
    return True


class _Chunks(AsyncIterator[Chunk]):
    async def aclose(self) -> None: ...


def _asked(call: CarriedCall, connector: Connector) -> AsyncIterator[Chunk]:
    if call.request is not None:
        return connector.stream(call.request)
    if call.drawing is None or not isinstance(connector, DrawsImages):
        raise Rejected("This provider can't be asked for pictures.", "Choose another model.")
    return connector.draw(call.drawing)
