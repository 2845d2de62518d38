"""The most that a call may use, estimated from above before it is sent."""

import re

import msgspec

from parley.engine.drawing import pictures_of
from parley.kernel.budget import Need
from parley.kernel.connector import ChatRequest
from parley.kernel.messages import FilePart, ImagePart, Message, text_of
from parley.kernel.models import Model
from parley.kernel.prices import Prices

MARGIN = 1.15
"""Tokenizers differ; the estimate is raised by this."""

MESSAGE_TOKENS = 8
"""The tokens that separate a message from others."""

PICTURE_TOKENS = 2_000
"""A large picture takes 1,600 at Anthropic, up to 1,500 at OpenAI, 260 to 1,300 at Google."""

FILE_TOKENS, BYTES_PER_FILE_TOKEN = 3_000, 20
"""A page of a PDF takes up to 3,000 tokens, as text and as a picture; dense ones have about 60 kB."""

USUAL_TOKENS = 8_192
REASONING_TOKENS = 32_768
"""The limits of an answer that are set where a question has none; reasoning counts in them."""

LEAST_TOKENS = 256

FREE = Prices(0.0, 0.0)

_PIECE = re.compile(r"[A-Z]?[a-z]{1,4}|[A-Z]{1,2}|[^\sA-Za-z]|\s{2,}|[\r\n\t]")
"""A piece of text that is one token at most times, and seldom more: short runs of letters, single digits and signs."""


def need_of(model: Model | None, request: ChatRequest) -> Need:
    """Return the most that a call may use."""
    capabilities = model.capabilities if model is not None else ()
    read = input_bound(request)
    usual = REASONING_TOKENS if "reasoning" in capabilities else USUAL_TOKENS
    window = model.context_window if model is not None else None
    if window is not None:
        usual = max(LEAST_TOKENS, min(usual, window - read))
    writes = request.passed is None or request.passed.endpoint == "chat/completions"
    return Need(
        input_tokens=read,
        output_tokens=request.max_output_tokens if writes else 0,
        usual_tokens=usual,
        answers=request.passed.answers if request.passed is not None else 1,
        images=pictures_of(model, request.picture) or int(request.pictures),
        prices=_prices_of(model),
    )


def input_bound(request: ChatRequest) -> int:
    """Return the most tokens that the input is likely to have."""
    tokens = sum(_message_tokens(message, request.attached) for message in request.messages)
    if request.tools:
        tokens += text_tokens(msgspec.json.encode(request.tools).decode())
    if request.json_schema is not None:
        tokens += text_tokens(msgspec.json.encode(request.json_schema).decode())
    if request.passed is not None:
        # The messages' texts are counted as messages: a picture within them is no text.
        others = (raw for name, raw in request.passed.fields.items() if name not in ("messages", "input"))
        tokens += sum(text_tokens(bytes(raw).decode("utf-8", "replace")) for raw in others)
    return int(tokens * MARGIN) + 1


def text_tokens(text: str) -> int:
    """Return a number of tokens that a text seldom exceeds with any tokenizer."""
    pieces = sum(1 for _ in _PIECE.finditer(text))
    if text.isascii():
        return pieces
    return pieces + (len(text.encode("utf-8", "replace")) - len(text)) // 4


def _message_tokens(message: Message, attached: dict[str, bytes]) -> int:
    tokens = MESSAGE_TOKENS + text_tokens(text_of(message))
    for call in message.tool_calls:
        tokens += MESSAGE_TOKENS + text_tokens(call.name + call.arguments)
    for part in message.content if not isinstance(message.content, str) else ():
        if isinstance(part, ImagePart):
            tokens += PICTURE_TOKENS
        elif isinstance(part, FilePart):
            tokens += FILE_TOKENS + len(attached.get(part.sha256, b"")) // BYTES_PER_FILE_TOKEN
    return tokens


def _prices_of(model: Model | None) -> Prices | None:
    """Return a model's prices; models of this computer without any cost nothing."""
    if model is None:
        return None
    return FREE if model.prices is None and model.local else model.prices
