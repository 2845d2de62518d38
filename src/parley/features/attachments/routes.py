"""Routes of attachments: pictures and files of questions and replies."""

import asyncio
import shutil
from typing import Annotated
from urllib.parse import quote

from fastapi import Query, Request, Response
from starlette.responses import FileResponse

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.uploads import receive_file
from parley.features.attachments.encodings import EncodingList
from parley.features.attachments.service import GRACE, AttachmentsService, Served, UnusedFiles
from parley.kernel.caller import Scope
from parley.kernel.errors import TooLarge
from parley.kernel.messages import Attached
from parley.kernel.request import storable
from parley.settings import Settings
from parley.storage.disk_space import unusable

routes = Routes("/api/attachments", tag="attachments", needs=Scope.TALK)

files = Routes("/api/files", tag="attachments", needs=Scope.MANAGE)

Days = Annotated[int, Query(ge=0, le=GRACE.days, description="Only what was not needed for so many days.")]

NEVER_CHANGED = "Thu, 01 Jan 1970 00:00:00 GMT"

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
    return file_response(await app[AttachmentsService].find(caller, sha256))


@routes.get("/{sha256}/thumbnail", downloads=DOWNLOADS)
async def thumbnail(sha256: str, app: App, caller: CallerDep) -> Response:
    """Read a small version of a picture."""
    return file_response(await app[AttachmentsService].find(caller, sha256, thumbnail=True))


@routes.get("/{sha256}/encodings")
async def encodings(sha256: str, app: App, caller: CallerDep) -> EncodingList:
    """List the encodings in which a text file may be, each with some words as it reads them."""
    return EncodingList(await app[AttachmentsService].encodings(caller, sha256))


@routes.post("/{sha256}/encodings/{encoding}", errors=("attachment_too_large", "attachment_unsupported"))
async def read_as(sha256: str, encoding: str, app: App, caller: CallerDep) -> Attached:
    """Read a text file in another encoding. The result is an attachment of its own, in UTF-8."""
    return await app[AttachmentsService].read_as(caller, sha256, encoding)


@files.get("/unused")
async def list_unused(app: App, days: Days = 0) -> UnusedFiles:
    """Count the files that nothing needs any more. Nothing is changed."""
    return await app[AttachmentsService].unused(days)


@files.delete("/unused", audited=True)
async def remove_unused(app: App, days: Days) -> UnusedFiles:
    """Remove files that nothing needs any more before their time. The answer counts what was removed."""
    return await app[AttachmentsService].remove_unused(days)


def file_response(served: Served) -> Response:
    """Return a file that a browser can only show as a picture, or save."""
    shown = "inline" if served.is_picture else "attachment"
    headers = {
        "Content-Disposition": f"{shown}; filename*=UTF-8''{quote(served.name, safe='')}",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cache-Control": "private, max-age=86400, immutable",
        # The file's own times would reveal which side of a blind match was drawn first.
        "ETag": f'"{served.sha256}"',
        "Last-Modified": NEVER_CHANGED,
    }
    kind = served.media_type if served.is_picture else "application/octet-stream"
    return FileResponse(served.path, media_type=kind, headers=headers)
