"""Errors of servers that speak the OpenAI dialect, as typed errors in plain words."""

import re
from math import ceil
from typing import Final, cast

import msgspec

from parley.kernel.errors import Garbled, Overloaded, Rejected, UpstreamError
from parley.wire.redaction import LOOKED_AT, excerpt

NOT_SOON_S: Final = 3600.0
"""`retry_after_s` of a refusal that no short wait ends: another provider may still answer."""

_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size)|maximum context|(prompt|input|request)( is|'s)? too (long|large)|"
    r"too many (input )?tokens|exceed_context|reduce the length|n_ctx",
    re.IGNORECASE,
)
_MODEL = re.compile(
    r"model[_ ]not[_ ]found|model .{0,120}(not exist|not found|unknown)|unknown model", re.IGNORECASE
)
_MONEY = re.compile(r"insufficient[_ ](quota|balance|credit|funds)", re.IGNORECASE)
_STATUS_PATTERNS: Final = (
    (re.compile(r"rate.?limit|too many requests|insufficient_quota", re.IGNORECASE), 429),
    (re.compile(r"overload|server_?error|internal|unavailable|timeout|capacity", re.IGNORECASE), 503),
    (re.compile(r"authentication|invalid_api_key|unauthorized|permission", re.IGNORECASE), 401),
    (re.compile(r"not_?found", re.IGNORECASE), 404),
    (re.compile(r"invalid_request|bad.?request|context", re.IGNORECASE), 400),
)


def error_from_response(
    status: int,
    body: bytes | str,
    *,
    retry_after_s: float | None = None,
    secrets: tuple[str | None, ...] = (),
) -> UpstreamError:
    """Return the error for a refused request: by its status, refined by the text of its body."""
    detail, words = _server_message(body, secrets)
    if status in (401, 403):
        return Rejected("The provider rejected the key.", detail, code="upstream_key_rejected")
    if status == 402 or (status == 429 and _MONEY.search(words)):
        return Overloaded(
            "Your account at this provider has no credit left.",
            detail,
            code="upstream_payment",
            retry_after_s=NOT_SOON_S,
        )
    if status == 429:
        soon = f" It accepts requests again in {ceil(retry_after_s)} s." if retry_after_s else ""
        return Overloaded(
            f"The provider's rate limit was reached.{soon}",
            detail,
            code="upstream_rate_limited",
            retry_after_s=retry_after_s,
        )
    if status in (408, 409, 425) or status >= 500:
        return Overloaded(
            f"The model's server is failing or overloaded (status {status}).",
            detail,
            retry_after_s=retry_after_s,
        )
    if status == 413 or (status in (400, 422) and _CONTEXT.search(words)):
        return Rejected(
            "The conversation is too long for this model.", detail, code="upstream_context_too_long"
        )
    if status == 404 or _MODEL.search(words):
        return Rejected("The provider does not have this model.", detail, code="upstream_model_not_found")
    return Rejected(f"The model's server refused the request (status {status}).", detail)


def error_from_chunk(payload: bytes, secrets: tuple[str | None, ...] = ()) -> UpstreamError:
    """Return the error that a server sent within a stream, after a status of 200."""
    status = _status(_fields(_error_part(_decoded(payload))))
    if status is not None:
        return error_from_response(status, payload, secrets=secrets)
    return UpstreamError("The model's server reported an error.", _server_message(payload, secrets)[0])


def check_key(key: str) -> None:
    """Raise Rejected for a key that no header can carry."""
    if not (key.isascii() and key.isprintable()):
        raise Rejected(
            "The provider's key can't be sent.",
            "It has characters that are not allowed in a key. Copy the key again, without anything "
            "around it.",
            code="upstream_key_rejected",
        )


def web_page(body: bytes, secrets: tuple[str | None, ...] = ()) -> Garbled:
    """Return the error for an answer that is a web page."""
    shown = excerpt(body, secrets, limit=120)
    detail = "Check that the provider's address is that of its API. It often ends with /v1."
    return Garbled(
        "The model's server sent a web page.", f"{detail} The page says: {shown}" if shown else detail
    )


def not_an_answer(body: bytes, secrets: tuple[str | None, ...] = ()) -> Garbled:
    """Return the error for JSON that is neither an answer nor an error."""
    shown = excerpt(body, secrets, limit=120)
    return Garbled(
        "The model's server sent a response that Parley can't read.", f"It says: {shown}" if shown else None
    )


def _status(error: dict[str, object]) -> int | None:
    for name in ("code", "status", "status_code", "http_code"):
        value = str(error.get(name))
        if re.fullmatch("[45][0-9][0-9]", value):
            return int(value)
    words = " ".join(str(error.get(name) or "")[:LOOKED_AT] for name in ("type", "code", "status"))
    found = next((status for pattern, status in _STATUS_PATTERNS if pattern.search(words)), None)
    # A generic type says little: the message may still say that the context is too long.
    return 400 if found is None and _CONTEXT.search(str(error.get("message") or "")[:LOOKED_AT]) else found


def _server_message(body: bytes | str, secrets: tuple[str | None, ...]) -> tuple[str | None, str]:
    """Return the message to show, and the raw text to search for patterns."""
    raw = body if isinstance(body, bytes) else body.encode("utf-8", "replace")
    words = raw[:LOOKED_AT].decode("utf-8", "replace")
    part = _error_part(_decoded(raw))
    fields = _fields(part)
    message = next((fields[name] for name in ("message", "msg", "detail") if fields.get(name)), part)
    shown = excerpt(message if isinstance(message, str) and message.strip() else words, secrets)
    return (f"The server says: {shown}" if shown else None), words


def _error_part(document: object) -> object:
    """Return the value under "error", wherever the server puts it, or the document itself."""
    fields = _fields(_first(document))
    for name in ("error", "errors", "detail"):
        part = _first(fields.get(name))
        if part and isinstance(part, dict | str):
            return cast("object", part)
    return _first(document)


def _first(value: object) -> object:
    return cast("list[object]", value)[0] if isinstance(value, list) and value else cast("object", value)


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _decoded(body: bytes) -> object:
    try:
        return msgspec.json.decode(body)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace")
