"""Asks a model for the OpenAI door, and tells its answer in one piece or in chunks."""

import base64
from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec

from parley.engine.accounting import UNFINISHED
from parley.engine.attachments import store_made
from parley.features.openai_api.completions import (
    AnswerDelta,
    AnswerMessage,
    ChatCompletion,
    ChatCompletionChunk,
    Choice,
    ChunkChoice,
    FunctionCalled,
    PictureMade,
    PictureUrl,
    ToolCalled,
    UsageView,
)
from parley.features.openai_api.open_call import OpenCall, OpenCalls
from parley.kernel.calls import Call
from parley.kernel.connector import Chunk, Delta, Finish, FinishReason, Made, Rethought, Usage
from parley.kernel.messages import ToolCall

_NOTHING = AnswerDelta()


class TranslatedCall(OpenCall):
    """One call that is translated: `pieces` or `whole` can be read once; then `finish` and `usage` are known."""

    def __init__(self, calls: OpenCalls, call: Call, created: int) -> None:
        super().__init__(calls, call)
        self.id = f"chatcmpl-{self.result.call_id}"
        self.created = created
        self.finish: FinishReason | None = None
        self._usage: Usage | None = None
        self._pictures = 0

    @property
    def usage(self) -> UsageView:
        """The tokens of the call, once it has ended."""
        return UsageView.of(self.result.metrics, self._usage)

    async def whole(self) -> ChatCompletion:
        """Return the whole answer. Raises ParleyError; an answer that was cut off is one too."""
        texts = {"text": "", "reasoning": ""}
        calls: list[ToolCalled] = []
        pictures: list[PictureMade] = []
        async with aclosing(self.chunks()) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Delta):
                    texts[chunk.channel] += chunk.text
                elif isinstance(chunk, Rethought):
                    texts = {"text": "", "reasoning": texts["reasoning"] + texts["text"]}
                else:
                    delta = await self._delta_of(chunk)
                    calls += delta.tool_calls
                    pictures += delta.images
        message = AnswerMessage(
            content=texts["text"] if texts["text"] or not calls else None,
            reasoning_content=texts["reasoning"] or msgspec.UNSET,
            tool_calls=calls or msgspec.UNSET,
            images=pictures or msgspec.UNSET,
        )
        choice = Choice(message=message, finish_reason=self.finished())
        return ChatCompletion(
            id=self.id, created=self.created, model=self.model_id, choices=[choice], usage=self.usage
        )

    async def pieces(self, *, include_usage: bool) -> AsyncGenerator[ChatCompletionChunk]:
        """Yield the answer in chunks. Raises ParleyError; text that turns out to be reasoning has been told already."""
        null = None if include_usage else msgspec.UNSET
        role: str | None = "assistant"
        async with aclosing(self.chunks()) as chunks:
            async for chunk in chunks:
                delta = await self._delta_of(chunk)
                if delta is not _NOTHING:
                    yield self._piece(msgspec.structs.replace(delta, role=role), null)
                    role = None
        finish = self.finished()
        yield self._piece(AnswerDelta(role=role), null, finish)
        if include_usage:
            yield ChatCompletionChunk(
                id=self.id, created=self.created, model=self.model_id, choices=(), usage=self.usage
            )

    async def events(self, *, include_usage: bool) -> AsyncGenerator[bytes]:
        """Yield the answer in chunks, each as an event. Raises ParleyError."""
        async with aclosing(self.pieces(include_usage=include_usage)) as pieces:
            async for piece in pieces:
                yield b"data: %b\n\n" % msgspec.json.encode(piece)

    async def chunks(self) -> AsyncGenerator[Chunk]:
        """Yield the model's chunks. Raises ParleyError; without a Finish the answer was cut off."""
        gateway = self._calls.gateway
        async with aclosing(self._read(lambda: gateway.stream(self.call, self.result))) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Usage):
                    self._usage = chunk
                elif isinstance(chunk, Finish):
                    self.finish = chunk.reason
                yield chunk

    async def _delta_of(self, chunk: Chunk) -> AnswerDelta:
        """Return what a chunk adds to the answer."""
        if isinstance(chunk, Delta):
            return (
                AnswerDelta(content=chunk.text)
                if chunk.channel == "text"
                else AnswerDelta(reasoning_content=chunk.text)
            )
        if isinstance(chunk, ToolCall):
            called = FunctionCalled(chunk.name, chunk.arguments)
            return AnswerDelta(tool_calls=(ToolCalled(chunk.index, chunk.id, called),))
        if isinstance(chunk, Made):
            stored = await store_made(self._calls.gateway.blobs, self.call.owner_id, chunk, self._pictures)
            self._pictures += 1
            data = base64.b64encode(chunk.data).decode()
            return AnswerDelta(images=(PictureMade(PictureUrl(f"data:{stored.media_type};base64,{data}")),))
        return _NOTHING

    def _piece(
        self, delta: AnswerDelta, usage: msgspec.UnsetType | None, finish: FinishReason | None = None
    ) -> ChatCompletionChunk:
        choice = ChunkChoice(delta, finish)
        return ChatCompletionChunk(
            id=self.id, created=self.created, model=self.model_id, choices=(choice,), usage=usage
        )

    def finished(self) -> FinishReason:
        """Return the reason of the answer's end. Raises BrokenOff for one that was cut off."""
        if self.finish is None:
            raise UNFINISHED
        return self.finish
