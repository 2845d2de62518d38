"""Routes of the OpenAI door and of API keys."""

import logging
from collections.abc import AsyncGenerator

from fastapi import Request, Response

from parley.api.contract import Routes, Stream
from parley.api.deps import App, CallerDep
from parley.api.openai_errors import DOOR
from parley.features.accounts.service import AccountsService
from parley.features.openai_api.answering_routes import OPENAI, in_one_piece, parse, streamed
from parley.features.openai_api.api_keys import ApiKeys
from parley.features.openai_api.chat_schemas import (
    MAX_CHAT_BYTES,
    ChatBody,
    ChatCompletionRequest,
    EmbeddingsBody,
)
from parley.features.openai_api.completions import (
    ChatCompletion,
    ChatCompletionChunk,
    ModelEntries,
    ModelEntry,
)
from parley.features.openai_api.key_schemas import ApiKeyList, MadeApiKey, NewApiKey
from parley.features.openai_api.service import Door
from parley.kernel.caller import Role, Scope
from parley.kernel.errors import Conflict, Forbidden
from parley.settings import Settings

log = logging.getLogger(__name__)

door = Routes(DOOR, tag="openai", needs=Scope.TALK)
keys = Routes("/api/me/keys", tag="api keys", needs=Scope.TALK, personal=True, audited=True)

CHUNKS = Stream("ChatCompletionChunkEvent", ChatCompletionChunk)

OF_PROMPTS = ("prompt_without_model", "value_missing")
"""The errors of a model that is a prompt."""

HELLO = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}]}


@door.get("/models")
async def list_models(app: App, caller: CallerDep) -> ModelEntries:
    """List the models that can be asked: single ones, presets used as models, `auto`, and prompts with a model."""
    entries = app[Door].models(caller), app[Door].auto(caller), await app[Door].prompts(caller)
    return ModelEntries([entry for group in entries for entry in group])


@door.get("/models/{model_id}", errors=("model_not_found", "model_not_allowed"))
async def read_model(model_id: str, app: App, caller: CallerDep) -> ModelEntry:
    """Read one model."""
    return app[Door].model(caller, model_id)


@door.post(
    "/chat/completions",
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
        *OF_PROMPTS,
    ),
    stream=CHUNKS,
    most_bytes=MAX_CHAT_BYTES,
    example=HELLO,
)
async def complete_chat(
    body: ChatBody, request: Request, app: App, caller: CallerDep
) -> ChatCompletion | Response:
    """Answer a conversation as OpenAI's API does, in one piece or streamed."""
    raw = await request.body()
    chosen = await app[Door].choose(caller, body)
    name = chosen.model_id if chosen else body.model
    if app[Door].passes_on(caller, name):
        call = app[Door].pass_on(caller, body, raw, chosen)
        answer = call.pieces() if body.stream else call.whole()
    else:
        call = await app[Door].ask(caller, parse(ChatCompletionRequest, raw), chosen)
        answer = call.events(include_usage=body.includes_usage) if body.stream else call.whole()
    if isinstance(answer, AsyncGenerator):
        return await streamed(request, call, answer, OPENAI)
    return await in_one_piece(request, call, answer)


@door.post(
    "/embeddings",
    errors=(
        "model_not_found",
        "model_not_allowed",
        "prompt_held",
        "reply_held",
        "key_without_scope",
        "over_budget",
        "allowance_used_up",
        "too_many_at_once",
        "model_without_price",
        "stopping",
    ),
    most_bytes=MAX_CHAT_BYTES,
    example={"model": "text-embedding-3-small", "input": ["Hello"]},
    takes_minutes=True,
)
async def embed_texts(body: EmbeddingsBody, request: Request, app: App, caller: CallerDep) -> Response:
    """Embed texts as OpenAI's API does."""
    call = app[Door].embed(caller, body, await request.body())
    return await in_one_piece(request, call, call.whole())


@keys.get()
async def list_keys(app: App, caller: CallerDep) -> ApiKeyList:
    """List one's API keys."""
    return ApiKeyList(list(await app[ApiKeys].list(caller)), required=app[Settings].is_shared)


@keys.post(
    errors=("personal_mode", "guests_have_no_keys", "no_account", "too_many_keys"),
    example={"name": "Notebook", "models": None, "days": 90},
)
async def make_key(body: NewApiKey, app: App, caller: CallerDep) -> MadeApiKey:
    """Make an API key. Its secret is in this answer and nowhere else."""
    if not app[Settings].is_shared:
        raise Conflict(
            "Keys are needed only where Parley is shared.",
            "On this computer any key works, and none too.",
            code="personal_mode",
        )
    role = await app[AccountsService].role_of(caller.author_id)
    if role is Role.GUEST:
        raise Forbidden("Guests have no API keys.", "Make an account first.", code="guests_have_no_keys")
    if role is None:
        raise Forbidden(
            "The owner has no account yet, so a key would open nothing.",
            "Become the administrator first: open the link of the server's log, or run: parley users create-admin",
            code="no_account",
        )
    return await app[ApiKeys].make(caller, body)


@keys.delete("/{key_id}")
async def revoke_key(key_id: str, app: App, caller: CallerDep) -> None:
    """Revoke an API key. Programs that use it are refused at once."""
    await app[ApiKeys].revoke(caller, key_id)
