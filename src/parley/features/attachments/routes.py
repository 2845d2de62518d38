"""Routes of attachments: pictures and files that come with questions."""

import asyncio
import shutil
from typing import Annotated
from urllib.parse import quote

from fastapi import Query, Request, Response
from starlette.responses import FileResponse

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.uploads import receive_file
from parley.features.attachments.service import AttachmentsService, Served
from parley.kernel.caller import Scope
from parley.kernel.errors import TooLarge
from parley.kernel.inputs import Attached
from parley.kernel.request import storable
from parley.settings import Settings
from parley.storage.disk_space import unusable

routes = Routes("/api/attachments", tag="attachments", needs=Scope.TALK)

DOWNLOADS = ("application/octet-stream", "image/*")


@routes.post(
    uploads=("application/octet-stream",),
    errors=("attachment_too_large", "attachment_unsupported", "attachment_damaged"),
)
async def upload(
    request: Request,
    app: App,
    caller: CallerDep,
    name: Annotated[str, Query(max_length=1000, description="The file's name.")] = "file",
) -> Attached:
    """Upload a picture or file for a question.

    Its type is detected from its content. If it is never sent, it is deleted after a day.
    """
    limits = app[AttachmentsService].limits
    too_large = TooLarge(
        "body",
        f"The file is larger than {limits.size >> 20} MB.",
        "Nothing was saved. Attach a smaller one.",
        code="attachment_too_large",
    )
    try:
        folder = app[AttachmentsService].new_upload()
    except OSError as error:
        raise unusable(app[Settings].data_dir, error) from None
    try:
        await receive_file(request, folder / "upload", limits.size, too_large)
        return await app[AttachmentsService].add(caller, folder / "upload", str(storable(name)))
    except OSError as error:
        raise unusable(app[Settings].data_dir, error) from None
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


@routes.get("/{sha256}", downloads=DOWNLOADS)
async def download(sha256: str, app: App, caller: CallerDep) -> Response:
    """Download an attachment. Browsers show pictures and save files."""
    return _answer(await app[AttachmentsService].find(caller, sha256))


@routes.get("/{sha256}/thumbnail", downloads=DOWNLOADS)
async def thumbnail(sha256: str, app: App, caller: CallerDep) -> Response:
    """Read a small version of a picture."""
    return _answer(await app[AttachmentsService].find(caller, sha256, thumbnail=True))


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
