"""Routes that state their contract where they are declared: who may, what comes back, what can go wrong, what comes in.

    routes = Routes("/api/presets", tag="presets", needs=Scope.TALK)

    @routes.post(errors=("preset_exists",), example={"mode": "chat", "name": "Mine", "seats": {}})
    async def save_preset(body: SavePreset, app: App, caller: CallerDep) -> PresetView:

Permissions, the OpenAPI document, the guard, the protocol's limits and the fast path read the contracts.
"""

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from types import UnionType
from typing import Any, Final, TypedDict, TypeVar, Union, Unpack, get_args, get_origin, get_type_hints

import msgspec
from fastapi import APIRouter, Depends, FastAPI, Response
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel

from parley.api.acts import recorded
from parley.api.deps import known_parameters
from parley.kernel.caller import Caller, Scope

ANYONE: Final = None
"""The need of a route that everybody may use."""

Handler = TypeVar("Handler", bound=Callable[..., Awaitable[Any]])

EVENT_STREAM = "text/event-stream"
_BYTES: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}


class Stream(msgspec.Struct, frozen=True):
    """A kind of event stream: its name in the OpenAPI document, and the type of its events."""

    name: str
    events: Any


class Terms(TypedDict, total=False):
    """The statements of a route. Everything has a default but the scope, which the group of routes may give."""

    needs: Scope | None
    errors: Sequence[str]
    """The codes that only some routes answer with; those of every route are in `errors.COMMON`."""
    result: type[Any]
    """The type of a problem's `result`, where one has any."""
    stream: Stream
    """The route can answer with events."""
    downloads: Sequence[str]
    """The types of the file that it answers with."""
    uploads: Sequence[str]
    """The body is a file of one of these types, and the handler limits its size."""
    takes_minutes: bool
    """A response may occupy its connection for minutes."""
    hot: bool
    """It is served on the fast path."""
    most_bytes: int
    """The most bytes of its body, where that differs from other routes."""
    example: Any
    """A body that the route accepts."""
    personal: bool
    """It is about the person who asks, whichever workspace they act in."""
    reads: bool
    """It changes nothing, though its body makes it a POST."""
    adds_factor: bool
    """It is open to who must add a second factor before anything else."""
    from_elsewhere: bool
    """A browser comes to it from another site, such as one where people sign in."""
    audited: bool
    """It is recorded in the audit log. By default, changes by those who manage are."""


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """A route's statements, with its handler. `answers`: the types of its JSON; none for 204, a file or a stream."""

    method: str
    path: str
    tag: str
    strict: bool
    handler: Callable[..., Awaitable[Any]]
    needs: Scope | None
    answers: tuple[type[Any], ...] = ()
    errors: tuple[str, ...] = ()
    result: type[Any] | None = None
    stream: Stream | None = None
    downloads: tuple[str, ...] = ()
    uploads: frozenset[str] = frozenset()
    takes_minutes: bool = False
    hot: bool = False
    most_bytes: int | None = None
    example: Any = None
    personal: bool = False
    reads: bool = False
    adds_factor: bool = False
    from_elsewhere: bool = False
    audited: bool = False

    @property
    def body(self) -> type[BaseModel] | None:
        """The type of its JSON body; None if it has none."""
        if self.uploads or self.method == "GET":
            return None
        hints = [kind for hint in get_type_hints(self.handler).values() for kind in get_args(hint) or (hint,)]
        return next((it for it in hints if inspect.isclass(it) and issubclass(it, BaseModel)), None)

    @property
    def asks(self) -> bool:
        """It asks models."""
        talks = self.stream is not None and self.needs is Scope.TALK
        return self.method == "POST" and (talks or self.path.startswith("/v1/"))

    def allows(self, caller: Caller) -> bool:
        """Return whether the caller has the scope that the route needs, and may write if it does.

        Only what belongs to the space is kept from its viewers: not what everyone shares, and not a quote.
        """
        if self.needs is ANYONE:
            return True
        if caller.lacks_factor and not self.adds_factor:
            return False
        writes = self.needs is Scope.TALK and self.method != "GET" and not (self.personal or self.reads)
        return self.needs in caller.scopes and (caller.may_write or not writes)


