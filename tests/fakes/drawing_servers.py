"""Scripted servers that draw, in the protocols of Stable Diffusion WebUI, ComfyUI and OpenAI, with faults."""

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable
from io import BytesIO
from types import TracebackType
from typing import Any, Self, cast

import msgspec
import wsproto
import wsproto.events
from PIL import Image, PngImagePlugin


def png(side: int = 16, colour: str = "red", note: str = "") -> bytes:
    """Return a picture; a `note` is in its metadata, where servers put the prompt and the model."""
    info, written = PngImagePlugin.PngInfo(), BytesIO()
    if note:
        info.add_text("parameters", note)
    Image.new("RGB", (side, side // 2), colour).save(written, "PNG", pnginfo=info)
    return written.getvalue()


class DrawingServer:
    """A server that takes one request after the other. `asked` has the paths of all; `bodies` those of posts.

    If it `talks`, it sends what is `outgoing` to whoever asks for a WebSocket.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.bodies: list[tuple[str, Any]] = []
        self.routes: dict[str, Callable[[str, Any], Awaitable[tuple[int, bytes, str]]]] = {}
        self.url = ""
        self.talks = False
        self.outgoing: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._writers: set[asyncio.StreamWriter] = set()
        self._acts: dict[tuple[str, int], Callable[[], object]] = {}

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)

    def at(self, path: str, number: int, act: Callable[[], object]) -> None:
        """Do something when a path is asked for the n-th time, before it is answered."""
        self._acts[path, number] = act

    def posts(self, path: str) -> list[Any]:
        """The bodies that were posted to a path."""
        return [body for asked, body in self.bodies if asked == path]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            line, *fields = head.split("\r\n")
            lengths = [
                field.partition(":")[2] for field in fields if field.lower().startswith("content-length")
            ]
            body = await reader.readexactly(int(lengths[0])) if lengths else b""
            path = line.split(" ")[1]
            self.asked.append(path)
            place = path.partition("?")[0]
            times = sum(asked.partition("?")[0] == place for asked in self.asked)
            self._acts.get((place, times), bool)()
            if self.talks and "upgrade: websocket" in "\r\n".join(fields).lower():
                await self._talk(path, head.encode(), reader, writer)
                return
            sent = msgspec.json.decode(body) if body else None
            if body:
                self.bodies.append((path, sent))
            handler = next((it for start, it in self.routes.items() if path.startswith(start)), None)
            status, content, media_type = (
                await handler(path, sent) if handler else (404, b"{}", "application/json")
            )
            writer.write(
                f"HTTP/1.1 {status} OK\r\nContent-Type: {media_type}\r\nContent-Length: {len(content)}\r\n"
                "Connection: close\r\n\r\n".encode()
                + content
            )
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _talk(
        self, path: str, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Send what is `outgoing` over a WebSocket; None ends it."""
        socket = wsproto.WSConnection(wsproto.ConnectionType.SERVER)
        socket.receive_data(head)
        (request,) = socket.events()
        assert isinstance(request, wsproto.events.Request)
        assert request.target == path
        writer.write(socket.send(wsproto.events.AcceptConnection()))
        while (message := await self.outgoing.get()) is not None:
            kind = wsproto.events.TextMessage if isinstance(message, str) else wsproto.events.BytesMessage
            writer.write(socket.send(kind(data=cast("Any", message))))
            await writer.drain()
        writer.write(socket.send(wsproto.events.CloseConnection(1000)))
        await writer.drain()
        await reader.read()


def in_json(value: object, status: int = 200) -> tuple[int, bytes, str]:
    """Return an answer in JSON."""
    return status, msgspec.json.encode(value), "application/json"


class A1111(DrawingServer):
    """Stable Diffusion WebUI. `finish` lets the picture be done."""

    def __init__(self) -> None:
        super().__init__()
        self.finish = asyncio.Event()
        self.pictures = [png()]
        self.drawing = self.most_drawing = 0
        self.refusal: tuple[int, bytes, str] | None = None
        self.routes = {
            "/sdapi/v1/txt2img": self._draw,
            "/sdapi/v1/progress": self._progress,
            "/sdapi/v1/interrupt": self._interrupt,
            "/sdapi/v1/sd-models": self._models,
        }

    async def _draw(self, _path: str, body: Any) -> tuple[int, bytes, str]:
        if self.refusal is not None:
            return self.refusal
        self.drawing += 1
        self.most_drawing = max(self.most_drawing, self.drawing)
        try:
            await self.finish.wait()
        finally:
            self.drawing -= 1
        seeds = [body.get("seed", 0) + number for number in range(len(self.pictures))]
        info = msgspec.json.encode({"all_seeds": seeds, "infotexts": ["a fox, Seed: 1"]}).decode()
        return in_json({"images": [b64encode(each).decode() for each in self.pictures], "info": info})

    async def _progress(self, _path: str, _body: Any) -> tuple[int, bytes, str]:
        return in_json(
            {"progress": 0.4, "eta_relative": 6.2, "state": {"sampling_step": 8, "sampling_steps": 20}}
        )

    async def _interrupt(self, _path: str, _body: Any) -> tuple[int, bytes, str]:
        self.finish.set()
        return in_json({})

    async def _models(self, _path: str, _body: Any) -> tuple[int, bytes, str]:
        return in_json([{"title": "dream.safetensors [abc]", "model_name": "dream"}])


class ComfyUI(DrawingServer):
    """ComfyUI. Jobs wait in `pending`; the first one is running. `finish_all` draws them."""

    def __init__(self) -> None:
        super().__init__()
        self.pending: list[str] = []
        self.history: dict[str, Any] = {}
        self.routes = {
            "/prompt": self._prompt,
            "/history": self._history,
            "/queue": self._queue,
            "/interrupt": self._ok,
            "/view": self._view,
            "/system_stats": self._stats,
            "/object_info": self._info,
        }

    def finish_all(self, *, why: str | None = None) -> None:
        """Draw every picture, or fail with these words."""
        for job in self.pending:
            images = [{"filename": f"{job}.png", "subfolder": "", "type": "output"}]
            status: dict[str, Any] = {"status_str": "success", "completed": True, "messages": []}
            if why:
                status = {"messages": [["execution_error", {"exception_message": why}]]}
            self.history[job] = {"outputs": {} if why else {"9": {"images": images}}, "status": status}
        self.pending.clear()

    def tell(self, kind: str, **data: object) -> None:
        """Tell an event of the job that is running."""
        self.outgoing.put_nowait(
            msgspec.json.encode({"type": kind, "data": {"prompt_id": self.pending[0], **data}}).decode()
        )

    async def _prompt(self, _path: str, body: Any) -> tuple[int, bytes, str]:
        self.pending.append(body["prompt_id"])
        return in_json({"prompt_id": body["prompt_id"], "number": len(self.pending), "node_errors": {}})

    async def _history(self, path: str, _body: Any) -> tuple[int, bytes, str]:
        job = path.rpartition("/")[2]
        return in_json({job: self.history[job]} if job in self.history else {})

    async def _queue(self, _path: str, body: Any) -> tuple[int, bytes, str]:
        if body:
            self.pending = [job for job in self.pending if job not in body["delete"]]
        entries = [[number, job, {}, {}, ["9"]] for number, job in enumerate(self.pending)]
        return in_json({"queue_running": entries[:1], "queue_pending": entries[1:]})

    async def _ok(self, _path: str, _body: Any) -> tuple[int, bytes, str]:
        return in_json({})

    async def _view(self, _path: str, _body: Any) -> tuple[int, bytes, str]:
        return 200, png(note="prompt and model"), "image/png"

    async def _stats(self, _path: str, _body: Any) -> tuple[int, bytes, str]:
        return in_json({"system": {"comfyui_version": "0.3.60", "python_version": "3.12"}, "devices": []})

    async def _info(self, _path: str, _body: Any) -> tuple[int, bytes, str]:
        names = [["dream.safetensors", "flux.safetensors"], {}]
        return in_json({"CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": names}}}})
