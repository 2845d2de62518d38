"""Failures to reach a server, as typed errors in plain words.

No text of the original exception is passed on: it can contain the address, and with it a key.
"""

import contextlib
import errno
import os
import ssl

from parley.kernel.errors import BrokenOff, Garbled, Rejected, Unreachable, Unsent, UpstreamError


def cannot_connect(error: Exception) -> UpstreamError:
    """Return the error for a connection that could not be made."""
    if is_out_of_files(error):
        return too_many_files()
    if isinstance(error, TimeoutError):
        return Unreachable(
            "The model's server did not answer in time.", "Check that it runs.", cause="no answer in time"
        )
    if isinstance(error, ssl.SSLCertVerificationError):
        return Unreachable(
            "The certificate of the model's server is not trusted.",
            f"{error.verify_message or 'It could not be verified'}. To trust the authority that signed it, name its "
            "PEM file in PARLEY_CA_FILE and restart Parley. Or check the address.",
            code="upstream_tls",
            cause="certificate not trusted",
        )
    if isinstance(error, ssl.SSLError | ssl.CertificateError):
        return Unreachable(
            "Parley could not make a secure connection to the model's server.",
            "Its certificate or TLS configuration was not accepted. Check them, or the address.",
            code="upstream_tls",
            cause="no secure connection (TLS)",
        )
    return Unreachable(
        "The model's server refused the connection.",
        "Start it, or check its address in the model list.",
        cause="connection refused",
    )


def too_many_files() -> Unsent:
    """Return the error for a process that may not open one more connection."""
    return Unsent(
        "Parley has as many files and connections open as the system allows, so the model was not asked.",
        "The model's server is not at fault. Stop turns that you do not need and ask again. To allow more, raise the "
        "limit of open files (ulimit -n, or LimitNOFILE in systemd) and restart Parley.",
    )


def is_out_of_files(error: Exception) -> bool:
    """Return whether a call failed because no file can be opened; resolvers and TLS hide that cause, so try."""
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        return True
    try:
        one_more = os.open(os.devnull, os.O_RDONLY)
    except OSError as failure:
        return failure.errno in (errno.EMFILE, errno.ENFILE)
    with contextlib.suppress(OSError):
        os.close(one_more)
    return False


def not_found(error: Exception) -> UpstreamError:
    """Return the error for a name without an address."""
    if is_out_of_files(error):
        return too_many_files()
    return Unreachable(
        "The model's server was not found.",
        "Its name has no address. Check the spelling of its address.",
        cause="its name has no address",
    )


def silent() -> BrokenOff:
    """Return the error for a server that sends nothing."""
    return BrokenOff(
        "The model's server stopped responding.",
        "It sent nothing for too long. Ask again, or check the server.",
        code="upstream_timeout",
    )


def too_large() -> Garbled:
    """Return the error for a response that exceeds a limit."""
    return Garbled(
        "The model's server sent a response larger than Parley accepts.",
        "Check that its address leads to a model server, or choose another model.",
    )


def unusable() -> Rejected:
    """Return the error for an address or a key that no request can carry."""
    return Rejected("The provider's address or key cannot be used.", "Check the provider's settings.")


def interrupted() -> BrokenOff:
    """Return the error of a connection that ended before the response did."""
    return BrokenOff(
        "The connection to the model's server was lost.",
        "It closed the connection before the answer was complete. Ask again.",
    )


def not_http() -> Garbled:
    """Return the error of a response that breaks HTTP."""
    return Garbled(
        "The model's server sent an invalid HTTP response.",
        "Check that its address leads to a model server, or choose another model.",
    )


def why_of(error: UpstreamError) -> str:
    """Return in a few words why a server that serves no models was not reached: "connection refused"."""
    cause = error.cause if isinstance(error, Unreachable) else None
    words = cause or error.title.replace("model's server", "server").rstrip(".")
    return words[:1].lower() + words[1:]
