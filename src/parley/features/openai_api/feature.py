"""The OpenAI door: `/v1` for other programs, and the API keys that open it."""

from collections.abc import AsyncIterator, Sequence

from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway
from parley.engine.runner import Runner
from parley.features.accounts.service import AccountsService
from parley.features.auto.service import AutoService
from parley.features.catalog.service import CatalogService
from parley.features.feature import Feature, Personal
from parley.features.lab.prompts.as_model import PromptModels
from parley.features.openai_api.anthropic.routes import messages
from parley.features.openai_api.api_keys import ApiKeys
from parley.features.openai_api.auto_model import AutoModel
from parley.features.openai_api.images.routes import images
from parley.features.openai_api.key_schemas import ApiKeyView
from parley.features.openai_api.responses.answer import ResponseAnswer
from parley.features.openai_api.responses.routes import responses
from parley.features.openai_api.responses.stored import StoredAnswers
from parley.features.openai_api.routes import door as door_routes
from parley.features.openai_api.routes import keys
from parley.features.openai_api.service import Door
from parley.features.openai_api.tables import ApiKeyRow, ResponseRow
from parley.kernel.caller import Caller
from parley.kernel.parts import Parts
from parley.storage.database import Database


def _build(parts: Parts) -> Sequence[object]:
    catalog, clock = parts[CatalogService], parts[WallClock]
    api_keys = ApiKeys(parts[Database].patient(), catalog, clock)
    parts[AccountsService].admit(api_keys)
    answers = StoredAnswers(parts[Database].patient(), clock)
    auto = AutoModel(parts[AutoService])
    door = Door(catalog, parts[PromptModels], auto, parts[Gateway], parts[Runner].queue, clock)
    return api_keys, answers, door


def _answers(parts: Parts, caller: Caller) -> AsyncIterator[ResponseAnswer]:
    return parts[StoredAnswers].all(caller)


async def _count(parts: Parts, caller: Caller) -> int:
    return 0 if caller.member_id else len(await parts[ApiKeys].list(caller))


async def _export(parts: Parts, caller: Caller) -> AsyncIterator[ApiKeyView]:
    if not caller.member_id:  # a workspace has no keys
        for key in await parts[ApiKeys].list(caller):
            yield key


FEATURE = Feature(
    name="openai_api",
    needs=("accounts", "arena", "attachments", "auto", "catalog", "contestants", "lab", "library"),
    tables=(ApiKeyRow, ResponseRow),
    build=_build,
    routes=(door_routes, messages, responses, images, keys),
    interrupt=lambda parts: parts[Door].interrupt(),
    personal=(
        Personal(
            noun="api_key",
            count=_count,
            export=_export,
            erase=lambda parts, caller: parts[ApiKeys].erase(caller),
        ),
        Personal(
            noun="api_response",
            count=lambda parts, caller: parts[StoredAnswers].count(caller),
            export=_answers,
            erase=lambda parts, caller: parts[StoredAnswers].erase(caller),
        ),
    ),
)
