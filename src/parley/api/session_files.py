"""Uploads and downloads of files of sessions."""

from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict, Field

from parley.api.uploads import receive_file
from parley.kernel.caller import Caller
from parley.kernel.errors import TooLarge
from parley.wiring import Application
from parley.workspace.session_files.schemas import ExportSessions, ImportedSessions
from parley.workspace.session_files.writing import MEDIA_TYPES
from parley.workspace.vote_files.imports import cannot_write

MAX_UPLOAD_BYTES = 256 << 20
TOO_LARGE = TooLarge(
    "body",
    f"The file is larger than {MAX_UPLOAD_BYTES >> 20} MB.",
    "Nothing was imported. A ChatGPT export is smaller without its pictures: import only its conversations.json.",
)

UPLOADS = ("application/octet-stream",)
DOWNLOADS = tuple(MEDIA_TYPES.values())


class ImportQuery(BaseModel):
    """What errors call the file."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="The file", max_length=200, description="The file's name.")


async def export_response(app: Application, caller: Caller, asked: ExportSessions) -> Response:
    """Return sessions as one file. Raises NotFound."""
    name, content = await app.session_files.export(caller, asked)
    ascii_name = name.encode("ascii", "ignore").decode() or f"session.{name.rpartition('.')[2]}"
    headers = {"Content-Disposition": f'attachment; filename="{ascii_name}"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, media_type=MEDIA_TYPES[asked.format])


async def import_response(
    request: Request, app: Application, caller: Caller, asked: ImportQuery
) -> ImportedSessions:
    """Save the upload, import it, delete it, and return what came of it. Raises Invalid, Conflict."""
    path = app.imports.new_upload()
    try:
        await receive_file(request, path, MAX_UPLOAD_BYTES, TOO_LARGE)
        return await app.session_files.import_file(caller, path, asked.name)
    except OSError as error:
        raise cannot_write(error) from None
    finally:
        path.unlink(missing_ok=True)
