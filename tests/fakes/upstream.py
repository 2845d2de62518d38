"""A scripted model server on loopback: raw TCP, speaks the OpenAI dialect, and fails on command.

    async with ScriptedUpstream() as up:
        up.reply("Hello", " world", delay=0.01)
        ...                                     # point a provider at up.url
        assert up.requests[0].json["model"] == "m"
        assert up.open_connections == 0

Each call of `reply`, `fail`, `answer`, `stream` or `script` queues one script, for one model or for
all; scripts are used in order, and the last one stays. Without any, every model answers a fixed
sentence. Scripts can be queued from any thread; `start_in_thread` serves tests that have no loop.
"""

import asyncio
import socket
import ssl
import struct
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import msgspec


@dataclass(frozen=True)
class Pause:
    """Send nothing for this many seconds."""

    seconds: float


@dataclass(frozen=True)
class Hold:
    """Send nothing until `up.release()`."""


@dataclass(frozen=True)
class Reset:
    """Break the connection with a TCP reset."""


@dataclass(frozen=True)
class HangUp:
    """Close the connection in the middle of the body."""


@dataclass(frozen=True)
class Hang:
    """Never send anything again."""


Step = bytes | Pause | Hold | Reset | HangUp | Hang
EVENT_STREAM = {"Content-Type": "text/event-stream"}


@dataclass(frozen=True)
class Script:
    """One response. `before` happens ahead of the head; `framed` uses chunked encoding and ends it properly.

    `packet`: cut the body into packets of so many bytes.
    """

    steps: tuple[Step, ...]
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: dict(EVENT_STREAM))
    before: tuple[Step, ...] = ()
    framed: bool = True
    packet: int | None = None


@dataclass(frozen=True)
class Request:
    """A received request; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)

    @property
    def streams(self) -> bool:
        """True if it asks for a stream, or can't be read."""
        try:
            return bool(self.json.get("stream"))
        except (ValueError, AttributeError):
            return True

    @property
    def model(self) -> str | None:
        try:
            return self.json.get("model")
        except (ValueError, AttributeError):
            return None


def in_one_piece(script: Script) -> Script:
    """Return a script's answer as the one document that a request without `stream` gets."""
    if script.headers.get("Content-Type") != "text/event-stream":
        return script
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    whole: dict[str, Any] = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m"}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": None}
    for line in b"".join(step for step in script.steps if isinstance(step, bytes)).split(b"\n"):
        if not line.startswith(b"data: {"):
            continue
        chunk = msgspec.json.decode(line[6:])
        if "choices" not in chunk:
            return _document(script, chunk)
        whole.update({name: chunk[name] for name in ("usage",) if chunk.get(name)})
        for each in chunk["choices"]:
            for name, value in each["delta"].items():
                message[name] = message.get(name, "") + value if isinstance(value, str) else value
            choice["finish_reason"] = each.get("finish_reason") or choice["finish_reason"]
    return _document(script, {**whole, "choices": [choice]})


