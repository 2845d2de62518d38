"""The routes of the door in the shape of the Responses API."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import msgspec
from fastapi import Request, Response

from parley.api.contract import Routes, Stream
from parley.api.deps import App, CallerDep
from parley.api.openai_errors import DOOR
from parley.features.openai_api.answering_routes import Ending, in_one_piece, parse, streamed
from parley.features.openai_api.asking import TranslatedCall
from parley.features.openai_api.chat_schemas import MAX_CHAT_BYTES, ChatCompletionRequest
from parley.features.openai_api.responses.answer import ResponseAnswer, answer_of, opened
from parley.features.openai_api.responses.request import ResponseBody, as_chat
from parley.features.openai_api.responses.stored import StoredAnswers
from parley.features.openai_api.responses.stream import ResponseEvent, ResponseWriter
from parley.features.openai_api.service import Door
from parley.kernel.caller import Caller, Scope
from parley.kernel.parts import Parts

responses = Routes(f"{DOOR}/responses", tag="openai", needs=Scope.TALK)

EVENTS = Stream("ResponseStreamEvent", ResponseEvent)


@responses.post(
    errors=(
        *(
            "model_not_found",
            "model_not_allowed",
            "prompt_held",
            "reply_held",
            "key_without_scope",
            "no_model_fits",
            "unsupported_parameter",
            "over_budget",
            "allowance_used_up",
            "too_many_at_once",
            "model_without_price",
            "stopping",
        ),
        "response_not_found",
    ),
    stream=EVENTS,
    most_bytes=MAX_CHAT_BYTES,
    example={"model": "gpt-5", "input": "Hello"},
)
async def create_response(
    body: ResponseBody, request: Request, app: App, caller: CallerDep
) -> ResponseAnswer | Response:
    """Answer a conversation as OpenAI's Responses API does, in one piece or streamed."""
    earlier = await app[StoredAnswers].conversation(caller, body.previous_response_id)
    call = await app[Door].ask(caller, parse(ChatCompletionRequest, as_chat(body, earlier)))
    response_id = f"resp_{call.result.call_id}"
    answer = opened(body, response_id, call.created, call.model_id)
    if body.stream:
        writer = ResponseWriter(answer)
        events = _stored_events(app, caller, body, call, writer)
        return await streamed(request, call, events, Ending(b"", writer.failed))
    return await in_one_piece(request, call, _whole(app, caller, body, call, answer))


@responses.get("/{response_id}", errors=("response_not_found",))
async def read_response(response_id: str, app: App, caller: CallerDep) -> ResponseAnswer:
    """Read a stored answer."""
    return await app[StoredAnswers].read(caller, response_id)


class DeletedResponse(msgspec.Struct, frozen=True):
    """An answer that is no longer stored."""

    id: str
    object: str = "response"
    deleted: bool = True


@responses.delete("/{response_id}", errors=("response_not_found",))
async def delete_response(response_id: str, app: App, caller: CallerDep) -> DeletedResponse:
    """Delete a stored answer. Answers that follow it can be continued no more."""
    await app[StoredAnswers].delete(caller, response_id)
    return DeletedResponse(response_id)


async def _whole(
    app: Parts, caller: Caller, body: ResponseBody, call: TranslatedCall, answer: ResponseAnswer
) -> ResponseAnswer:
    answer = answer_of(answer, await call.whole())
    await _store(app, caller, body, answer)
    return answer


async def _stored_events(
    app: Parts, caller: Caller, body: ResponseBody, call: TranslatedCall, writer: ResponseWriter
) -> AsyncGenerator[bytes]:
    """Yield the events of an answer; it is stored before it is told that it is complete."""
    async with aclosing(writer.events(call.pieces(include_usage=True))) as events:
        async for event in events:
            yield event
    await _store(app, caller, body, writer.answer)
    yield writer.end()


async def _store(app: Parts, caller: Caller, body: ResponseBody, answer: ResponseAnswer) -> None:
    if body.store is not False:
        await app[StoredAnswers].store(caller, answer, body.items)