class Routes:
    """A group of routes under one path."""

    def __init__(
        self,
        prefix: str = "",
        *,
        tag: str,
        needs: Scope | None,
        strict: bool = False,
        personal: bool = False,
        audited: bool = False,
    ) -> None:
        """`strict`: query parameters that a route does not have are refused. `personal`: see `Terms`.

        `audited`: every change is recorded in the audit log, not only those by who manages.
        """
        self.contracts: list[Contract] = []
        self._prefix = prefix
        self._tag = tag
        self._needs = needs
        self._strict = strict
        self._personal = personal
        self._audited = audited

    def get(self, path: str = "", **terms: Unpack[Terms]) -> Callable[[Handler], Handler]:
        """Declare a route that reads."""
        return self._declare("GET", path, terms)

    def post(self, path: str = "", **terms: Unpack[Terms]) -> Callable[[Handler], Handler]:
        """Declare a route that starts or adds something."""
        return self._declare("POST", path, terms)

    def put(self, path: str = "", **terms: Unpack[Terms]) -> Callable[[Handler], Handler]:
        """Declare a route that replaces something."""
        return self._declare("PUT", path, terms)

    def patch(self, path: str = "", **terms: Unpack[Terms]) -> Callable[[Handler], Handler]:
        """Declare a route that changes fields."""
        return self._declare("PATCH", path, terms)

    def delete(self, path: str = "", **terms: Unpack[Terms]) -> Callable[[Handler], Handler]:
        """Declare a route that removes something."""
        return self._declare("DELETE", path, terms)

    def _declare(self, method: str, path: str, terms: Terms) -> Callable[[Handler], Handler]:
        needs = terms.get("needs", self._needs)
        changes = method != "GET" and not terms.get("reads", False)

        def declare(handler: Handler) -> Handler:
            self.contracts.append(
                Contract(
                    method=method,
                    path=self._prefix + path,
                    tag=self._tag,
                    strict=self._strict,
                    handler=handler,
                    needs=needs,
                    answers=tuple(_answers(handler)),
                    errors=tuple(terms.get("errors", ())),
                    result=terms.get("result"),
                    stream=terms.get("stream"),
                    downloads=tuple(terms.get("downloads", ())),
                    uploads=frozenset(terms.get("uploads", ())),
                    takes_minutes=terms.get("takes_minutes", "stream" in terms),
                    hot=terms.get("hot", False),
                    most_bytes=terms.get("most_bytes"),
                    example=terms.get("example"),
                    personal=terms.get("personal", self._personal),
                    reads=terms.get("reads", False),
                    adds_factor=terms.get("adds_factor", False),
                    from_elsewhere=terms.get("from_elsewhere", False),
                    audited=terms.get("audited", changes and (self._audited or needs is Scope.MANAGE)),
                )
            )
            return handler

        return declare


def add_routes(router: APIRouter, groups: Iterable[Routes]) -> None:
    """Add every route; paths with words come before those with a parameter in the same place."""
    contracts = (contract for routes in groups for contract in routes.contracts)
    for contract in sorted(contracts, key=lambda it: [part.startswith("{") for part in it.path.split("/")]):
        gives_nothing = get_type_hints(contract.handler).get("return") is type(None)
        router.add_api_route(
            contract.path,
            _responding(contract),
            methods=[contract.method],
            tags=[contract.tag],
            status_code=204 if gives_nothing else 200,
            response_class=Response,
            response_model=None,
            responses=None if gives_nothing else _responses(contract),
            dependencies=[Depends(known_parameters)] if contract.strict else [],
            openapi_extra=_body_extra(contract),
        )


def contract_of(route: object) -> Contract | None:
    """Return the contract of a route of FastAPI; None if it has none, and so is closed."""
    endpoint = route.endpoint if isinstance(route, APIRoute) else None
    return getattr(endpoint, "contract", None)


def contracts(app: FastAPI) -> Iterator[Contract]:
    """Yield the contract of every route of an app."""
    for context in iter_route_contexts(app.routes):
        if (contract := contract_of(context.original_route)) is not None:
            yield contract


def as_response(answer: object) -> Response:
    """Return what a handler gave as a response: a view as JSON, nothing as 204, a response as it is."""
    if isinstance(answer, Response):
        return answer
    if answer is None:
        return Response(status_code=204)
    return Response(msgspec.json.encode(answer), media_type="application/json")


def _responding(contract: Contract) -> Callable[..., Any]:
    """Return the endpoint for FastAPI: the handler with its answer encoded."""
    handler = contract.handler

    @functools.wraps(handler)
    async def respond(*args: Any, **value: Any) -> Response:
        return as_response(await handler(*args, **value))

    respond.__annotations__ = {**handler.__annotations__, "return": Response}
    if contract.audited:
        return _named(contract, recorded(f"{contract.method} {contract.path}", handler, respond))
    return _named(contract, respond)


def _named(contract: Contract, endpoint: Callable[..., Any]) -> Callable[..., Any]:
    """Return an endpoint, by which its contract is known."""
    vars(endpoint)["contract"] = contract
    return endpoint


def _answers(handler: Callable[..., Any]) -> Iterator[type[Any]]:
    """Yield the types of JSON that a handler's return annotation names."""
    hint = get_type_hints(handler).get("return")
    for kind in get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,):
        if inspect.isclass(kind) and kind is not type(None) and not issubclass(kind, Response):
            yield kind


def _responses(contract: Contract) -> dict[int | str, dict[str, Any]]:
    """Return OpenAPI's description of what a route answers with."""
    content: dict[str, Any] = {
        kind: {} if kind == "application/json" else _BYTES for kind in contract.downloads
    }
    for kind in contract.answers:
        content["application/json"] = {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}
    if contract.stream:
        content[EVENT_STREAM] = {"schema": {"$ref": f"#/components/schemas/{contract.stream.name}"}}
    return {200: {"description": "OK", **({"content": content} if content else {})}}


def _body_extra(contract: Contract) -> dict[str, Any] | None:
    """Return OpenAPI's description of a body that is a file, or of an example."""
    if contract.uploads:
        content = dict.fromkeys(sorted(contract.uploads), _BYTES)
        return {"requestBody": {"required": True, "content": content}}
    if contract.example is not None:
        return {"requestBody": {"content": {"application/json": {"example": contract.example}}}}
    return None
