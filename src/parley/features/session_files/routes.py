"""Uploads and downloads of files of sessions."""

from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.disconnects import unless_gone
from parley.api.uploads import receive_file
from parley.features.session_files.schemas import ExportSessions, ImportedSessions
from parley.features.session_files.service import SessionFiles
from parley.features.session_files.writing import MEDIA_TYPES
from parley.features.vote_files.uploads import Uploads, cannot_write
from parley.kernel.caller import Caller, Scope
from parley.kernel.errors import TooLarge
from parley.kernel.parts import Parts

MAX_UPLOAD_BYTES = 256 << 20
TOO_LARGE = TooLarge(
    "body",
    f"The file is larger than {MAX_UPLOAD_BYTES >> 20} MB.",
    "Nothing was imported. A ChatGPT export is smaller without its pictures: import only its conversations.json.",
)

UPLOADS = ("application/octet-stream",)
DOWNLOADS = tuple(MEDIA_TYPES.values())


class ImportQuery(BaseModel):
    """The file's name in errors."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="The file", max_length=200, description="The file's name.")


async def export_response(app: Parts, caller: Caller, body: ExportSessions) -> Response:
    """Return sessions as one file. Raises NotFound."""
    name, content = await app[SessionFiles].export(caller, body)
    ascii_name = name.encode("ascii", "ignore").decode() or f"session.{name.rpartition('.')[2]}"
    headers = {"Content-Disposition": f'attachment; filename="{ascii_name}"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, media_type=MEDIA_TYPES[body.format])


async def import_response(
    request: Request, app: Parts, caller: Caller, query: ImportQuery
) -> ImportedSessions:
    """Save the upload, import it, delete it, and return what came of it. Raises Invalid, Conflict."""
    path = app[Uploads].new()
    try:
        await receive_file(request, path, MAX_UPLOAD_BYTES, TOO_LARGE)
        work = app[SessionFiles].import_file(caller, path, query.name)
        return await unless_gone(request, work)
    except OSError as error:
        raise cannot_write(error) from None
    finally:
        path.unlink(missing_ok=True)


routes = Routes("/api/sessions", tag="sessions", needs=Scope.TALK)


@routes.post(
    "/export",
    reads=True,
    downloads=DOWNLOADS,
    example={"ids": ["0123456789abcdef0123456789abcdef"], "format": "markdown"},
)
async def export_sessions(body: ExportSessions, app: App, caller: CallerDep) -> Response:
    """Export sessions as one file: Markdown, JSON with messages in the format of OpenAI's API, or a web page."""
    return await export_response(app, caller, body)


@routes.post("/import", uploads=UPLOADS, takes_minutes=True, errors=("import_running", "import_interrupted"))
async def import_sessions(
    request: Request, query: Annotated[ImportQuery, Query()], app: App, caller: CallerDep
) -> ImportedSessions:
    """Import conversations as chats: Parley's JSON, or an export of ChatGPT, Claude, LibreChat or Open WebUI.

    The body is the file, or the ZIP of ChatGPT or Claude. Conversations that were imported before are skipped.
    """
    return await import_response(request, app, caller, query)
