"""The guard: refuses requests that another site's page may have sent, before anything else runs."""

import re
from collections.abc import Awaitable, Iterable, Mapping
from functools import lru_cache
from urllib.parse import parse_qsl

from msgspec.structs import replace
from starlette.datastructures import Headers
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parley.api.errors import FieldProblem, ProblemDetails, problem, problem_response

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MAX_BODY_BYTES = 1 << 20
_INTERFACES = ("/api/", "/v1/")

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_SECURITY_HEADERS = [
    (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in SECURITY_HEADERS.items()
]


class Guard:
    """ASGI middleware that checks the host, the origin of requests to the API, and the body's type and size.

    `uploads` are the routes that take a file, by path, with its types; they limit its size themselves. Browsers send
    none of these types to another site without a preflight request. `limits` are the most bytes of a JSON body where
    they differ, by path. `arrivals` are the paths that a browser comes to as it leaves another site's page.

    Every browser sends Sec-Fetch-Site or Origin with a request to the API, old ones with an unsafe one only. A request
    with neither comes from a program such as curl, which another site's page can't control.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: frozenset[str],
        origins: frozenset[str],
        uploads: Mapping[str, frozenset[str]],
        limits: Mapping[str, int],
        arrivals: Iterable[str] = (),
    ) -> None:
        self._app = app
        self._arrivals = [compile_path(path)[0] for path in arrivals]
        self._limits = limits
        self._uploads = uploads
        self._patterns = [(compile_path(path)[0], types) for path, types in uploads.items() if "{" in path]
        self._hosts = {host.strip("[]").lower() for host in hosts} | LOOPBACK
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        def send_with_headers(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                there = {name for name, _ in message["headers"]}
                fresh = (header for header in _SECURITY_HEADERS if header[0] not in there)
                message["headers"] = [*message["headers"], *fresh]
            return send(message)

        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], scope["path"], headers)
        refusal = refusal or _refused_nul(scope)
        body = receive
        if refusal is None and "transfer-encoding" in headers and self._types_for(scope["path"]) is None:
            limit = self._limits.get(scope["path"], MAX_BODY_BYTES)
            parts = await _read_at_most(receive, limit)
            refusal = _too_large(limit) if parts is None else None
            body = replay(parts or [], receive)
        if refusal is not None:
            await problem_response(refusal)(scope, receive, send_with_headers)
            return
        await self._app(scope, body, send_with_headers)

    def _refusal(self, method: str, path: str, headers: Headers) -> ProblemDetails | None:
        host = _only(headers, "host")
        if _host_name(host) not in self._hosts:
            return _BAD_HOST
        if method in SAFE:
            # Another site can't read the answer, but work and requests to other servers would be done.
            foreign = path.startswith(_INTERFACES) and method != "OPTIONS" and not self._is_own(headers, host)
            return _CROSS_SITE if foreign and not self._arrives(method, path, headers) else None
        if not self._is_own(headers, host):
            return _CROSS_SITE
        if (types := self._types_for(path)) is not None and method != "DELETE":
            return None if _type_of(headers) in types else _no_file(types)
        length = headers.get("content-length", "0")
        has_body = length != "0" or "transfer-encoding" in headers
        if has_body and _type_of(headers) != "application/json":
            return _NO_JSON
        limit = self._limits.get(path, MAX_BODY_BYTES)
        return _too_large(limit) if length.isdigit() and int(length) > limit else None

    def _arrives(self, method: str, path: str, headers: Headers) -> bool:
        """Return whether a person's browser leaves another site's page for a path that is made for it."""
        navigates = method == "GET" and _only(headers, "sec-fetch-mode") == "navigate"
        # The page's service worker passes a navigation on as a request for nothing in particular.
        whole_page = navigates and _only(headers, "sec-fetch-dest") in ("document", "empty")
        return whole_page and any(pattern.match(path) for pattern in self._arrivals)

    def _types_for(self, path: str) -> frozenset[str] | None:
        """Return the types of the file that a path takes; None if it takes none."""
        types = self._uploads.get(path)
        if types is None:
            return next((types for pattern, types in self._patterns if pattern.match(path)), None)
        return types

    def _is_own(self, headers: Headers, host: str) -> bool:
        """Return whether Parley's page, an allowed site or a program sent the request."""
        origin = _only(headers, "origin") if "origin" in headers else None
        if origin in self._origins:
            return True
        if "sec-fetch-site" in headers:
            return _only(headers, "sec-fetch-site") in ("same-origin", "none")
        return origin is None or origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _refused_nul(scope: Scope) -> ProblemDetails | None:
    """Return why an address with NUL is refused: PostgreSQL refuses NUL even in a search."""
    if "\x00" in scope["path"]:
        return problem("A path can't contain NUL.", code="not_found")
    if b"%00" not in scope["query_string"]:
        return None
    items = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    field = next((name for name, value in items if "\x00" in value), "query")
    words = FieldProblem(field, "can't contain NUL.")
    title = f"{field}: {words.message}"
    return replace(problem(title, code="invalid_input"), field=field, errors=(words,))


def is_from_page(headers: Headers) -> bool:
    """Return whether a browser sent the request."""
    return "sec-fetch-site" in headers or "origin" in headers


def _only(headers: Headers, name: str) -> str:
    """Return a header's value; empty if it is missing, or ambiguous because it is repeated."""
    values = headers.getlist(name)
    return values[0] if len(values) == 1 else ""


def _type_of(headers: Headers) -> str:
    return headers.get("content-type", "").split(";")[0].strip().lower()


def _too_large(limit: int) -> ProblemDetails:
    title = f"The body is larger than {limit >> 20} MB."
    return problem(title, "Nothing was saved. Send less in one request.", code="body_too_large")


def _no_file(types: frozenset[str]) -> ProblemDetails:
    return problem(
        "The body must be a file.",
        f"Send the file itself, with Content-Type: {' or '.join(sorted(types))}.",
        code="file_required",
    )


_BAD_HOST = problem(
    "Parley doesn't accept requests for this host name.",
    "Use the address that parley serve printed.",
    code="bad_host",
)
_CROSS_SITE = problem(
    "This request came from another site's page.",
    "If the site is yours, allow it with PARLEY_CORS_ORIGINS.",
    code="cross_site",
)
_NO_JSON = problem(
    "The body must be JSON.", "Send it with Content-Type: application/json.", code="json_required"
)
_HOST = re.compile(
    r"(?P<name>[a-z0-9.-]+|\[[0-9a-f:]*:[0-9a-f:.]*\])(?::(?P<port>[0-9]{1,5}))?", re.ASCII | re.IGNORECASE
)
"""A Host header as clients write it. Libraries disagree about other forms, so they are refused."""

MAX_PORT = 65535


@lru_cache(64)
def _host_name(host: str) -> str | None:
    """Return the name in a Host header, in lower case; None if the header is malformed."""
    parts = _HOST.fullmatch(host)
    if parts is None or int(parts["port"] or 1) not in range(1, MAX_PORT + 1):
        return None
    return parts["name"].strip("[]").lower()


async def _read_at_most(receive: Receive, limit: int) -> list[Message] | None:
    """Read a body of unknown length; return None if it is longer than the limit."""
    parts: list[Message] = []
    length = 0
    while not parts or parts[-1].get("more_body"):
        parts.append(await receive())
        length += len(parts[-1].get("body", b""))
        if length > limit:
            return None
    return parts


def replay(parts: list[Message], receive: Receive) -> Receive:
    """Return a `receive` that repeats the parts, and then continues."""
    waiting = iter(parts)

    async def next_part() -> Message:
        part = next(waiting, None)
        return await receive() if part is None else part

    return next_part
