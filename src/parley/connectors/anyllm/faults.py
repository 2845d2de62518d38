"""Errors of any-llm-sdk and of the libraries under it, as typed errors in plain words."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from parley.connectors.openai.faults import error_from_chunk, error_from_response
from parley.kernel.errors import BrokenOff, Garbled, Rejected, Unreachable, UpstreamError
from parley.wire.redaction import excerpt

_UNSENT: Final = ("UnsupportedParameterError", "InvalidRequestError", "NotImplementedError")
"""Errors of any-llm-sdk before it sends anything; a server's own refusal carries an error of our client."""


_NO_CONNECTION: Final = ("EndpointConnectionError", "ConnectTimeoutError", "ProxyConnectionError", "SSLError")
_BROKEN: Final = (
    *("ConnectionClosedError", "ReadTimeoutError", "ResponseStreamingError", "HTTPClientError"),
    *("ProtocolError", "IncompleteRead", "NoInitialResponseError", "ChecksumMismatch"),
)
_STATUSES: Final = {
    "throttlingexception": 429,
    "modelnotreadyexception": 503,
    "serviceunavailableexception": 503,
    "internalserverexception": 500,
    "modelstreamerrorexception": 500,
    "modelerrorexception": 500,
    "modeltimeoutexception": 408,
}
"""Bedrock's words within a stream, where every error has the status 400."""


def typed(error: Exception, secrets: tuple[str | None, ...]) -> UpstreamError:
    """Return the error that a library's exception means; most carry the one of our own client."""
    causes = tuple(_causes(error))
    for cause in causes:
        if upstream := cause if isinstance(cause, UpstreamError) else _of_bedrock(cause, secrets):
            return upstream
    if any(type(cause).__name__ in _UNSENT for cause in causes):
        return Rejected(
            "The provider doesn't support an option of this request.", excerpt(str(error), secrets)
        )
    for cause in causes:
        # What a server says within a stream, after a status of 200.
        body: object = getattr(cause, "body", None)
        if isinstance(body, dict | str) and body:
            return error_from_chunk(msgspec.json.encode(body, enc_hook=str), secrets)
    if any(isinstance(cause, ValueError | TypeError | LookupError | AttributeError) for cause in causes):
        # Libraries check little of what they read.
        return Garbled(
            "The model's server sent a response that Parley can't read.",
            "Ask again, or choose another model.",
        )
    # Not the text of the error: it may hold the request.
    return UpstreamError(
        "The provider's library failed.",
        f"It raised {type(causes[-1]).__name__}, an error that Parley doesn't recognise.",
    )


def not_installed(title: str, extra: str) -> Rejected:
    """Return the error for a provider whose library is missing."""
    return Rejected(
        f"The library for {title} is not installed.",
        f"Install it with: pip install 'parley[{extra}]'. Then restart Parley.",
        code="no_connector",
    )


def _of_bedrock(error: BaseException, secrets: tuple[str | None, ...]) -> UpstreamError | None:
    """Return the error that an exception of Bedrock's library means, known by its name: it need not be installed."""
    kind = type(error).__name__
    if kind in _NO_CONNECTION:
        return Unreachable(
            "The model's server refused the connection.",
            "Check the provider's address and your network.",
            cause="no connection",
        )
    if kind in _BROKEN:
        return BrokenOff(
            "The connection to the model's server was lost.", "Ask again, or choose another model."
        )
    if kind not in ("ClientError", "EventStreamError"):
        return None
    response: dict[str, Any] = getattr(error, "response", {})
    details: dict[str, Any] = response.get("Error", {})
    status = (
        _STATUSES.get(str(details.get("Code", "")).lower()) or response["ResponseMetadata"]["HTTPStatusCode"]
    )
    return error_from_response(int(status), str(details.get("Message", "")), secrets=secrets)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and what it was raised from, outermost first."""
    seen: Any = error
    for _ in range(10):
        if not isinstance(seen, BaseException):
            return
        yield seen
        seen = getattr(seen, "original_exception", None) or seen.__cause__
