"""Problems with an address or a key, in words that a person can act on."""

import errno
import ssl
from urllib.parse import urlsplit

import msgspec

from parley.features.catalog.discovery.answers import ServerAnswer
from parley.features.catalog.discovery.findings import Offer
from parley.features.catalog.discovery.known import KnownProvider
from parley.kernel.errors import BrokenOff, Problem, Unreachable, Unsent, UpstreamError
from parley.kernel.models import Provider

TRUST = (
    "Put the certificate of the authority that signed it in a PEM file and name the file in PARLEY_CA_FILE."
)
_NO_NETWORK = (errno.EHOSTUNREACH, errno.ENETUNREACH)


def is_about_the_key(answer: ServerAnswer) -> bool:
    """Return whether a server refuses the key, or asks for one."""
    # LiteLLM's proxy without a database has no 401 for a key that it does not know.
    return answer.status in (401, 403) or (answer.status == 400 and b'"no_db_connection"' in answer.body)


def key_missing(known: KnownProvider | None, origin: str) -> Problem:
    """Return the problem of a server that needs a key and got none."""
    where = f"Create one at {known.key_url}, then enter it." if known and known.key_url else "Enter its key."
    return Problem(code="key_missing", title=f"{_name(known, origin)} requires a key.", detail=where)


def key_refused(known: KnownProvider | None, origin: str) -> Problem:
    """Return the problem of a key that the server does not accept."""
    where = f" You can create a new one at {known.key_url}." if known and known.key_url else ""
    return Problem(
        code="key_refused",
        title=f"{_name(known, origin)} refused the key.",
        detail=f"Check that it is complete, belongs to this provider, and has not been revoked.{where}",
    )


def key_unusable() -> Problem:
    """Return the problem of a text that no request can carry as a key."""
    return Problem(
        code="key_unusable",
        title="This key can't be used: it has characters that are not allowed in a key.",
        detail="Copy the key again, without anything around it.",
    )


def no_address(why: str) -> Problem:
    """Return the problem of a text that is no web address."""
    return Problem(code="upstream_address_invalid", title=f"The address {why}.", detail=None)


def no_models(known: KnownProvider | None, origin: str) -> Problem:
    """Return the problem of a server that responds but has no models."""
    detail = "Add a model there, then test again."
    if known is not None and known.id == "ollama":
        detail = "Download one, for example with “ollama pull llama3.2”, then test again."
    return Problem(
        code="no_models", title=f"{_name(known, origin)} is reachable, but lists no models.", detail=detail
    )


def said_twice(offer: Offer, provider: Provider | None) -> Offer:
    """Return an offer that says that a provider already has its address, unless it has another problem."""
    if provider is None or not offer.ok or offer.problem is not None:
        return offer
    problem = Problem(
        code="provider_exists",
        title=f"This address is already configured as “{provider.name or provider.id}”.",
        detail="Add models to that provider, unless this one has another key.",
    )
    return msgspec.structs.replace(offer, problem=problem)


def not_in_time(known: KnownProvider | None, origin: str, seconds: float) -> Problem:
    """Return the problem of a server that takes too long."""
    busy = "Check that it runs and is not loading a model, then test again."
    return Problem(
        code="upstream_timeout",
        title=f"{_name(known, origin)} did not answer within {seconds:g} seconds.",
        detail=busy if known and known.local else "Check the address and your network, then test again.",
    )


def too_many_models(known: KnownProvider | None, origin: str) -> Problem:
    """Return the problem of a list that is longer than Parley reads."""
    return Problem(
        code="list_too_long",
        title=f"{_name(known, origin)} sent a response that is too long for a list of models.",
        detail="Check that the address leads to a model server.",
    )


