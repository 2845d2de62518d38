"""Uploads of vote files with their progress; data sets listed and removed."""

from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Annotated, Any

import msgspec
from fastapi import Query, Request, Response
from pydantic import Field
from starlette.responses import StreamingResponse

from parley.api.contract import EVENT_STREAM, Routes, Stream
from parley.api.deps import App, CallerDep
from parley.api.disconnects import unless_gone
from parley.api.uploads import receive_file
from parley.engine.feed import sse_frame
from parley.features.imports.loading import ImportOptions
from parley.features.imports.schemas import (
    ImportDone,
    ImportEvent,
    ImportFailed,
    ImportList,
    ImportReport,
    ImportView,
)
from parley.features.imports.service import Imports
from parley.features.vote_files.formats import Format
from parley.features.vote_files.routes import UPLOADS, FileQuery, format_of_body
from parley.features.vote_files.uploads import Uploads, cannot_write
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import Conflict, Invalid, ParleyError, TooLarge, Unavailable
from parley.kernel.parts import Parts

MAX_UPLOAD_BYTES = 2 << 30
TOO_LARGE = TooLarge(
    "body",
    f"The file is larger than {MAX_UPLOAD_BYTES >> 30} GiB.",
    "Nothing was imported. Use “parley votes import”, or split the file.",
)


class ImportQuery(FileQuery):
    """Options of an import. Its format is `format`, else that of `name`'s ending, else that of its type."""

    skip_bad: Annotated[
        bool,
        Field(
            description="Import valid rows and skip the rest. By default one invalid row stops the import."
        ),
    ] = False
    preview: Annotated[
        bool, Field(description="Check the file and show what is in it without importing it.")
    ] = False


async def import_response(
    request: Request, app: Parts, caller: Caller, query: ImportQuery
) -> ImportReport | Response:
    """Save the upload, import it and delete it; return its events or its report, depending on Accept."""
    kind = format_of_body(request, query)
    path = app[Uploads].new()
    try:
        await receive_file(request, path, MAX_UPLOAD_BYTES, TOO_LARGE)
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise cannot_write(error) from None
        raise
    events = _events(app, caller, path, kind, query)
    if EVENT_STREAM in request.headers.get("accept", ""):
        return StreamingResponse(
            _frames(events), headers={"Cache-Control": "no-store"}, media_type=EVENT_STREAM
        )
    return await unless_gone(request, _report(events))


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
    elif problem.code in ("import_running", "already_imported"):
        error = Conflict(problem.title, problem.detail, code=problem.code)
    else:
        error = Invalid("", problem.title, problem.detail, code=problem.code)
    error.result = event.report
    return error


async def _events(
    app: Parts, caller: Caller, path: Path, kind: Format, query: ImportQuery
) -> AsyncGenerator[Any]:
    options = ImportOptions(skip_bad=query.skip_bad, preview=query.preview)
    with ExitStack() as stack:
        stack.callback(path.unlink, missing_ok=True)
        async with aclosing(app[Imports].run(caller, path, kind, query.name, options)) as events:
            async for event in events:
                yield event


async def _frames(events: AsyncGenerator[Any]) -> AsyncGenerator[bytes]:
    async with aclosing(events):
        async for event in events:
            yield sse_frame(msgspec.json.encode(event))


IMPORT_EVENTS = Stream("ImportEvent", ImportEvent)

routes = Routes("/api/imports", tag="votes", needs=Scope.MANAGE)


@routes.get("")
async def list_imports(app: App, caller: CallerDep) -> ImportList:  # noqa: ARG001 - the scope says who may
    """List the data sets: files whose votes were imported, the newest first."""
    return await app[Imports].list()


@routes.post(
    "",
    stream=IMPORT_EVENTS,
    uploads=UPLOADS,
    errors=("bad_rows", "import_running", "import_interrupted", "already_imported"),
)
async def import_votes(
    request: Request, query: Annotated[ImportQuery, Query()], app: App, caller: CallerDep
) -> ImportReport | Response:
    """Import a file of votes, all or nothing, and stream its progress. The body is the file.

    With `preview` nothing is stored, and the report says what would be.
    """
    return await import_response(request, app, caller, query)


@routes.delete("/{import_id}")
async def remove_import(import_id: str, app: App, caller: CallerDep) -> ImportView:
    """Remove a data set with all its votes from the leaderboard."""
    return await app[Imports].remove(caller, import_id)
