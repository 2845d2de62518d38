"""The demo connector: offline characters that stream like a server."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from parley.connectors.demo.answering import Speech, answer
from parley.connectors.demo.cadence import moments, pieces_of
from parley.connectors.demo.characters import CHARACTERS, Character
from parley.connectors.demo.conversations import SHIPPED, Library, read_library
from parley.connectors.demo.drawing import PAINTERS, draw
from parley.connectors.demo.faulty import FAULTS
from parley.connectors.demo.tool_use import tool_use
from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, Usage
from parley.kernel.errors import Invalid, Rejected
from parley.kernel.messages import (
    Channel,
    FilePart,
    Message,
    TextPart,
    ToolCall,
    attachments_of,
    text_of,
)
from parley.kernel.models import Provider
from parley.kernel.pictures import DrawRequest
from parley.wire.http import HttpClient

UNSEEN = "Your picture arrived, but a demo model plays recorded answers and can't read it."


class DemoConnector(Connector):
    """Answers without a network. `demo://?speed=50` as base URL is fifty times faster.

    `conversations` are more folders with data files.
    """

    def __init__(
        self, provider: Provider, client: HttpClient | None = None, *, conversations: Sequence[Path] = ()
    ) -> None:
        del client
        self._folders = (SHIPPED, *conversations)
        self._library: Library | None = None
        self._reading = asyncio.Lock()
        self._speed = _speed_of(provider.base_url)
        self._calls: dict[str, int] = {}

    async def stream(self, request: ChatRequest) -> AsyncIterator[Chunk]:
        """Yield the character's answer at its own pace, the same for the same request. Raises Rejected."""
        files = any(isinstance(part, FilePart) for part in attachments_of(request.messages))
        if request.json_schema is not None or files:
            raise Rejected(
                "Demo models read and write plain text only.",
                "Choose another model for files and JSON schemas.",
                code="upstream_text_only",
            )
        if fault := FAULTS.get(request.model):
            self._calls[request.model] = call = self._calls.get(request.model, 0) + 1
            async for chunk in fault(call, self._speed):
                yield chunk
            return
        character = CHARACTERS.get(request.model)
        if character is None:
            raise Rejected("The provider does not have this model.", code="upstream_model_not_found")
        use = tool_use(request) if request.tools else None
        if isinstance(use, ToolCall):
            await asyncio.sleep(character.first_token_s / self._speed)
            yield use
            yield Finish("tool_calls")
            yield Usage(sum(len(pieces_of(text_of(message))) for message in request.messages), 20)
            return
        if use is not None:
            speech = Speech(use)
            async for chunk in speak(request, speech, pace_of(character, speech, self._speed)):
                yield chunk
            return
        async with self._reading:
            if self._library is None:
                # Reading takes longer than other streams may wait for their next chunk.
                self._library = await asyncio.to_thread(read_library, *self._folders)
        questions = [_words(message) for message in request.messages]
        speech = answer(self._library, character, questions, request.seat_seed)
        if attachments_of(request.messages[-1:]):
            speech = replace(speech, text=f"{UNSEEN}\n\n{speech.text}")
        pace = pace_of(character, speech, self._speed)
        async for chunk in speak(request, speech, pace):
            yield chunk

    def draw(self, request: DrawRequest) -> AsyncIterator[Chunk]:
        """Yield a painter's picture, the same for the same request. Raises Rejected."""
        painter = PAINTERS.get(request.model)
        if painter is None:
            raise Rejected("The provider does not have this model.", code="upstream_model_not_found")
        return draw(painter, request, self._speed)

    async def list_models(self) -> Sequence[str]:
        """Return the ids of the characters and the painters."""
        return (*CHARACTERS, *PAINTERS)


def _words(message: Message) -> Message:
    """Return a message with the person's own words alone, for which answers are recorded."""
    if isinstance(message.content, str):
        return message
    texts = [part.text for part in message.content if isinstance(part, TextPart)]
    return Message(message.role, texts[-1] if texts else "")


class Pace:
    """Seconds until the first piece, and pieces per second after it."""

    def __init__(self, first_s: float, per_second: float, speed: float = 1.0) -> None:
        self.first_s = first_s / speed
        self.per_second = per_second * speed


def pace_of(character: Character, speech: Speech, speed: float) -> Pace:
    """Return the character's own pace, or a faster one if the reply has a time limit."""
    per_second = character.tokens_per_second
    if speech.within_s is not None:
        per_second = max(per_second, len(pieces_of(speech.text)) / speech.within_s)
    return Pace(character.first_token_s, per_second, speed)


async def speak(request: ChatRequest, speech: Speech, pace: Pace) -> AsyncIterator[Chunk]:
    """Yield a reply at a pace, then Finish and Usage; stop at the request's limit of output tokens."""
    thoughts = "" if request.reasoning_effort == "none" else speech.reasoning
    reasoning, text = pieces_of(thoughts), pieces_of(speech.text)
    pieces: list[tuple[Channel, str]] = []
    pieces.extend(("reasoning", piece) for piece in reasoning)
    pieces.extend(("text", piece) for piece in text)
    limit = request.max_output_tokens
    cut = limit is not None and len(pieces) > limit
    pieces = pieces[:limit] if cut else pieces
    rng = random.Random(f"{request.model}|{request.seat_seed}|{len(pieces)}")  # noqa: S311 - a rhythm, not a secret
    times = list(moments(len(pieces), first_s=pace.first_s, per_second=pace.per_second, rng=rng))
    clock = asyncio.get_running_loop()
    start = clock.time()
    position = 0
    while position < len(pieces):
        await asyncio.sleep(max(start + times[position] - clock.time(), 0))
        now = clock.time() - start
        channel = pieces[position][0]
        end = position + 1
        # All that is due by now is sent together: at high speeds the timer is the limit, not the pace.
        while end < len(pieces) and times[end] <= now and pieces[end][0] == channel:
            end += 1
        yield Delta(channel, "".join(piece for _, piece in pieces[position:end]))
        position = end
    yield Finish("length" if cut else "stop")
    yield Usage(
        input_tokens=sum(len(pieces_of(text_of(message))) for message in request.messages),
        output_tokens=len(pieces),
        reasoning_tokens=min(len(reasoning), len(pieces)),
    )


def _speed_of(base_url: str | None) -> float:
    if base_url is None:
        return 1.0
    stated = parse_qs(urlsplit(base_url).query).get("speed", ["1"])[0]
    try:
        speed = float(stated)
    except ValueError:
        speed = 0.0
    if not 0 < speed <= 1_000_000:
        raise Invalid("base_url", "The demo's speed must be a number above 0, as in demo://?speed=50.")
    return speed
