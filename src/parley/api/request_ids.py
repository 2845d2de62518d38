"""Ids of requests: each answer has one, and each line of the log that its request writes."""

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parley.api.logs import REQUEST_ID
from parley.kernel.ids import random_id

HEADER = "x-request-id"
_USABLE = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestIds:
    """ASGI middleware that takes a proxy's id of a request, or gives it one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sent = Headers(scope=scope).get(HEADER, "")
        request_id = sent if _USABLE.fullmatch(sent) else random_id()

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=list(message["headers"]))
                headers.setdefault(HEADER, request_id)
                message = {**message, "headers": headers.raw}
            await send(message)

        token = REQUEST_ID.set(request_id)
        try:
            await self._app(scope, receive, send_with_id)
        finally:
            REQUEST_ID.reset(token)
