"""The route of the door in the shape of Anthropic's Messages API."""

import msgspec
from fastapi import Request, Response

from parley.api.contract import Routes, Stream
from parley.api.deps import App, CallerDep
from parley.api.openai_errors import DOOR, MESSAGES, anthropic_error_of
from parley.features.openai_api.answering_routes import Ending, in_one_piece, parse, streamed
from parley.features.openai_api.anthropic.answer import AnthropicAnswer, MessagesEvent, answer_of, events_of
from parley.features.openai_api.anthropic.request import MessagesBody, as_chat
from parley.features.openai_api.asking import TranslatedCall
from parley.features.openai_api.chat_schemas import MAX_CHAT_BYTES, ChatCompletionRequest
from parley.features.openai_api.service import Door
from parley.kernel.caller import Scope
from parley.kernel.errors import ParleyError

messages = Routes(DOOR, tag="openai", needs=Scope.TALK)

EVENTS = Stream("MessagesStreamEvent", MessagesEvent)


@messages.post(
    MESSAGES.removeprefix(DOOR),
    errors=(
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
    stream=EVENTS,
    most_bytes=MAX_CHAT_BYTES,
    example={"model": "gpt-5", "max_tokens": 1000, "messages": [{"role": "user", "content": "Hello"}]},
)
async def create_message(
    body: MessagesBody, request: Request, app: App, caller: CallerDep
) -> AnthropicAnswer | Response:
    """Answer a conversation as Anthropic's API does, in one piece or streamed."""
    call = await app[Door].ask(caller, parse(ChatCompletionRequest, as_chat(body)))
    if body.stream:
        return await streamed(request, call, events_of(call.pieces(include_usage=True)), _ENDING)
    return await in_one_piece(request, call, _whole(call))


async def _whole(call: TranslatedCall) -> AnthropicAnswer:
    return answer_of(await call.whole())


def _failed(error: ParleyError) -> bytes:
    return b"event: error\ndata: %b\n\n" % msgspec.json.encode(anthropic_error_of(error))


_ENDING = Ending(b"", _failed)