def no_api(base_url: str, answer: ServerAnswer, suggestion: str | None) -> Problem:
    """Return the problem of an address where something else answers."""
    if answer.is_page:
        code, title = "not_an_api", f"{base_url} is a web page, not an API."
    elif answer.ok:
        code, title = "not_an_api", f"{base_url} responds, but not with a list of models."
    else:
        code, title = "no_api", f"There is no OpenAI-compatible API at {base_url}."
    detail = f"Did you mean {suggestion}?" if suggestion else "Check the address. It often ends with /v1."
    return Problem(code=code, title=title, detail=detail)


def refused(known: KnownProvider | None, origin: str, answer: ServerAnswer) -> Problem:
    """Return the problem of an error status that is not about the key or the address."""
    name, status = _name(known, origin), answer.status
    if status == 402:
        return Problem(
            code="upstream_rejected",
            title=f"{name} reports that the account has no credit left.",
            detail="Add credit there, then test again.",
        )
    if status == 429:
        return Problem(
            code="upstream_overloaded",
            title=f"{name} reached its rate limit.",
            detail="Wait a minute, then test again. If that doesn't help, check the account's limits.",
        )
    if b"loading model" in answer.body.lower():
        return Problem(
            code="upstream_overloaded",
            title=f"{name} is still loading its model.",
            detail="Wait until it is loaded, then test again.",
        )
    if status == 400 and b"https" in answer.body.lower():
        return Problem(
            code="upstream_tls",
            title=f"{name} accepts only secure connections.",
            detail="Write https:// instead of http://.",
        )
    if status >= 500:
        return Problem(
            code="upstream_overloaded",
            title=f"{name} is failing right now (status {status}).",
            detail="Try again later, or check its log.",
        )
    return Problem(
        code="upstream_rejected",
        title=f"{name} refused the request (status {status}).",
        detail="Check the address and the key.",
    )


def unreachable(known: KnownProvider | None, origin: str, error: UpstreamError) -> Problem:
    """Return the problem of a request that got no answer."""
    if isinstance(error, BrokenOff):
        return Problem(
            code=error.leaf_code,
            title=f"{_name(known, origin)} closed the connection without a response.",
            detail="Check the address, and whether it starts with http:// or https://.",
        )
    if isinstance(error, Unsent) or not isinstance(error, Unreachable):
        return error.problem
    host = urlsplit(origin).hostname or origin
    cause = error.__cause__
    broke = isinstance(cause, ConnectionResetError | ConnectionAbortedError) and origin.startswith("https://")
    if broke or isinstance(cause, ssl.SSLError):
        return _no_secure_connection(origin, host, cause)
    if isinstance(cause, OSError) and cause.errno in _NO_NETWORK:
        title, detail = f"Your network has no route to {host}.", "Check the address and your network."
    elif error.cause == "its name has no address":
        title, detail = (
            f"There is no server named {host}.",
            "Check the address, and that this computer is online.",
        )
    elif error.cause == "no answer in time":
        title, detail = (
            f"{origin} does not respond.",
            "Check the address, and whether a firewall blocks it.",
        )
    else:
        title, detail = f"Nothing is listening at {origin}.", _start(known)
    return Problem(code=error.leaf_code, title=title, detail=detail)


def _no_secure_connection(origin: str, host: str, cause: BaseException | None) -> Problem:
    if isinstance(cause, ssl.SSLCertVerificationError):
        return Problem(
            code="upstream_tls",
            title=f"The certificate of {host} is not trusted: {cause.verify_message}.",
            detail=f"{TRUST} Or check the address.",
        )
    return Problem(
        code="upstream_tls",
        title=f"Parley could not make a secure connection to {origin}.",
        detail="If the server speaks plain HTTP, write http:// instead of https://.",
    )


def _start(known: KnownProvider | None) -> str:
    if known is not None and known.start:
        return f"Start {known.name}, then test again. {known.start}"
    return "Start the server, or check its address, then test again."


def _name(known: KnownProvider | None, origin: str) -> str:
    """Return a provider's name, with its address if a person chose it; the address alone for an unknown one."""
    if known is None or known.id == "custom":
        return origin
    return known.name if known.origin == origin and not known.local else f"{known.name} at {origin}"
