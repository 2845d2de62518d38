"""The door's errors: every problem under /v1 leaves in the shape that OpenAI's or Anthropic's clients read."""

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parley.api.errors import MEDIA_TYPE, ProblemDetails, status_of
from parley.api.quota_headers import quota_headers
from parley.kernel.errors import Invalid, ParleyError
from parley.kernel.ids import random_id

DOOR = "/v1"
MESSAGES = f"{DOOR}/messages"
REQUEST_ID = "x-request-id"

_CODES: dict[str, tuple[int, str]] = {
    "sign_in_required": (401, "invalid_api_key"),
    "over_budget": (402, "insufficient_quota"),
    "too_many_requests": (429, "rate_limit_exceeded"),
    "too_many_at_once": (429, "rate_limit_exceeded"),
    "allowance_used_up": (429, "insufficient_quota"),
    "model_without_price": (402, "insufficient_quota"),
    "mode_cap_reached": (402, "insufficient_quota"),
    "own_key_needed": (403, "own_key_needed"),
    "own_key_refused": (403, "own_key_refused"),
    "upstream_rate_limited": (429, "rate_limit_exceeded"),
    "upstream_context_too_long": (400, "context_length_exceeded"),
    "upstream_rejected": (400, "upstream_rejected"),
    "upstream_text_only": (400, "upstream_text_only"),
    "upstream_overloaded": (503, "upstream_overloaded"),
    "upstream_loading": (503, "upstream_loading"),
    "ensemble_takes_no_options": (400, "unsupported_parameter"),
    "blob_missing": (400, "blob_missing"),
    "invalid_input": (400, "invalid_value"),
}
"""Parley's codes that OpenAI's clients know under another status or code."""

_UNABLE = "model_without_"
"""The beginning of the codes for what a model can't do, which the request asks of it."""

_TYPES = {
    401: "authentication_error",
    402: "insufficient_quota",
    403: "permission_error",
    429: "rate_limit_error",
}
_ANTHROPIC_TYPES = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
}
_NO_KEY = (
    "This needs a valid API key. Send it as “Authorization: Bearer parley-…”; make one in Parley under Settings, "
    "API keys."
)


class OpenAIError(msgspec.Struct, frozen=True):
    """An error as OpenAI's clients read it. `param` is the field that is at fault."""

    message: str
    type: str
    param: str | None
    code: str | None


class ErrorBody(msgspec.Struct, frozen=True):
    """The body of a refused request, and the last event of a stream that failed."""

    error: OpenAIError


class AnthropicError(msgspec.Struct, frozen=True):
    """An error as Anthropic's clients read it."""

    type: str
    message: str


class AnthropicErrorBody(msgspec.Struct, frozen=True):
    """The body of a refused request for a message, and the last event of a stream that failed."""

    error: AnthropicError
    type: str = "error"


def is_door(path: str) -> bool:
    """Return whether a path is the OpenAI door's."""
    return path == DOOR or path.startswith(f"{DOOR}/")


def error_of(error: ParleyError) -> ErrorBody:
    """Return an error in OpenAI's shape, for a stream that has begun."""
    return _in_shape(_problem_of(error))[1]


def anthropic_error_of(error: ParleyError) -> AnthropicErrorBody:
    """Return an error in Anthropic's shape, for a stream that has begun."""
    return _in_anthropics(*_in_shape(_problem_of(error)))


def _problem_of(error: ParleyError) -> ProblemDetails:
    field = error.field if isinstance(error, Invalid) else None
    return ProblemDetails(
        title=error.title, status=status_of(error), code=error.leaf_code, detail=error.detail, field=field
    )


def _in_anthropics(status: int, body: ErrorBody) -> AnthropicErrorBody:
    kind = _ANTHROPIC_TYPES.get(status, "invalid_request_error" if status < 500 else "api_error")
    return AnthropicErrorBody(AnthropicError(kind, body.error.message))


def _in_shape(problem: ProblemDetails) -> tuple[int, ErrorBody]:
    """Return the status and body for a problem."""
    status, code = _CODES.get(problem.code, (problem.status, problem.code))
    if problem.code.startswith(_UNABLE) or status == 422:
        status = 400
    param = problem.field
    if code == "context_length_exceeded":
        param = "messages"
    elif code == "model_not_found":
        param = "model"
    kind = _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
    message = _NO_KEY if status == 401 else f"{problem.title} {problem.detail or ''}".rstrip()
    return status, ErrorBody(OpenAIError(message, kind, param, code))


class OpenAIErrors:
    """ASGI middleware around all others: gives answers under /v1 an id and what is left, problems OpenAI's shape."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and is_door(scope["path"]):
            await self._app(scope, receive, _Answer(send, scope).send)
        else:
            await self._app(scope, receive, send)


class _Answer:
    """One answer; a problem is held until it is complete."""

    def __init__(self, send: Send, scope: Scope) -> None:
        self._send = send
        self._scope = scope
        self._is_anthropics = scope["path"].startswith(MESSAGES)
        self._held: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        """Send a part of the answer on."""
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message["headers"]))
            headers.setdefault(REQUEST_ID, f"req_{random_id()}")
            headers.update(await quota_headers(self._scope, anthropic=self._is_anthropics))
            message = {**message, "headers": headers.raw}
            if headers.get("content-type") == MEDIA_TYPE:
                self._held = message
                return
        elif self._held is not None:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_error(self._held)
            return
        await self._send(message)

    async def _send_error(self, start: Message) -> None:
        problem = msgspec.json.decode(self._body, type=ProblemDetails)
        status, error = _in_shape(problem)
        body = msgspec.json.encode(_in_anthropics(status, error) if self._is_anthropics else error)
        headers = MutableHeaders(raw=start["headers"])
        headers["content-type"], headers["content-length"] = "application/json", str(len(body))
        await self._send({**start, "status": status, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body})