def _document(script: Script, body: Any) -> Script:
    raw = msgspec.json.encode(body)
    others = tuple(step for step in script.steps if not isinstance(step, bytes))
    cut = any(isinstance(step, Reset | HangUp | Hang) for step in others)
    steps: tuple[Step, ...] = (raw[: len(raw) // 2], *others) if cut else (*others, raw)
    return Script(steps, script.status, {"Content-Type": "application/json"}, script.before)


class ScriptedUpstream:
    """The server; an async context manager. `url` is the base URL for a provider, `origin` the bare one."""

    def __init__(self, *, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self.host, self.port = host, port
        self._tls = tls
        self.requests: list[Request] = []
        self.total_connections = 0
        self.aborted = 0
        """Responses whose client left before their end."""
        self.streaming = 0
        """Answers that are being sent now."""
        self.most_streaming = 0
        self._scripts: defaultdict[str | None, deque[Script]] = defaultdict(deque)
        self._rule: Callable[[Request], str] | None = None
        self._models: tuple[str, ...] = ("scripted-model",)
        self._models_script: Script | None = None
        self._released = threading.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._thread: threading.Thread | None = None
        self._stopping: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    # ── where it is ──────────────────────────────────────────────────────────────────────────────

    @property
    def origin(self) -> str:
        return f"{'https' if self._tls else 'http'}://{self.host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    @property
    def open_connections(self) -> int:
        """Sockets that are open now, idle ones too."""
        return len(self._tasks)

    @property
    def chats(self) -> list[Request]:
        """The requests for an answer."""
        return [request for request in self.requests if request.path.startswith("/v1/chat/completions")]

    async def wait_until_idle(self, within: float = 2.0) -> None:
        """Wait until no answer is being sent."""
        await self._wait(lambda: self.streaming == 0, within, "answers are still being sent")

    async def wait_until_closed(self, within: float = 2.0) -> None:
        """Wait until every socket is closed."""
        await self._wait(lambda: not self._tasks, within, "sockets are still open")

    async def wait_for_requests(self, count: int, within: float = 40.0) -> None:
        """Wait until this many requests have arrived."""
        await self._wait(lambda: len(self.requests) >= count, within, f"fewer than {count} requests")

    # ── what it says ─────────────────────────────────────────────────────────────────────────────

    def reply(
        self,
        *pieces: str,
        delay: float = 0.0,
        first_delay: float = 0.0,
        reasoning: Iterable[str] = (),
        finish: str | None = "stop",
        usage: dict[str, Any] | bool = True,
        done: bool = True,
        model: str | None = None,
        times: int = 1,
        hold_after: int | None = None,
        packet: int | None = None,
    ) -> Self:
        """Stream text pieces, `delay` seconds apart; `hold_after` waits for `release()` after so many."""
        steps: list[Step] = [Pause(first_delay)] if first_delay else []
        thoughts = list(reasoning)
        steps += [event(delta(reasoning_content=thought)) for thought in thoughts]
        for number, piece in enumerate(pieces):
            if delay and number:
                steps.append(Pause(delay))
            if hold_after == number:
                steps.append(Hold())
            steps.append(event(delta(content=piece)))
        if hold_after is not None and hold_after >= len(pieces):
            steps.append(Hold())
        if finish is not None:
            steps.append(event(delta(finish=finish)))
        if usage:
            count = len(pieces) + len(thoughts)
            counted = {"prompt_tokens": 7, "completion_tokens": count, "total_tokens": 7 + count}
            steps.append(event({**delta(), "choices": [], "usage": counted if usage is True else usage}))
        if done:
            steps.append(event("[DONE]"))
        return self.script(Script(tuple(steps), packet=packet), model=model, times=times)

    def stream(
        self,
        *parts: str | dict[str, Any] | Step,
        model: str | None = None,
        times: int = 1,
        packet: int | None = None,
    ) -> Self:
        """Stream events: texts and dicts become `data:` events, bytes and steps go out as they are."""
        steps = tuple(event(part) if isinstance(part, str | dict) else part for part in parts)
        return self.script(Script(steps, packet=packet), model=model, times=times)

    def answer(
        self,
        body: dict[str, Any] | list[Any] | str | bytes,
        *,
        status: int = 200,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
        model: str | None = None,
        times: int = 1,
    ) -> Self:
        """Send one whole body."""
        raw = (
            body
            if isinstance(body, bytes)
            else body.encode()
            if isinstance(body, str)
            else msgspec.json.encode(body)
        )
        script = Script((raw,), status, {"Content-Type": content_type, **(headers or {})})
        return self.script(script, model=model, times=times)

    def fail(
        self,
        status: int,
        message: str | dict[str, Any] = "scripted failure",
        *,
        retry_after: str | None = None,
        model: str | None = None,
        times: int = 1,
    ) -> Self:
        """Refuse with a status and an error body."""
        body = message if isinstance(message, dict) else {"error": {"message": message}}
        headers = {} if retry_after is None else {"Retry-After": retry_after}
        return self.answer(body, status=status, headers=headers, model=model, times=times)

    def script(self, script: Script, *, model: str | None = None, times: int = 1) -> Self:
        """Queue a script of your own."""
        self._scripts[model].extend([script] * times)
        return self

    def answers_by(self, rule: Callable[[Request], str]) -> Self:
        """Answer every chat without a script with the text that a rule gives."""
        self._rule = rule
        return self

    def drop(self, model: str) -> None:
        """Drop what is queued for a model."""
        self._scripts.pop(model, None)

    def lists(self, *models: str) -> Self:
        """Say which models `GET /v1/models` names."""
        self._models = models
        return self

    def lists_with(self, script: Script) -> Self:
        """Answer `GET /v1/models` with a script."""
        self._models_script = script
        return self

    def release(self) -> None:
        """Let every script on hold continue."""
        self._released.set()

    def forget(self) -> None:
        """Drop queued scripts and recorded requests."""
        self._scripts.clear()
        self.requests.clear()
        self._released.clear()

    # ── its life ─────────────────────────────────────────────────────────────────────────────────

    async def start(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._server = await asyncio.start_server(
            self._accept, self.host, self.port, limit=1 << 22, backlog=2048, ssl=self._tls
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def stop(self) -> None:
        if self._server is None:
            return
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @classmethod
    def start_in_thread(cls, **options: Any) -> Self:
        """Serve in a separate thread, until `stop_thread`."""
        upstream = cls(**options)
        ready = threading.Event()

        async def serve() -> None:
            upstream._stopping = asyncio.Event()
            async with upstream:
                ready.set()
                await upstream._stopping.wait()

        upstream._thread = threading.Thread(
            target=lambda: asyncio.run(serve()), name="scripted-upstream", daemon=True
        )
        upstream._thread.start()
        if not ready.wait(10):
            raise RuntimeError("the scripted upstream did not start")
        return upstream

    def stop_thread(self) -> None:
        """Stop the server that `start_in_thread` started."""
        if self._thread is not None and self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join(10)
            self._thread = None

    # ── inside ───────────────────────────────────────────────────────────────────────────────────

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.total_connections += 1
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            ahead = b""
            while (ahead := await self._serve_one(ahead, reader, writer)) is not None:
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.transport.abort()

    async def _serve_one(
        self, ahead: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bytes | None:
        """Serve a request; return the bytes already read of the next one, or None if the connection ends."""
        request = await _read_request(ahead, reader)
        self.requests.append(request)
        script = self._script_for(request)
        if request.path.endswith("/chat/completions") and not request.streams:
            script = in_one_piece(script)
        self.streaming += 1
        self.most_streaming = max(self.most_streaming, self.streaming)
        play = asyncio.ensure_future(self._play(script, writer))
        gone = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait((play, gone), return_when=asyncio.FIRST_COMPLETED)
            if not play.done() and gone.result() == b"":
                self.aborted += 1
                return None
            keeps = await play
            return (gone.result() if gone.done() else b"") if keeps else None
        finally:
            self.streaming -= 1
            for task in (play, gone):
                task.cancel()
            await asyncio.gather(play, gone, return_exceptions=True)

    def _script_for(self, request: Request) -> Script:
        if request.path.startswith("/v1/models"):
            listing = {"object": "list", "data": [{"id": name, "object": "model"} for name in self._models]}
            whole = Script((msgspec.json.encode(listing),), headers={"Content-Type": "application/json"})
            return self._models_script or whole
        for key in (request.model, None):
            if queue := self._scripts.get(key):
                return queue.popleft() if len(queue) > 1 else queue[0]
        text = "A scripted answer." if self._rule is None else self._rule(request)
        usage = {"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}
        counted = () if self._rule is None else (event({**delta(), "choices": [], "usage": usage}),)
        return Script((event(delta(content=text)), event(delta(finish="stop")), *counted, event("[DONE]")))

    async def _play(self, script: Script, writer: asyncio.StreamWriter) -> bool:
        """Send a response; return whether the connection may serve another request."""
        for step in script.before:
            if not await self._take(step, writer, framed=False):
                return False
        framing = {"Transfer-Encoding": "chunked"} if script.framed else {"Connection": "close"}
        head = "".join(f"{name}: {value}\r\n" for name, value in {**script.headers, **framing}.items())
        writer.write(f"HTTP/1.1 {script.status} Scripted\r\n{head}\r\n".encode())
        await writer.drain()
        for step in _cut(script.steps, script.packet):
            if not await self._take(step, writer, framed=script.framed):
                return False
        if script.framed:
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        else:
            writer.close()
        return script.framed

    async def _take(self, step: Step, writer: asyncio.StreamWriter, *, framed: bool) -> bool:
        if isinstance(step, bytes):
            if not step:
                return True  # an empty chunk would end the body
            writer.write(b"%x\r\n%b\r\n" % (len(step), step) if framed else step)
            await writer.drain()
        elif isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
        elif isinstance(step, Hold):
            while not self._released.is_set():  # noqa: ASYNC110 - released from any thread
                await asyncio.sleep(0.002)
        elif isinstance(step, Hang):
            await asyncio.Event().wait()
        elif isinstance(step, Reset):
            sock = writer.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return False
        else:
            writer.close()
            return False
        return True

    async def _wait(self, holds: Any, within: float, otherwise: str) -> None:
        deadline = time.monotonic() + within
        while not holds():
            if time.monotonic() > deadline:
                raise AssertionError(otherwise)
            await asyncio.sleep(0.005)


def event(payload: str | dict[str, Any]) -> bytes:
    """One server-sent event."""
    data = payload.encode() if isinstance(payload, str) else msgspec.json.encode(payload)
    return b"data: %b\n\n" % data


def delta(
    content: str | None = None, *, finish: str | None = None, index: int = 0, **fields: Any
) -> dict[str, Any]:
    """A chunk as servers send it; further fields go into the delta."""
    said = {key: value for key, value in {"content": content, **fields}.items() if value is not None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": index, "delta": said, "logprobs": None, "finish_reason": finish}],
    }


def _cut(steps: Iterable[Step], packet: int | None) -> Iterable[Step]:
    if packet is None:
        yield from steps
        return
    for step in steps:
        if isinstance(step, bytes):
            yield from (step[start : start + packet] for start in range(0, len(step), packet))
        else:
            yield step


async def _read_request(ahead: bytes, reader: asyncio.StreamReader) -> Request:
    head = ahead + await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body, time.monotonic())
