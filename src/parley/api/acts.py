"""Recording of acts: a route that is audited leaves an entry once it has answered."""

import functools
import inspect
import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

from fastapi import Request, Response
from pydantic import BaseModel

from parley.api.deps import caller_of
from parley.kernel.acts import Act, Acts
from parley.kernel.errors import ParleyError
from parley.kernel.parts import Parts

log = logging.getLogger(__name__)

Respond = Callable[..., Awaitable[Response]]

_REQUEST = "audited_request"


def recorded(route: str, handler: Callable[..., Any], respond: Respond) -> Respond:
    """Return an endpoint that records what was done, after it was. `route` is its method and path."""
    signature = inspect.signature(handler)
    name = re.split(r"[.,;:]", inspect.getdoc(handler) or route)[0]

    # FastAPI gives the request to one parameter only.
    own = next((name for name, kind in get_type_hints(handler).items() if kind is Request), None)

    @functools.wraps(respond)
    async def respond_and_record(*args: Any, **values: Any) -> Response:
        request: Request = values[own] if own else values.pop(_REQUEST)
        app = cast("Parts", request.app.state.parts)
        # Afterwards the login may have ended, or the person may be gone.
        caller = await caller_of(request, app)
        response = await respond(*args, **values)
        about = {**request.path_params, **dict(_choices(values))}
        await record(app, Act(person_id=caller.author_id, name=name, route=route, about=about))
        return response

    if own is None:
        added = inspect.Parameter(_REQUEST, inspect.Parameter.KEYWORD_ONLY, annotation=Request)
        vars(respond_and_record)["__signature__"] = signature.replace(
            parameters=[*signature.parameters.values(), added]
        )
    return respond_and_record


async def record(app: Parts, act: Act) -> None:
    """Record an act. It is done already: that it can't be recorded is for the log, not for who did it."""
    try:
        await app[Acts].record(act)
    except ParleyError as error:
        log.error("An act is missing in the audit log, %s by %s: %s", act.route, act.person_id, error)


def _choices(values: Mapping[str, Any]) -> Iterator[tuple[str, str | int | float | bool]]:
    """Yield what was chosen in the body and the query: numbers, switches, and words of a fixed list; never texts."""
    for name, value in values.items():
        if isinstance(value, BaseModel):
            yield from (
                (field, _plain(getattr(value, field)))
                for field, info in type(value).model_fields.items()
                if field in value.model_fields_set and _is_choice(info.annotation, getattr(value, field))
            )
        elif isinstance(value, bool | int | float | Enum):
            yield name, _plain(value)


def _is_choice(annotation: Any, value: object) -> bool:
    if isinstance(value, bool | int | float | Enum):
        return True
    return isinstance(value, str) and any(
        get_origin(kind) is Literal for kind in (annotation, *get_args(annotation))
    )


def _plain(value: Any) -> str | int | float | bool:
    return value.value if isinstance(value, Enum) else value
