"""What went wrong on the way to a server, as typed errors in plain words."""

import asyncio
import ssl

import aiohttp

from parley.kernel.errors import Garbled, Rejected, Unreachable, UpstreamError

FAULTS = (aiohttp.ClientError, asyncio.TimeoutError, OSError, ValueError)
"""Everything that aiohttp raises when a request fails."""


def failure_of(error: Exception, *, connected: bool) -> UpstreamError:
    """Return the typed error for a failed request or read.

    No text of the failed exception is passed on: it can carry the address, and with it a key.
    """
    if isinstance(error, UpstreamError):
        return error
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return Unreachable("The model's server was not found.", "Its name has no address. Is it spelt right?")
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        return Unreachable(
            "No secure connection to the model's server could be made.",
            "Its certificate or its TLS set-up is not accepted. Parley does not fall back to plain HTTP.",
            code="upstream_tls",
        )
    if isinstance(error, asyncio.TimeoutError):
        return _timed_out(connected and not isinstance(error, aiohttp.ConnectionTimeoutError))
    if isinstance(error, aiohttp.ClientConnectorError):
        return Unreachable(
            "The model's server refused the connection.", "Is it running, and is the port right?"
        )
    if isinstance(error, aiohttp.ClientResponseError):
        return Garbled("The model's server does not speak HTTP as it should.")
    if isinstance(error, aiohttp.InvalidURL | ValueError):
        return Rejected("The provider's address or key cannot be used.", "Check the provider's settings.")
    return Unreachable(
        "The connection to the model's server broke.",
        "It closed the connection before the answer was whole.",
        code="upstream_interrupted",
    )


def _timed_out(connected: bool) -> Unreachable:
    if connected:
        return Unreachable(
            "The model's server went silent.", "It sent nothing for too long.", code="upstream_timeout"
        )
    return Unreachable("The model's server did not answer the call.", "The connection was not made in time.")
