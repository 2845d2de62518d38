"""The OpenAI door: the models that a caller may ask, and their answers."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from parley.engine.gateway import Gateway
from parley.engine.turn_queue import TurnQueue
from parley.features.catalog.service import CatalogService
from parley.features.lab.prompts.as_model import PREFIX, PromptModels
from parley.features.openai_api.asking import TranslatedCall
from parley.features.openai_api.auto_model import AUTO, AutoModel, Chosen
from parley.features.openai_api.chat_request import messages_of, options_of
from parley.features.openai_api.chat_schemas import ChatBody, ChatCompletionRequest, EmbeddingsBody
from parley.features.openai_api.completions import ModelEntry
from parley.features.openai_api.images.request import ImagesBody, settings_of
from parley.features.openai_api.model_ids import can_be_called, find_model, may_use
from parley.features.openai_api.open_call import OpenCall, OpenCalls
from parley.features.openai_api.passing import PassedCall, read_passed, texts_of
from parley.kernel.caller import Caller, KeyScope
from parley.kernel.calls import Call
from parley.kernel.errors import Forbidden, Invalid, NotFound
from parley.kernel.messages import Message
from parley.kernel.models import Capability, Model
from parley.kernel.options import NO_OPTIONS, AskOptions
from parley.kernel.passed import Endpoint, Passed
from parley.kernel.ports import Blobs, Clock

PURPOSE = "api"

CallT = TypeVar("CallT", bound=OpenCall)


class Door:
    """Answers other programs with every model of the catalog: single ones, and presets that are used as models."""

    def __init__(
        self,
        catalog: CatalogService,
        prompts: PromptModels,
        auto: AutoModel,
        gateway: Gateway,
        queue: TurnQueue,
        clock: Clock,
    ) -> None:
        self._catalog = catalog
        self._prompts = prompts
        self._auto = auto
        self._gateway = gateway
        self._calls = OpenCalls(gateway, queue)
        self._clock = clock
        self._opened_at = int(clock.now())

    def models(self, caller: Caller) -> Sequence[ModelEntry]:
        """Return the models that the caller may ask, in the catalog's order."""
        usable = (model for model in self._catalog.models() if model.enabled and can_be_called(model))
        return [self._entry(model) for model in usable if may_use(model, _allowed(caller))]

    async def prompts(self, caller: Caller) -> Sequence[ModelEntry]:
        """Return the caller's prompts that have a model which the caller may ask."""
        models = {model.id: model for model in self._catalog.models()}
        return [
            ModelEntry(
                id=f"{PREFIX}{prompt.name}", created=self._opened_at, owned_by="prompts", name=prompt.name
            )
            for prompt in await self._prompts.all(caller)
            if (model := models.get(prompt.model or "")) and may_use(model, _allowed(caller))
        ]

    def model(self, caller: Caller, name: str) -> ModelEntry:
        """Return a model that the caller may ask. Raises NotFound, Forbidden."""
        return self._auto_entry() if name == AUTO else self._entry(self._model(caller, name))

    def auto(self, caller: Caller) -> Sequence[ModelEntry]:
        """Return the entry of Auto, if it has a model to choose."""
        allowed = _allowed(caller)
        usable = (
            model.enabled
            and model.kind == "single"
            and "text" in model.capabilities
            and may_use(model, allowed)
            for model in self._catalog.models()
        )
        return [self._auto_entry()] if any(usable) else []

    async def choose(self, caller: Caller, body: ChatBody | ChatCompletionRequest) -> Chosen | None:
        """Return who answers a request to `auto`; None for other models. Raises Forbidden, Invalid."""
        if body.model != AUTO:
            return None
        _check_scope(caller, "chat")
        return await self._auto.choose(caller, body)

    def passes_on(self, caller: Caller, name: str, endpoint: Endpoint = "chat/completions") -> bool:
        """Return whether requests to a model can be passed on as they are. Raises NotFound, Forbidden."""
        if name.startswith(PREFIX):
            return False
        return self._gateway.passes_on(self._model(caller, name), endpoint)

    def pass_on(self, caller: Caller, body: ChatBody, raw: bytes, chosen: Chosen | None = None) -> PassedCall:
        """Return a call that passes a request on, ready to be read. Raises NotFound, Forbidden, Invalid."""
        passed = read_passed(
            raw, "chat/completions", stream=bool(body.stream), include_usage=body.includes_usage
        )
        options = AskOptions(max_output_tokens=body.max_completion_tokens or body.max_tokens)
        model = self._model(caller, chosen.model_id if chosen else body.model)
        return _with_receipt(self._passed(caller, model, passed, options), chosen)

    def embed(self, caller: Caller, body: EmbeddingsBody, raw: bytes) -> PassedCall:
        """Return a call for embeddings, ready to be read. Raises NotFound, Forbidden, Invalid."""
        model = self._model(caller, body.model, "embeddings")
        if not self._gateway.passes_on(model, "embeddings"):
            raise Invalid(
                "model",
                f"model: Parley can't ask the provider of “{body.model}” for embeddings.",
                "Choose a model of a provider that speaks OpenAI's dialect.",
            )
        return self._passed(caller, model, read_passed(raw, "embeddings"), NO_OPTIONS)

    def draw(self, caller: Caller, body: ImagesBody) -> TranslatedCall:
        """Return a call for pictures, ready to be read. Raises NotFound, Forbidden, Invalid."""
        model = self._model(caller, body.model, "images")
        if not model.draws:
            raise Invalid(
                "model",
                f"model: “{body.model}” answers with texts too.",
                "Ask it for pictures in a chat completion, or choose a model that only draws.",
            )
        options = AskOptions(picture=settings_of(body))
        call = self._call(caller, model, (Message("user", body.prompt),))
        return TranslatedCall(
            self._calls, msgspec.structs.replace(call, options=options), int(self._clock.now())
        )

    @staticmethod
    def check_pictures(caller: Caller) -> None:
        """Raise Forbidden for a key that may not be used for pictures."""
        _check_scope(caller, "images")

    async def ask(
        self, caller: Caller, body: ChatCompletionRequest, chosen: Chosen | None = None
    ) -> TranslatedCall:
        """Return a call that is ready to be read; nothing is asked before. Raises NotFound, Forbidden, Invalid."""
        chosen = chosen or await self.choose(caller, body)
        prompt = await self._prompts.find(caller, body.model) if body.model.startswith(PREFIX) else None
        model = self._model(caller, prompt.model_id if prompt else chosen.model_id if chosen else body.model)
        options = options_of(body)
        messages = await messages_of(self._gateway.blobs, caller.person_id, body.messages)
        if prompt is not None:
            options = prompt.options(options)
            messages = prompt.messages(body.metadata or {}, messages)
        if model.kind == "ensemble":
            _check_talk(model, messages)
        call = msgspec.structs.replace(self._call(caller, model, messages), options=options)
        return _with_receipt(TranslatedCall(self._calls, call, int(self._clock.now())), chosen)

    def interrupt(self) -> None:
        """End every call that is being answered."""
        self._calls.interrupt()

    @property
    def blobs(self) -> Blobs | None:
        """The store of pictures; None without one."""
        return self._gateway.blobs

    def _passed(self, caller: Caller, model: Model, passed: Passed, options: AskOptions) -> PassedCall:
        call = self._call(caller, model, texts_of(passed))
        return PassedCall(self._calls, msgspec.structs.replace(call, passed=passed, options=options))

    @staticmethod
    def _call(caller: Caller, model: Model, messages: tuple[Message, ...]) -> Call:
        return Call(
            owner_id=caller.person_id,
            purpose=PURPOSE,
            key_id=caller.key.id if caller.key else None,
            model_id=model.id,
            messages=messages,
        )

    def _model(self, caller: Caller, name: str, able_to: Capability = "text") -> Model:
        _check_scope(caller, _SCOPE_OF.get(able_to, "chat"))
        model = find_model(self._catalog.models(), name, able_to)
        if model is None:
            raise NotFound(
                f"There is no model “{name}” that can be asked.",
                "GET /v1/models lists all.",
                code="model_not_found",
            )
        if not may_use(model, _allowed(caller)):
            raise Forbidden(
                f"This API key may not use “{name}”.",
                "Use a model that the key allows, or make another key.",
                code="model_not_allowed",
            )
        return model

    def _auto_entry(self) -> ModelEntry:
        return ModelEntry(id=AUTO, created=self._opened_at, owned_by="parley", name="Auto")

    def _entry(self, model: Model) -> ModelEntry:
        return ModelEntry(
            id=model.id, created=self._opened_at, owned_by=model.organization or "parley", name=model.name
        )


def _with_receipt(call: CallT, chosen: Chosen | None) -> CallT:
    call.receipt = chosen.receipt if chosen else None
    return call


def _allowed(caller: Caller) -> Sequence[str] | None:
    return caller.key.models if caller.key else None


def _check_scope(caller: Caller, scope: KeyScope) -> None:
    """Raise Forbidden for a key without a right."""
    if caller.key is not None and scope not in caller.key.scopes:
        raise Forbidden(
            f"This API key may not be used for {_USES[scope]}.",
            "Make a key that may, in Parley under Settings, API keys.",
            code="key_without_scope",
        )


_SCOPE_OF: dict[Capability, KeyScope] = {"embeddings": "embeddings", "images": "images"}
"""The right that asking for something needs, where it is not that of chats."""

_USES: dict[KeyScope, str] = {
    "chat": "chats",
    "embeddings": "embeddings",
    "images": "pictures",
    "read": "reading",
}


def _check_talk(model: Model, messages: Sequence[Message]) -> None:
    """Raise Invalid for a conversation that an ensemble can't take: the last message is its question."""
    if messages[-1].role != "user":
        raise Invalid(
            "messages",
            f"messages: {model.name} answers a question, so the last message must be the user's.",
            "Put the question last.",
        )
