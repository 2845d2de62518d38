"""Routes of attachments: pictures and files that come with questions."""

import asyncio
import shutil
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import FileResponse

from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep
from parley.api.uploads import receive_file
from parley.kernel.errors import Invalid
from parley.storage.disk_space import unusable
from parley.workspace.arena.schemas import storable
from parley.workspace.attachments.service import Served

router = APIRouter(prefix="/api/attachments", tags=["attachments"])

_BYTES: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_UPLOAD = {"requestBody": {"required": True, "content": {"application/octet-stream": _BYTES}}}
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"description": "OK", "content": {"application/octet-stream": _BYTES, "image/*": _BYTES}}
}


@router.post("", responses=documented("Attached"), openapi_extra=_UPLOAD)
async def upload(
    request: Request, app: App, caller: CallerDep, name: Annotated[str, Query(max_length=1000)] = "file"
) -> Response:
    """Upload a picture or file for a question.

    Its type is detected from its content. If it is never sent, it is deleted after a day.
    """
    limits = app.attachments.limits
    too_large = Invalid(
        "body",
        f"The file is larger than {limits.size >> 20} MB.",
        "Nothing was saved. Attach a smaller one.",
        code="attachment_too_large",
    )
    try:
        folder = app.attachments.new_upload()
    except OSError as error:
        raise unusable(app.settings.data_dir, error) from None
    try:
        await receive_file(request, folder / "upload", limits.size, too_large)
        return as_json(await app.attachments.add(caller, folder / "upload", str(storable(name))))
    except OSError as error:
        raise unusable(app.settings.data_dir, error) from None
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


@router.get("/{sha256}", responses=_FILE)
async def download(sha256: str, app: App, caller: CallerDep) -> Response:
    """Download an attachment. Browsers show pictures and save files."""
    return _answer(await app.attachments.find(caller, sha256))


@router.get("/{sha256}/thumbnail", responses=_FILE)
async def thumbnail(sha256: str, app: App, caller: CallerDep) -> Response:
    """Read a small version of a picture."""
    return _answer(await app.attachments.find(caller, sha256, thumbnail=True))


def _answer(found: Served) -> Response:
    """Return a file that a browser can only show as a picture, or save."""
    shown = "inline" if found.is_picture else "attachment"
    headers = {
        "Content-Disposition": f"{shown}; filename*=UTF-8''{quote(found.name, safe='')}",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "private, max-age=86400, immutable",
    }
    kind = found.media_type if found.is_picture else "application/octet-stream"
    return FileResponse(found.path, media_type=kind, headers=headers)
