"""The connector for providers that any-llm-sdk reaches through their own libraries."""

import asyncio
import logging
from abc import abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from importlib import import_module
from typing import Any

import msgspec

from parley.connectors.anyllm import faults
from parley.connectors.anyllm.known_providers import Fields, Spoken
from parley.connectors.openai.answer_reader import AnswerReader
from parley.connectors.openai.connector import AFTER_FINISH_S
from parley.connectors.openai.drawing import HEARTBEAT_S, drawing_fields, pictures_in
from parley.connectors.openai.faults import check_key, error_from_response
from parley.connectors.openai.request import RequestFormat, encode_request
from parley.connectors.pictures import interrupted, progress_until, restarted
from parley.kernel.connector import ChatRequest, Chunk, Connector, Progress
from parley.kernel.errors import BrokenOff, Rejected, Unreachable, UpstreamError
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest
from parley.wire.http import HttpClient
from parley.wire.sdk_clients import guarded_client


class AnyLLMStream(Connector):
    """Streams from a provider through any-llm-sdk, which is loaded when it is first asked.

    The library's chunks have the shape of the OpenAI dialect, so that they are read as its chunks are.
    """

    def __init__(self, provider: Provider, client: HttpClient, spoken: Spoken) -> None:
        self._spoken = spoken
        self._address = spoken.address(provider.base_url)
        self._key = (provider.api_key or "").strip() or None
        self._secrets = (self._key,)
        self._client = client
        self._opening = asyncio.Lock()
        self._opened: Any = None

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield deltas, complete tool calls, one Finish and the last Usage.

        An answer that breaks off after its first chunk ends without a Finish. Raises UpstreamError.
        """
        sdk = await self._sdk()
        question = await asyncio.to_thread(_question, request, counts=self._spoken.counts)
        reader = AnswerReader(self._client.options.max_answer_bytes, self._secrets)
        started, failure = False, None
        answer = self._answer(sdk, question)
        try:
            while (chunk := await _next(answer, reader)) is not None:
                reader.feed(chunk.model_dump_json(exclude_none=True).encode())
                for piece in reader.drain():
                    started = True
                    yield piece
                if reader.error is not None:
                    break
                # A library takes 0.2 ms for each chunk, and many may have come at once.
                await asyncio.sleep(0)
        except Exception as error:  # noqa: BLE001 - libraries raise whatever they like
            failure = faults.typed(error, self._secrets)
        finally:
            await answer.aclose()
        for piece in reader.end():
            yield piece
        if usage := reader.usage():
            yield usage
        failure = failure or reader.error
        if failure is not None and not reader.finished and not (started and isinstance(failure, Unreachable)):
            raise failure from None

    async def prepare(self) -> None:
        """Load the provider's library. Raises Rejected."""
        await self._sdk()

    async def _sdk(self) -> Any:
        """Return the provider's object of any-llm-sdk. Raises Rejected."""
        if self._opened is None:
            if self._key is None:
                # The library would look for one in the environment, that was given to another program.
                raise Rejected(
                    f"{self._spoken.title} needs a key.",
                    "Enter the provider's key in Models, or set api_key in the model list.",
                    code="upstream_key_rejected",
                )
            check_key(self._key)
            async with self._opening:
                if self._opened is None:
                    # Importing takes a second or two.
                    self._opened = await asyncio.to_thread(self._open, self._key)
        return self._opened

    def _open(self, key: str) -> Any:
        try:
            sdk = import_module("any_llm").AnyLLM
            # It warns in every call of what it adds itself.
            logging.getLogger("any_llm").setLevel(logging.ERROR)
            return sdk.create(self._spoken.name, api_key=key, unified_exceptions=True, **self._taken())
        except ImportError:
            raise faults.not_installed(self._spoken.title, self._spoken.extra) from None
        except Exception as error:  # noqa: BLE001 - libraries raise whatever they like
            raise faults.typed(error, self._secrets) from None

    @abstractmethod
    def _taken(self) -> Fields:
        """Return what the provider's library is opened with, besides the key. Raises ImportError."""

    @abstractmethod
    def _answer(self, sdk: Any, question: Fields) -> AsyncGenerator[Any]:
        """Yield the library's chunks of an answer. Raises what the library raises."""


class AnyLLMConnector(AnyLLMStream):
    """Streams from a provider whose library takes our HTTP client, so that every request goes through it."""

    async def list_models(self) -> Sequence[str]:
        """Return the names that the provider lists, in its order. Raises UpstreamError."""
        sdk = await self._sdk()
        try:
            models = await sdk.alist_models()
        except Exception as error:  # noqa: BLE001 - libraries raise whatever they like
            raise faults.typed(error, self._secrets) from None
        return list(dict.fromkeys(str(model.id).removeprefix("models/") for model in models))

    async def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield the pictures of a model that draws, where any-llm-sdk can ask for them. Raises UpstreamError.

        Once the request may have been taken, a failure is final: a picture is not paid for twice.
        """
        sdk = await self._sdk()
        if not sdk.SUPPORTS_IMAGE_GENERATION:
            raise Rejected(
                f"{self._spoken.title} can't be asked for pictures through any-llm.",
                "Choose another model, or correct its capabilities in Models.",
                code="provider_without_pictures",
            )
        if request.earlier_job is not None:
            raise restarted()
        answer = asyncio.ensure_future(sdk.aimage_generation(**drawing_fields(request, streams=False)))
        try:
            async with aclosing(progress_until(answer, HEARTBEAT_S)) as waiting:
                async for each in waiting:
                    yield each
            document = answer.result()
        except Exception as error:  # noqa: BLE001 - libraries raise whatever they like
            failure = faults.typed(error, self._secrets)
            if isinstance(failure, BrokenOff):
                yield Progress()
                failure = interrupted()
            raise failure from None
        for chunk in pictures_in(document.model_dump_json(exclude_none=True).encode(), request):
            yield chunk

    def _taken(self) -> Fields:
        client = guarded_client(self._spoken.library, self._client, self._refusal)
        return self._spoken.takes(self._address, client) if self._spoken.takes else {}

    async def _answer(self, sdk: Any, question: Fields) -> AsyncGenerator[Any]:
        answer = await sdk.acompletion(**question)
        try:
            async for chunk in answer:
                yield chunk
        finally:
            if hasattr(answer, "aclose"):
                await answer.aclose()

    def _refusal(self, status: int, body: bytes, retry_after_s: float | None) -> UpstreamError:
        return error_from_response(status, body, retry_after_s=retry_after_s, secrets=self._secrets)


def _question(request: ChatRequest, *, counts: bool) -> Fields:
    """Return the arguments of a call: those of the OpenAI dialect, which any-llm-sdk translates."""
    return msgspec.json.decode(encode_request(request, RequestFormat(stream_options=counts)))


async def _next(answer: AsyncGenerator[Any], reader: AnswerReader) -> Any:
    """Return the next chunk; None at the end, and soon after the finish reason."""
    try:
        async with asyncio.timeout(AFTER_FINISH_S if reader.finished else None):
            return await anext(answer, None)
    except TimeoutError:
        if reader.finished:
            return None
        raise
