"""Errors as RFC 9457 problem details; the one place where errors meet their HTTP status."""

import math
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, cast

import msgspec
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from parley.kernel.errors import (
    Conflict,
    Forbidden,
    Invalid,
    NotFound,
    OverBudget,
    ParleyError,
    TooLarge,
    TooMany,
    Unavailable,
    Unknown,
    Unsupported,
    UpstreamError,
    UsedUp,
)
from parley.text.plain_words import in_plain_words

MEDIA_TYPE = "application/problem+json"

COMMON: dict[str, int] = {
    "bad_request": 400,
    "sign_in_required": 401,
    "forbidden": 403,
    "not_in_workspace": 403,
    "second_factor_needed": 403,
    "cross_site": 403,
    "wrong_seal": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "session_sealed": 409,
    "not_sealed": 409,
    "not_in_sealed": 409,
    "seal_broken": 409,
    "body_too_large": 413,
    "json_required": 415,
    "file_required": 415,
    "bad_host": 421,
    "invalid_input": 422,
    "invalid_json": 422,
    "idempotency_key_reused": 422,
    "too_many_requests": 429,
    "headers_too_large": 431,
    "internal_error": 500,
    "too_many_connections": 503,
    "database_busy": 503,
    "disk_full": 503,
    "disk_unusable": 503,
    "files_unreachable": 503,
}
"""The codes that any route can answer with, with their status. Routes state what else goes wrong in them."""

_BY_CLASS: tuple[tuple[type[ParleyError], int], ...] = (
    (NotFound, 404),
    (Unknown, 401),
    (Forbidden, 403),
    (TooLarge, 413),
    (Unsupported, 415),
    (Invalid, 422),
    (Conflict, 409),
    (TooMany, 429),
    (Unavailable, 503),
    (UsedUp, 429),
    (OverBudget, 402),
    (UpstreamError, 502),
    (ParleyError, 500),
)
"""The status of an error is that of its class: a leaf's code says more, and nothing else."""


class FieldProblem(msgspec.Struct, frozen=True):
    """A field of a request that is invalid."""

    field: str
    message: str


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error as in RFC 9457. `code` is stable; `title` says what happened, `detail` what to do."""

    title: str
    status: int
    code: str
    type: str = "about:blank"
    detail: str | None = None
    field: str | None = None
    errors: tuple[FieldProblem, ...] | None = None
    result: Any = None


def problem(title: str, detail: str | None = None, *, code: str) -> ProblemDetails:
    """Return a problem with the status of its code."""
    return ProblemDetails(title=title, status=COMMON[code], code=code, detail=detail)


def problem_response(problem: ProblemDetails, *, retry_after_s: int | None = None) -> Response:
    """Return a problem as a response."""
    headers = {"Retry-After": str(retry_after_s)} if retry_after_s is not None else None
    return Response(msgspec.json.encode(problem), problem.status, headers, MEDIA_TYPE)


def status_of(error: ParleyError) -> int:
    """Return the HTTP status of an error's class."""
    return next(status for kind, status in _BY_CLASS if isinstance(error, kind))


def install(app: FastAPI) -> None:
    """Make an app answer every error with a problem."""
    app.add_exception_handler(ParleyError, _on_parley_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_exception)
    app.add_exception_handler(ClientDisconnect, _on_left)
    app.add_exception_handler(Exception, _on_unexpected)


async def _on_parley_error(_: Request, error: Exception) -> Response:
    return answer_error(cast("ParleyError", error))


def answer_error(error: ParleyError) -> Response:
    """Return the response for an error raised on purpose."""
    field = (error.field or None) if isinstance(error, Invalid) else None
    details = ProblemDetails(
        title=error.title,
        status=status_of(error),
        code=error.leaf_code,
        detail=error.detail,
        field=field,
        errors=(FieldProblem(field, error.title.removeprefix(f"{field}: ")),) if field else None,
        result=error.result,
    )
    waits = isinstance(error, Unavailable | UsedUp | UpstreamError) and error.retry_after_s
    return problem_response(details, retry_after_s=math.ceil(waits) if waits else None)


async def _on_invalid_request(_: Request, raised: Exception) -> Response:
    error = cast("RequestValidationError", raised)
    broken = next((item for item in error.errors() if item["type"] == "json_invalid"), None)
    if broken is not None:
        place = f"{broken['ctx']['error']} (at character {broken['loc'][-1]})."
        return problem_response(msgspec.structs.replace(_NOT_JSON, errors=(FieldProblem("body", place),)))
    fields = [_field_problem(item, error.body) for item in error.errors()]
    first = fields[0]
    details = problem(f"{first.field}: {first.message}", _CORRECT_IT, code="invalid_input")
    return problem_response(msgspec.structs.replace(details, field=first.field, errors=tuple(fields)))


def _field_problem(item: ErrorDetails, body: object) -> FieldProblem:
    """Name the field as the sender wrote it, with the rule in plain words."""
    location: Sequence[object] = item["loc"]
    message = in_plain_words(item)
    if item["type"] == "union_tag_invalid":
        context = item.get("ctx", {})
        location = (*location, str(context["discriminator"]).strip("'"))
        message = f"must be one of {context['expected_tags']}"
    elif item["type"] == "number_too_large":
        location = (*location, *item.get("ctx", {})["place"])
    if location[:1] == ("body",):
        location = _as_sent(location[1:], body)
    elif location and location[0] in ("query", "path", "header"):
        location = location[1:]
    # A field's name may contain a lone surrogate, which can't be encoded.
    parts = [str(part).encode("utf-8", "replace").decode() for part in location]
    return FieldProblem(".".join(parts) or "body", message.rstrip(".") + ".")


def _as_sent(location: Sequence[object], body: object) -> list[object]:
    """Leave out the parts of a location that are not in the body, such as names of union members."""
    sent: list[object] = []
    for place, part in enumerate(location):
        fields = cast("dict[object, object]", body) if isinstance(body, dict) else None
        if fields is not None and part not in fields and place < len(location) - 1:
            continue
        sent.append(part)
        body = fields.get(part) if fields is not None else None
    return sent


_CORRECT_IT = "Nothing was saved. Correct it and try again."

_NOT_JSON = problem("The body is not valid JSON.", _CORRECT_IT, code="invalid_json")


async def _on_http_exception(_: Request, raised: Exception) -> Response:
    error = cast("HTTPException", raised)
    if error.status_code == HTTPStatus.BAD_REQUEST:
        # FastAPI's answer to a body that the JSON parser can't read: not UTF-8, too deep, too long a number.
        return problem_response(_NOT_JSON)
    code = {404: "not_found", 405: "method_not_allowed", 403: "forbidden"}.get(
        error.status_code, "invalid_input"
    )
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        title = "This path does not take this method."
    else:
        title = f"{HTTPStatus(error.status_code).phrase}."
    return problem_response(ProblemDetails(title=title, status=error.status_code, code=code))


async def _on_left(_: Request, error: Exception) -> Response:  # noqa: ARG001 - nobody reads it
    return Response(status_code=499)


async def _on_unexpected(_: Request, error: Exception) -> Response:  # noqa: ARG001 - the server logs it
    return answer_unexpected()


def answer_unexpected() -> Response:
    """Return the response to a request that met a bug."""
    detail = "See the server's log for the cause. Everything saved before is safe."
    return problem_response(problem("Parley ran into an internal error.", detail, code="internal_error"))
