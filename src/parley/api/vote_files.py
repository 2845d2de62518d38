"""Votes as files over HTTP: an upload that is read while it comes, a download that is written while it goes."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from pathlib import Path
from typing import Any

import msgspec
from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse

from parley.api.answers import EVENT_STREAM, as_json
from parley.engine.feed import sse_frame
from parley.kernel.caller import Caller
from parley.kernel.errors import Conflict, Invalid
from parley.wiring import House
from parley.workspace.vote_files.exports import ExportOptions
from parley.workspace.vote_files.formats import ENDINGS, Format, arrow
from parley.workspace.vote_files.imports import ImportOptions, cannot_write
from parley.workspace.vote_files.schemas import ImportDone, ImportFailed

MAX_UPLOAD_BYTES = 2 << 30
WRITE_BYTES = 1 << 20

TYPES: dict[Format, str] = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
}
_FORMATS: dict[str, Format] = {**{kind: name for name, kind in TYPES.items()}, "application/jsonl": "jsonl"}
_FILE: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": dict.fromkeys((*_FORMATS, "application/octet-stream"), _FILE),
    }
}
"""OpenAPI's description of the upload."""


class ExportQuery(BaseModel):
    """Which votes are written, and how."""

    model_config = ConfigDict(extra="forbid")

    format: Format = "jsonl"
    texts: bool = False
    include_uncounted: bool = True


class ImportQuery(BaseModel):
    """How a file is taken in. Its format is `format`, else that of `name`'s ending, else that of its type."""

    model_config = ConfigDict(extra="forbid")

    format: Format | None = None
    name: str = "the file"
    skip_bad: bool = False
    dry_run: bool = False


def as_file() -> dict[int | str, Any]:
    """Return OpenAPI's description of the download."""
    return {200: {"description": "OK", "content": dict.fromkeys(TYPES.values(), _FILE)}}


async def export_response(house: House, caller: Caller, asked: ExportQuery) -> Response:
    """Return a file that is written while it is sent. Raises Invalid for Parquet without pyarrow.

    `X-Parley-Left-Out` tells how many votes have no two sides and so are not in it.
    """
    if asked.format == "parquet":
        arrow()
    options = ExportOptions(kind=asked.format, texts=asked.texts, include_uncounted=asked.include_uncounted)
    headers = {
        "Content-Disposition": f'attachment; filename="parley-votes.{asked.format}"',
        "Cache-Control": "no-store",
        "X-Parley-Left-Out": str((await house.exports.count(options)).left_out),
    }
    return StreamingResponse(
        house.exports.write(caller, options), headers=headers, media_type=TYPES[asked.format]
    )


async def import_response(request: Request, house: House, caller: Caller, asked: ImportQuery) -> Response:
    """Keep the upload in the data folder, take it in, and remove it; streams its events where asked to."""
    kind = _format(request, asked)
    path = house.imports.new_upload()
    try:
        await _receive(request, path)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise cannot_write(error) from None
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    events = _events(house, caller, path, kind, asked)
    if EVENT_STREAM in request.headers.get("accept", ""):
        return StreamingResponse(
            _frames(events), headers={"Cache-Control": "no-store"}, media_type=EVENT_STREAM
        )
    return await _unless_left(request, _whole(events))


async def _whole(events: AsyncGenerator[Any]) -> Response:
    async with aclosing(events):
        async for event in events:
            if isinstance(event, ImportDone):
                return as_json(event.report)
            if isinstance(event, ImportFailed):
                problem = event.error
                raise Conflict(problem.title, problem.detail, code=problem.code, result=event.report)
    raise RuntimeError("an import that has no end")


async def _unless_left(request: Request, answer: Coroutine[Any, Any, Response]) -> Response:
    """Return the answer; where the client leaves before, cancel it and raise ClientDisconnect."""

    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    work, leaving = asyncio.create_task(answer), asyncio.create_task(left())
    try:
        await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise ClientDisconnect
        return work.result()
    finally:
        leaving.cancel()
        if not work.done():
            work.cancel()
            await asyncio.wait((work,))


def _format(request: Request, asked: ImportQuery) -> Format:
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    found = asked.format or ENDINGS.get(Path(asked.name).suffix.lower()) or _FORMATS.get(kind)
    if found is None:
        raise Invalid("format", "format: not known for this file.", "Give jsonl, csv or parquet.")
    return found


async def _receive(request: Request, path: Path) -> None:
    """Write the body to a file. Raises Invalid once it is too large, and ClientDisconnect."""
    size, waiting = 0, bytearray()
    with path.open("wb") as file:
        async for part in request.stream():
            size += len(part)
            if size > MAX_UPLOAD_BYTES:
                raise Invalid(
                    "body",
                    f"The file is larger than {MAX_UPLOAD_BYTES >> 30} GiB.",
                    "Take it in with “parley votes import”, or in parts.",
                    code="body_too_large",
                )
            waiting += part
            if len(waiting) >= WRITE_BYTES:
                await asyncio.to_thread(file.write, bytes(waiting))
                waiting.clear()
        file.write(waiting)


async def _events(
    house: House, caller: Caller, path: Path, kind: Format, asked: ImportQuery
) -> AsyncGenerator[Any]:
    options = ImportOptions(skip_bad=asked.skip_bad, dry_run=asked.dry_run)
    try:
        async with aclosing(house.imports.run(caller, path, kind, asked.name, options)) as events:
            async for event in events:
                yield event
    finally:
        _remove(path)


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)


async def _frames(events: AsyncGenerator[Any]) -> AsyncGenerator[bytes]:
    async with aclosing(events):
        async for event in events:
            yield sse_frame(msgspec.json.encode(event))
