"""The connector for models of llm's plugins, which reach their providers by themselves."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from typing import Any

from parley.connectors.llm_plugins import prompts
from parley.connectors.llm_plugins.plugins import LlmModel, LlmModels, load_models
from parley.connectors.openai.answer_reader import AnswerReader
from parley.connectors.openai.surrogates import encode_leniently
from parley.connectors.threads import Threads
from parley.kernel.connector import ChatRequest, Chunk, Connector
from parley.kernel.errors import Rejected, UpstreamError
from parley.kernel.models import Provider
from parley.wire.http import HttpClient
from parley.wire.redaction import excerpt

AT_MOST = 8
"""The models without an asynchronous form that answer at the same time; a provider may set fewer."""


class LlmConnector(Connector):
    """Asks models of llm's plugins: asynchronous ones directly, others in threads.

    Plugins report no finish reason: an answer that their provider cut off looks whole.
    """

    def __init__(self, provider: Provider, client: HttpClient) -> None:
        """Raises Rejected for a provider with a key: it would reach whichever plugin is asked."""
        if provider.api_key:
            raise Rejected(
                "A provider with the connector llm can't have a key.",
                "llm stores the keys of its plugins. Remove the key here, and run “llm keys set” with "
                "the name of the key.",
            )
        self.notices: Sequence[str] = ()
        self._limit = client.options.max_answer_bytes
        self._threads = Threads(min(provider.max_concurrency or AT_MOST, AT_MOST), "llm")

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield deltas, complete tool calls, one Finish and the usage if the plugin reports it. Raises UpstreamError.

        Who stops reading a model without an asynchronous form gets no more of it, but its thread goes on until its
        next piece.
        """
        model = await self._model(request.model)
        secrets = (_key_of(model.asynchronous or model.blocking),)
        reader = AnswerReader(self._limit, secrets)
        try:
            async with aclosing(self._payloads(request, model)) as payloads:
                async for payload in payloads:
                    reader.feed(payload)
                    for chunk in reader.drain():
                        yield chunk
                    if reader.error is not None:
                        break
        except Exception as error:  # noqa: BLE001 - plugins raise whatever they like
            reader.error = reader.error or _typed(error, secrets)
        for chunk in reader.end():
            yield chunk
        if usage := reader.usage():
            yield usage
        if reader.error is not None:
            raise reader.error from None

    async def prepare(self) -> None:
        """Load the plugins. Raises UpstreamError."""
        await self._models()

    async def list_models(self) -> Sequence[str]:
        """Return the models of all plugins that could be loaded. Raises UpstreamError."""
        return (await self._models()).ids

    async def _payloads(self, request: ChatRequest, model: LlmModel) -> AsyncGenerator[bytes]:
        """Yield an answer as chunks of the OpenAI dialect, so that one reader bounds and repairs all answers."""
        if model.asynchronous is None:
            async with aclosing(self._threads.each(lambda: _read(request, model.blocking))) as payloads:
                async for payload in payloads:
                    yield payload
            return
        response = prompts.ask(request, model.asynchronous)
        async with aclosing(response.astream_events()) as events:
            async for event in events:
                yield _piece(event)
        yield _end(await response.tool_calls(), response)

    async def _model(self, name: str) -> LlmModel:
        model = (await self._models()).by_name.get(name)
        if model is None:
            raise Rejected(
                "No llm plugin has this model.",
                "“llm models” lists all models. “parley doctor” lists plugins that could not be loaded.",
                code="upstream_model_not_found",
            )
        return model

    async def _models(self) -> LlmModels:
        try:
            models = await asyncio.to_thread(load_models)
        except ImportError:
            raise Rejected(
                "The library llm is not installed.",
                "Install it with: pip install 'parley[llm]'. Then restart Parley.",
                code="no_connector",
            ) from None
        self.notices = [f"The llm plugin {skipped} was skipped." for skipped in models.skipped]
        return models


def _typed(error: Exception, secrets: tuple[str | None, ...]) -> UpstreamError:
    if isinstance(error, UpstreamError):
        return error
    kind = type(error).__name__
    if kind == "NeedsKeyException":
        return Rejected("The model needs a key.", excerpt(str(error)), code="upstream_key_rejected")
    return UpstreamError(
        "This model's llm plugin failed.", f"It says: {excerpt(f'{kind}: {error}', secrets)}"
    )


def _key_of(model: Any) -> str | None:
    """Return the key that a model uses, which no error may show; None if it has none."""
    try:
        return model.get_key()
    except Exception:  # noqa: BLE001 - asked for it, the model says so itself
        return None


def _read(request: ChatRequest, model: Any) -> Iterator[bytes]:
    """Yield the answer of a model that has no asynchronous form; blocks."""
    response = prompts.ask(request, model)
    for event in response.stream_events():
        yield _piece(event)
    yield _end(response.tool_calls(), response)


def _piece(event: Any) -> bytes:
    field = {"text": "content", "reasoning": "reasoning"}.get(event.type)
    return _payload({field: event.chunk} if field and event.chunk else {})


def _end(calls: Sequence[Any], response: Any) -> bytes:
    """Return the last chunk: tool calls, the finish and the usage."""
    called = [
        {
            "index": number,
            "id": call.tool_call_id,
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for number, call in enumerate(calls)
    ]
    usage = {"prompt_tokens": response.input_tokens, "completion_tokens": response.output_tokens}
    known = all(isinstance(count, int) for count in usage.values())
    return _payload({"tool_calls": called}, finish_reason="stop", usage=usage if known else None)


def _payload(delta: dict[str, Any], *, finish_reason: str | None = None, usage: object = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return encode_leniently({"choices": [choice], "usage": usage}).encode()
