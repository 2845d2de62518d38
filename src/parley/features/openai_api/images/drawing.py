"""Draws pictures for the door, puts them into the library, and returns them in one piece or in events."""

import base64
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import NamedTuple

import msgspec

from parley.engine.attachments import store_made
from parley.features.library.schemas import AssetMade
from parley.features.library.service import LibraryService
from parley.features.openai_api.asking import TranslatedCall
from parley.features.openai_api.images.answer import (
    DrawnPicture,
    DrawnPictures,
    DrawnUsage,
    InputDetails,
    PictureCompleted,
    PicturePartial,
)
from parley.features.openai_api.images.request import ImagesBody
from parley.kernel.caller import Caller
from parley.kernel.connector import Made, Progress
from parley.kernel.errors import ParleyError
from parley.kernel.messages import Attached
from parley.kernel.pictures import as_drawn
from parley.kernel.ports import Blobs


class _Stored(NamedTuple):
    data: bytes
    attached: Attached
    seed: int | None


class Drawing:
    """The pictures of one call; `whole` or `events` can be read once."""

    def __init__(
        self,
        call: TranslatedCall,
        body: ImagesBody,
        caller: Caller,
        blobs: Blobs | None,
        library: LibraryService,
    ) -> None:
        self.call = call
        self._body = body
        self._caller = caller
        self._blobs = blobs
        self._library = library
        self._pictures: list[_Stored] = []

    async def whole(self, address: str) -> DrawnPictures:
        """Return all pictures; those asked for as links are below an address. Raises ParleyError."""
        async with aclosing(self._drawn()) as drawn:
            async for _ in drawn:
                pass
        ids = await self._keep()
        if self._body.response_format == "url":
            data = [DrawnPicture(url=f"{address}/{asset_id}") for asset_id in ids]
        else:
            data = [DrawnPicture(b64_json=_text(picture.data)) for picture in self._pictures]
        return DrawnPictures(created=self.call.created, data=data, usage=self._usage())

    async def events(self) -> AsyncGenerator[bytes]:
        """Yield previews, and each picture when it is ready; the last one has the usage. Raises ParleyError."""
        last: _Stored | None = None
        previews, most = 0, self._body.partial_images or 0
        async with aclosing(self._drawn()) as drawn:
            async for each in drawn:
                if isinstance(each, _Stored):
                    if last is not None:
                        yield self._completed(last, None)
                    last = each
                elif previews < most:
                    yield _event(PicturePartial(_text(each), self.call.created, previews))
                    previews += 1
        await self._keep()
        if last is not None:
            yield self._completed(last, self._usage())

    async def _drawn(self) -> AsyncGenerator[_Stored | bytes]:
        """Yield previews as bytes, and pictures once they are stored. Those before a failure are kept: they cost."""
        try:
            async with aclosing(self.call.chunks()) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, Progress) and chunk.preview is not None:
                        yield chunk.preview
                    elif isinstance(chunk, Made):
                        number = len(self._pictures)
                        attached = await store_made(self._blobs, self._caller.person_id, chunk, number)
                        self._pictures.append(_Stored(chunk.data, attached, chunk.seed))
                        yield self._pictures[-1]
            self.call.finished()
        except ParleyError:
            await self._keep()
            raise

    async def _keep(self) -> list[str]:
        """Put the pictures into the library; return their ids there."""
        return [
            (await self._library.add_made(self._caller, picture.attached, self._made(picture))).id
            for picture in self._pictures
        ]

    def _made(self, picture: _Stored) -> AssetMade:
        metrics = self.call.result.metrics
        cost = metrics.cost_micros
        return AssetMade(
            prompt=self._body.prompt,
            model_id=self.call.model_id,
            settings=as_drawn(self.call.call.options.picture, picture.seed),
            cost_micros=None if cost is None else cost // len(self._pictures),
            duration_ms=metrics.duration_ms,
        )

    def _usage(self) -> DrawnUsage:
        metrics = self.call.result.metrics
        read, written = metrics.input_tokens, metrics.output_tokens
        return DrawnUsage(read, written, read + written, InputDetails(read))

    def _completed(self, picture: _Stored, usage: DrawnUsage | None) -> bytes:
        return _event(PictureCompleted(_text(picture.data), self.call.created, usage or msgspec.UNSET))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _event(event: PicturePartial | PictureCompleted) -> bytes:
    kind = type(event).__struct_config__.tag
    return b"event: %b\ndata: %b\n\n" % (str(kind).encode(), msgspec.json.encode(event))
