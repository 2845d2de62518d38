"""Routes of the library."""

from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import Query, Request, Response

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.api.disconnects import unless_gone
from parley.api.uploads import receive_file
from parley.features.attachments.routes import file_response
from parley.features.attachments.service import AttachmentsService, Served
from parley.features.library.schemas import (
    AssetCard,
    AssetFilter,
    AssetKind,
    AssetPage,
    AssetView,
    ChangeAsset,
    KeepExport,
    KeepReply,
    LibraryChoices,
)
from parley.features.library.service import LibraryService
from parley.kernel.caller import Scope
from parley.kernel.errors import TooLarge
from parley.kernel.request import Moment, storable
from parley.settings import Settings
from parley.storage.disk_space import unusable

routes = Routes("/api/library", tag="library", needs=Scope.TALK)


@routes.get()
async def list_assets(
    request: Request,
    app: App,
    caller: CallerDep,
    *,
    search: Annotated[str, Query(max_length=200, description="Only what has these words.")] = "",
    kind: Annotated[AssetKind | None, Query(description="Only this kind.")] = None,
    model: Annotated[str | None, Query(max_length=64, description="Only what this model made.")] = None,
    session: Annotated[str | None, Query(max_length=32, description="Only what this session has.")] = None,
    tag: Annotated[str | None, Query(max_length=40, description="Only what has this tag.")] = None,
    since: Annotated[Moment | None, Query(description="Only what was made from then on.")] = None,
    until: Annotated[Moment | None, Query(description="Only what was made before then.")] = None,
    oldest_first: Annotated[bool, Query(description="The oldest first, not the newest.")] = False,
    limit: Annotated[int, Query(ge=1, le=200, description="The maximum number of items.")] = 60,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page.")] = None,
) -> AssetPage:
    """List what was made: pictures, named code blocks, kept replies, uploads and exports.

    What a battle has made is listed once you have voted. Only the first page has the counts.
    """
    wanted = AssetFilter(
        search=search,
        kind=kind,
        model=model,
        session=session,
        tag=tag,
        since=since,
        until=until,
        oldest_first=oldest_first,
    )
    reading = app[LibraryService].page(caller, wanted, limit=limit, cursor=cursor)
    return await (unless_gone(request, reading) if search else reading)


@routes.get("/choices")
async def list_choices(app: App, caller: CallerDep) -> LibraryChoices:
    """List the models, tags and sessions of what is in the library."""
    return await app[LibraryService].choices(caller)


@routes.post(
    uploads=("application/octet-stream",),
    errors=("attachment_too_large", "attachment_unsupported", "attachment_damaged"),
)
async def upload_asset(
    request: Request,
    app: App,
    caller: CallerDep,
    name: Annotated[str, Query(max_length=1000, description="The file's name.")] = "file",
    origin: Annotated[
        Literal["upload", "export"], Query(description="An export is one that your client has written.")
    ] = "upload",
    session: Annotated[
        str | None, Query(max_length=32, description="The session that an export is of.")
    ] = None,
) -> AssetCard:
    """Upload a picture or file into the library. Its type is detected from its content."""
    library, limits = app[LibraryService], app[AttachmentsService].limits
    too_large = TooLarge(
        "body",
        f"The file is larger than {limits.size >> 20} MB.",
        "Nothing was saved. Upload a smaller one.",
        code="attachment_too_large",
    )
    try:
        folder = library.new_upload()
    except OSError as error:
        raise unusable(app[Settings].data_dir, error) from None
    try:
        await receive_file(request, folder / "upload", limits.size, too_large)
        return await library.upload(
            caller, folder / "upload", str(storable(name)), origin, session if origin == "export" else None
        )
    except OSError as error:
        raise unusable(app[Settings].data_dir, error) from None
    finally:
        await library.end_upload(folder)


@routes.post(
    "/kept", errors=("reply_not_complete",), example={"reply_id": "0123456789abcdef0123456789abcdef"}
)
async def keep_reply(body: KeepReply, app: App, caller: CallerDep) -> AssetCard:
    """Keep a reply in the library."""
    return await app[LibraryService].keep(caller, body.reply_id)


@routes.post("/exports", example={"session_id": "0123456789abcdef0123456789abcdef", "format": "markdown"})
async def keep_export(body: KeepExport, app: App, caller: CallerDep) -> AssetCard:
    """Export a session into the library.

    As a web page its texts are rendered by the page, which uploads it with `origin=export`.
    """
    return await app[LibraryService].export(caller, body)


@routes.get("/{asset_id}")
async def read_asset(asset_id: str, app: App, caller: CallerDep) -> AssetView:
    """Read something with where it was made: prompt, model, settings, cost and vote as they are there now."""
    return await app[LibraryService].view(caller, asset_id)


@routes.get("/{asset_id}/content", downloads=("application/octet-stream", "image/*"))
async def read_content(asset_id: str, app: App, caller: CallerDep) -> Response:
    """Download something. Browsers show pictures, and save everything else."""
    content = await app[LibraryService].content(caller, asset_id)
    if isinstance(content, Served):
        return file_response(content)
    name, data = content
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return Response(data, media_type="application/octet-stream", headers=headers)


@routes.patch("/{asset_id}", example={"tags": ["cover"]})
async def change_asset(asset_id: str, body: ChangeAsset, app: App, caller: CallerDep) -> AssetView:
    """Rename something, or replace its tags."""
    return await app[LibraryService].change(caller, asset_id, body)


@routes.delete("/{asset_id}")
async def delete_asset(asset_id: str, app: App, caller: CallerDep) -> None:
    """Take something out of the library. It can be restored for 7 days; its conversation keeps it."""
    await app[LibraryService].delete(caller, asset_id)


@routes.post("/{asset_id}/restore")
async def restore_asset(asset_id: str, app: App, caller: CallerDep) -> AssetCard:
    """Put something back into the library."""
    return await app[LibraryService].restore(caller, asset_id)
