"""Asks models for the Prompt Lab, through the model gateway; judges too."""

from contextlib import aclosing

import msgspec

from parley.engine.accounting import UNFINISHED, CallResult
from parley.engine.gateway import Gateway
from parley.engine.turn_queue import TurnQueue
from parley.features.catalog.service import CatalogService
from parley.features.lab.checks.contract import ToolCall as CalledTool
from parley.kernel.calls import Call
from parley.kernel.connector import Delta, Finish, FinishReason, Rethought
from parley.kernel.errors import Invalid, NotFound, ParleyError
from parley.kernel.messages import Message, ToolCall
from parley.kernel.models import Model
from parley.kernel.options import AskOptions

PURPOSE = "lab"
JUDGE_PURPOSE = "lab_judge"


class Spoken(msgspec.Struct, kw_only=True):
    """The end of a call: the text so far, its figures, and the error if it failed."""

    result: CallResult
    text: str = ""
    finish_reason: FinishReason | None = None
    tool_calls: tuple[CalledTool, ...] = ()
    error: ParleyError | None = None


class LabCalls:
    """Asks one model a question, outside of every turn."""

    def __init__(self, catalog: CatalogService, gateway: Gateway, queue: TurnQueue) -> None:
        self._catalog = catalog
        self._gateway = gateway
        self._queue = queue

    def model(self, model_id: str, field: str = "model") -> Model:
        """Return a single model that answers with text. Raises Invalid, naming it."""
        try:
            model = self._catalog.model(model_id)
        except NotFound:
            raise Invalid(
                field, f"There is no model “{model_id}”.", "Choose another one.", code="model_not_found"
            ) from None
        if model.kind != "single" or "text" not in model.capabilities or not model.enabled:
            raise Invalid(
                field,
                f"{model.name} can't be used in the Prompt Lab.",
                "Choose a single model that answers with text and is not paused.",
                code="model_not_found",
            )
        return model

    async def ask(
        self,
        owner_id: str,
        model_id: str,
        messages: tuple[Message, ...],
        options: AskOptions,
        *,
        author_id: str,
        purpose: str = PURPOSE,
        attempt: int = 1,
    ) -> Spoken:
        """Return what a model answers to `author_id`; a failure is a value. Waits for what a blind turn needs."""
        call = Call(
            owner_id=owner_id,
            purpose=purpose,
            model_id=model_id,
            messages=messages,
            options=options,
            attempt=attempt,
            author_id=author_id,
        )
        spoken = Spoken(result=CallResult())
        demand = self._gateway.demands.of([model_id])
        async with self._queue.place(owner_id, alone=False, demand=demand):
            try:
                await self._listen(call, spoken)
            except ParleyError as error:
                spoken.error = error
        return spoken

    async def _listen(self, call: Call, spoken: Spoken) -> None:
        async with aclosing(self._gateway.stream(call, spoken.result)) as chunks:
            async for chunk in chunks:
                if isinstance(chunk, Delta):
                    spoken.text += chunk.text if chunk.channel == "text" else ""
                elif isinstance(chunk, Rethought):
                    spoken.text = ""
                elif isinstance(chunk, ToolCall):
                    spoken.tool_calls += (_called(chunk),)
                elif isinstance(chunk, Finish):
                    spoken.finish_reason = chunk.reason
        if spoken.finish_reason is None:
            raise UNFINISHED


def _called(call: ToolCall) -> CalledTool:
    try:
        arguments = msgspec.json.decode(call.arguments or "{}", type=dict[str, object])
    except (msgspec.DecodeError, msgspec.ValidationError):
        arguments = {}
    return CalledTool(call.name, arguments)
