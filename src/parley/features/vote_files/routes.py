"""Uploads and downloads of vote files, streamed in both directions."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse

from parley.api.contract import EVENT_STREAM, Routes, Stream
from parley.api.deps import App, CallerDep
from parley.api.uploads import receive_file
from parley.engine.feed import sse_frame
from parley.features.vote_files.exports import ExportOptions, VoteExports
from parley.features.vote_files.formats import ENDINGS, Format, arrow
from parley.features.vote_files.imports import ImportOptions, VoteImports, cannot_write
from parley.features.vote_files.schemas import ImportDone, ImportEvent, ImportFailed, ImportReport
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import Conflict, Invalid, ParleyError, TooLarge, Unavailable
from parley.kernel.parts import Parts

T = TypeVar("T")

MAX_UPLOAD_BYTES = 2 << 30
TOO_LARGE = TooLarge(
    "body",
    f"The file is larger than {MAX_UPLOAD_BYTES >> 30} GiB.",
    "Nothing was imported. Use “parley votes import”, or split the file.",
)

TYPES: dict[Format, str] = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
}
_FORMATS: dict[str, Format] = {**{kind: name for name, kind in TYPES.items()}, "application/jsonl": "jsonl"}
UPLOADS = (*_FORMATS, "application/octet-stream")
DOWNLOADS = tuple(TYPES.values())


class ExportQuery(BaseModel):
    """Which votes to export, and how."""

    model_config = ConfigDict(extra="forbid")

    format: Annotated[
        Format,
        Field(
            description="The file's format. An import detects it from `name` or the Content-Type if it is left out."
        ),
    ] = "jsonl"
    texts: Annotated[bool, Field(description="Include prompts and answers.")] = False
    include_uncounted: Annotated[
        bool,
        Field(description="Include votes that are saved but not counted."),
    ] = True


class FileQuery(BaseModel):
    """What the body is."""

    model_config = ConfigDict(extra="forbid")

    format: Annotated[
        Format | None,
        Field(
            description="The file's format. An import detects it from `name` or the Content-Type if it is left out."
        ),
    ] = None
    name: Annotated[str, Field(description="The file's name.")] = "the file"


class ImportQuery(FileQuery):
    """How to import a file. Its format is `format`, else that of `name`'s ending, else that of its type."""

    skip_bad: Annotated[
        bool,
        Field(
            description="Import valid rows and skip the rest. By default one invalid row stops the import."
        ),
    ] = False
    dry_run: Annotated[bool, Field(description="Check the file without importing it.")] = False


async def export_response(app: Parts, caller: Caller, asked: ExportQuery) -> Response:
    """Return the export as a stream. Raises Invalid for Parquet without pyarrow.

    `X-Parley-Left-Out` is the number of votes that are left out because they do not have two sides.
    """
    if asked.format == "parquet":
        arrow()
    options = ExportOptions(kind=asked.format, texts=asked.texts, include_uncounted=asked.include_uncounted)
    headers = {
        "Content-Disposition": f'attachment; filename="parley-votes.{asked.format}"',
        "Cache-Control": "no-store",
        "X-Parley-Left-Out": str((await app[VoteExports].count(options)).left_out),
    }
    return StreamingResponse(
        app[VoteExports].write(caller, options), headers=headers, media_type=TYPES[asked.format]
    )


async def import_response(
    request: Request, app: Parts, caller: Caller, asked: ImportQuery
) -> ImportReport | Response:
    """Save the upload, import it and delete it; return its events or its report, depending on Accept."""
    kind = format_asked(request, asked)
    path = app[VoteImports].new_upload()
    try:
        await receive_file(request, path, MAX_UPLOAD_BYTES, TOO_LARGE)
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise cannot_write(error) from None
        raise
    events = _events(app, caller, path, kind, asked)
    if EVENT_STREAM in request.headers.get("accept", ""):
        return StreamingResponse(
            _frames(events), headers={"Cache-Control": "no-store"}, media_type=EVENT_STREAM
        )
    return await _unless_disconnected(request, _report(events))


async def _report(events: AsyncGenerator[Any]) -> ImportReport:
    async with aclosing(events):
        async for event in events:
            if isinstance(event, ImportDone):
                return event.report
            if isinstance(event, ImportFailed):
                raise _refusal(event)
    raise RuntimeError("the import ended without a result")


def _refusal(event: ImportFailed) -> ParleyError:
    """Return why nothing was imported as the error of its kind."""
    problem, later = event.error, ("import_interrupted", "database_busy", "disk_full", "disk_unusable")
    error: ParleyError
    if problem.code in later:
        error = Unavailable(problem.title, problem.detail, code=problem.code)
    elif problem.code == "import_running":
        error = Conflict(problem.title, problem.detail, code=problem.code)
    else:
        error = Invalid("", problem.title, problem.detail, code=problem.code)
    error.result = event.report
    return error


async def _unless_disconnected(request: Request, answer: Coroutine[Any, Any, T]) -> T:
    """Return the response; if the client disconnects first, cancel it and raise ClientDisconnect."""

    async def disconnected() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    work, leaving = asyncio.create_task(answer), asyncio.create_task(disconnected())
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


def format_asked(request: Request, asked: FileQuery) -> Format:
    """Return the format of the body. Raises Invalid where nothing tells it."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    found = asked.format or ENDINGS.get(Path(asked.name).suffix.lower()) or _FORMATS.get(kind)
    if found is None:
        raise Invalid(
            "format", "format: Parley can't tell it from the file.", "Set it to jsonl, csv or parquet."
        )
    return found


async def _events(
    app: Parts, caller: Caller, path: Path, kind: Format, asked: ImportQuery
) -> AsyncGenerator[Any]:
    options = ImportOptions(skip_bad=asked.skip_bad, dry_run=asked.dry_run)
    with ExitStack() as stack:
        stack.callback(path.unlink, missing_ok=True)
        async with aclosing(app[VoteImports].run(caller, path, kind, asked.name, options)) as events:
            async for event in events:
                yield event


async def _frames(events: AsyncGenerator[Any]) -> AsyncGenerator[bytes]:
    async with aclosing(events):
        async for event in events:
            yield sse_frame(msgspec.json.encode(event))


IMPORT_EVENTS = Stream("ImportEvent", ImportEvent)

routes = Routes("/api", tag="votes", needs=Scope.MANAGE)


@routes.get("/votes/export", downloads=DOWNLOADS)
async def export_votes(asked: Annotated[ExportQuery, Query()], app: App, caller: CallerDep) -> Response:
    """Export all votes of the installation as a file with LMArena's columns."""
    return await export_response(app, caller, asked)


@routes.post(
    "/votes/import",
    stream=IMPORT_EVENTS,
    uploads=UPLOADS,
    errors=("bad_rows", "import_running", "import_interrupted"),
)
async def import_votes(
    request: Request, asked: Annotated[ImportQuery, Query()], app: App, caller: CallerDep
) -> ImportReport | Response:
    """Import a file of votes, all or nothing, and stream its progress. The body is the file."""
    return await import_response(request, app, caller, asked)
