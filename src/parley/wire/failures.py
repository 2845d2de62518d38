"""What went wrong on the way to a server, as typed errors in plain words.

No text of a failed exception is passed on: it can carry the address, and with it a key.
"""

import ssl

from parley.kernel.errors import BrokenOff, Rejected, Unreachable


def cannot_connect(error: Exception) -> Unreachable:
    """Return the typed error for a connection that was not made."""
    if isinstance(error, TimeoutError):
        return Unreachable(
            "The model's server did not answer the call.", "The connection was not made in time."
        )
    if isinstance(error, ssl.SSLError | ssl.CertificateError):
        return Unreachable(
            "No secure connection to the model's server could be made.",
            "Its certificate or its TLS set-up is not accepted. Parley does not fall back to plain HTTP.",
            code="upstream_tls",
        )
    return Unreachable("The model's server refused the connection.", "Is it running, and is the port right?")


def not_found() -> Unreachable:
    """Return the error for a name without an address."""
    return Unreachable("The model's server was not found.", "Its name has no address. Is it spelt right?")


def silent() -> BrokenOff:
    """Return the error for a server that sends nothing."""
    return BrokenOff(
        "The model's server went silent.", "It sent nothing for too long.", code="upstream_timeout"
    )


def unusable() -> Rejected:
    """Return the error for an address or a key that no request can carry."""
    return Rejected("The provider's address or key cannot be used.", "Check the provider's settings.")
