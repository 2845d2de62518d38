"""The routes of the door in the shape of the Images API."""

from typing import TypeAlias

from fastapi import Request, Response

from parley.api.contract import Routes, Stream
from parley.api.deps import App, CallerDep
from parley.api.openai_errors import DOOR
from parley.features.attachments.routes import file_response
from parley.features.attachments.service import Served
from parley.features.library.service import LibraryService
from parley.features.openai_api.answering_routes import OPENAI, Ending, in_one_piece, streamed
from parley.features.openai_api.images.answer import DrawnPictures, PictureCompleted, PicturePartial
from parley.features.openai_api.images.drawing import Drawing
from parley.features.openai_api.images.request import ImagesBody
from parley.features.openai_api.service import Door
from parley.kernel.caller import Scope
from parley.kernel.errors import NotFound
from parley.settings import Settings

PATH = f"{DOOR}/images"
MAX_BYTES = 1 << 20

images = Routes(PATH, tag="openai", needs=Scope.TALK)

PictureEvent: TypeAlias = PicturePartial | PictureCompleted
EVENTS = Stream("ImageGenerationStreamEvent", PictureEvent)


@images.post(
    "/generations",
    errors=(
        "model_not_found",
        "model_not_allowed",
        "prompt_held",
        "reply_held",
        "key_without_scope",
        "unsupported_parameter",
        "over_budget",
        "allowance_used_up",
        "too_many_at_once",
        "model_without_price",
        "stopping",
    ),
    stream=EVENTS,
    most_bytes=MAX_BYTES,
    example={"model": "gpt-image-1", "prompt": "A fox in snow.", "size": "1024x1024"},
)
async def draw_pictures(
    body: ImagesBody, request: Request, app: App, caller: CallerDep
) -> DrawnPictures | Response:
    """Draw pictures as OpenAI's API does, in one piece or streamed. They are in the library, too."""
    call = app[Door].draw(caller, body)
    drawing = Drawing(call, body, caller, app[Door].blobs, app[LibraryService])
    if body.stream:
        return await streamed(request, call, drawing.events(), Ending(b"", OPENAI.failed))
    base = app[Settings].public_url or str(request.base_url)
    return await in_one_piece(request, call, drawing.whole(f"{base.rstrip('/')}{PATH}"))


@images.get("/{asset_id}", errors=("key_without_scope",), downloads=("image/*",))
async def read_picture(asset_id: str, app: App, caller: CallerDep) -> Response:
    """Download a picture that was asked for as a link."""
    app[Door].check_pictures(caller)
    content = await app[LibraryService].content(caller, asset_id)
    if not isinstance(content, Served) or not content.is_picture:
        raise NotFound("There is no such picture.", "It may have been deleted from the library.")
    return file_response(content)
