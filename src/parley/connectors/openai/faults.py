"""Errors of servers that speak the OpenAI dialect, as typed errors in plain words."""

import re
from math import ceil
from typing import Final, cast

import msgspec

from parley.kernel.errors import Garbled, Overloaded, Rejected, UpstreamError
from parley.wire.redaction import LOOKED_AT, excerpt

NOT_SOON_S: Final = 3600.0
"""`retry_after_s` of a refusal that no short wait ends: another provider may still answer."""

LOADING_S: Final = 2.0
"""Seconds between two attempts while a server loads its model."""

_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size)|maximum context|(prompt|input|request)( is|'s)? too (long|large)|"
    r"too many (input )?tokens|exceed_context|reduce the length|n_ctx|context .{0,20}overflow|"
    r"exceeds? .{0,40}context|context .{0,40}exceeded|max_model_len|context .{0,20}(limit|full)|"
    r"(input|prompt|requested) tokens?( count)? exceeds?|tokens .{0,30}(greater|longer|more) than the context|"
    r"(input|prompt|conversation) is (too long|longer than)",
    re.IGNORECASE,
)
_MODEL = re.compile(
    r"model[_ ]not[_ ]found|model .{0,120}(not exist|not found|unknown)|unknown model", re.IGNORECASE
)
_FORBIDDEN = re.compile(
    r"\bmodels?\b.{0,160}(not allowed|no access|n[o'’]t have (access|permission)|access .{0,20}(denied|restricted)|"
    r"restricted|gated|blocked|not (available|enabled|authori[sz]ed|entitled|permitted|accessible))|"
    r"((no|n[o'’]t have|without|lacks?|denied|insufficient)( \w+){0,2} (access|permissions?)|"
    r"not (allowed|authori[sz]ed|permitted|entitled) to (access|sample|use|call|invoke)).{0,60}\bmodels?\b|"
    r"only access models|model_access|model_permission|model_not_(allowed|found)|no_model_access",
    re.IGNORECASE,
)
"""A refusal of one model, not of the key: others at the same provider may answer."""

_BEHIND = re.compile(
    r"litellm\.\w*(Authentication|PermissionDenied)Error|Received Model Group", re.IGNORECASE
)
"""A proxy that passes on what a provider behind it said of that provider's key."""

_EYES = re.compile(
    r"(image|vision|picture|multi-?modal|mmproj|image_url).{0,60}"
    r"(not (be )?(support|accept|enabled|allowed)|unsupported|mmproj)|"
    r"(not support|cannot (read|process)|doesn't support|no support for).{0,40}(image|vision|picture|multi-?modal)|"
    r"No endpoints found that support image|(model|it) is (a )?text[- ]only|"
    r"image_url is only supported|not a (multi-?modal|vision)|at most 0 (image|picture)",
    re.IGNORECASE,
)
_LOADING = re.compile(
    r"loading (the )?model|model\b.{0,80} is (still |currently |being |now )*(load|start|warm)|"
    r"(still|currently|is) loading|"
    r"model .{0,20}not (yet )?(ready|loaded)|warming up|estimated_time",
    re.IGNORECASE,
)
_FLAGGED = re.compile(r"moderation|flagged|content.?policy|safety", re.IGNORECASE)
_WAIT = re.compile(
    r"(?:retry[_ ]?(?:delay|after)(?:_s|_seconds)?|(?:retry|try again)(?: again)? in|wait(?: for| at least)?|"
    r"estimated_time)[\"']?\s*[:=]?\s*[\"']?((?:\d+(?:\.\d+)?\s*(?:ms|milli\w*|s|m|h|d)?[a-z]{0,9}\s?){1,4})",
    re.IGNORECASE,
)
_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(milli|ms|s|m|h|d)?", re.IGNORECASE)
_UNITS: Final = {"ms": 0.001, "milli": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
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
    if retry_after_s is None and status >= 429:
        retry_after_s = _wait_s(words)
    if (error := _error_by_text(status, words, detail)) is not None:
        return error
    if status in (401, 403):
        return _refused(words, detail)
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
    if status == 413:
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
    detail, words = _server_message(payload, secrets)
    error = _error_by_text(400, words, detail)
    return error or UpstreamError("The model's server reported an error.", detail)


def _error_by_text(status: int, words: str, detail: str | None) -> UpstreamError | None:
    """Return the error that a text tells better than its status; None if the status decides."""
    if status not in (401, 402, 429):
        if _CONTEXT.search(words):
            title = "The conversation is too long for this model."
            return Rejected(title, detail, code="upstream_context_too_long")
        if _EYES.search(words):
            return Rejected("This model can't read pictures.", detail)
    if status >= 500 and _LOADING.search(words):
        title = "The model's server is loading the model."
        return Overloaded(title, detail, code="upstream_loading", retry_after_s=LOADING_S)
    if status == 403 and _FLAGGED.search(words):
        return Rejected("The provider refused this prompt.", detail)
    return None


def _refused(words: str, detail: str | None) -> Rejected:
    """Return the error for a key that is refused: as such, or for this model alone."""
    if _BEHIND.search(words):
        title = "The server has no valid key for this model."
    elif _FORBIDDEN.search(words):
        title = "The provider doesn't let this key use this model."
    else:
        return Rejected("The provider rejected the key.", detail, code="upstream_key_rejected")
    return Rejected(title, detail, code="upstream_model_forbidden")


def _wait_s(words: str) -> float | None:
    """Return the seconds that a body asks to wait; None without any."""
    if (match := _WAIT.search(words)) is None:
        return None
    spans = ((float(number), _UNITS[(unit or "s").lower()]) for number, unit in _SPAN.findall(match[1]))
    return sum(number * unit for number, unit in spans)


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
    code = next((status for pattern, status in _STATUS_PATTERNS if pattern.search(words)), None)
    message = str(error.get("message") or "")[:LOOKED_AT]
    # A generic type says little: the message may still say that the context is too long.
    return 400 if code is None and _error_by_text(400, message, None) else code


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
