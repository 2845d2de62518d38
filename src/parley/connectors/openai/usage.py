"""Reading the usage of an answer, in the variants of the dialect's servers.

They differ in what includes what: OpenAI counts cached input within the prompt, and reasoning within the completion.
xAI and Gemini count reasoning beside the completion, some only in the total. Anthropic's own figures count cached input
beside the prompt. `total_tokens` tells which it is.
"""

import msgspec

from parley.kernel.connector import Usage

MAX_TOKENS = 10**9
"""No call has more; a larger number is a server's mistake and would not fit the database."""


class _PromptDetails(msgspec.Struct, gc=False):
    cached_tokens: float | None = None
    cache_write_tokens: float | None = None
    cache_creation_tokens: float | None = None


class _OutputDetails(msgspec.Struct, gc=False):
    reasoning_tokens: float | None = None


class _WireUsage(msgspec.Struct, gc=False):
    prompt_tokens: float | None = None
    completion_tokens: float | None = None
    input_tokens: float | None = None
    output_tokens: float | None = None
    total_tokens: float | None = None
    prompt_cache_hit_tokens: float | None = None
    cache_read_input_tokens: float | None = None
    cache_creation_input_tokens: float | None = None
    cost: object = None
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _OutputDetails | None = None
    input_tokens_details: _PromptDetails | None = None
    output_tokens_details: _OutputDetails | None = None


_USAGE = msgspec.json.Decoder(_WireUsage)


LONGEST_NAME = 200


def decode_usage(raw: bytes, model: object = None) -> Usage | None:
    """Return a chunk's usage, or None if it has none that can be read; `model` is what its chunk calls the model."""
    if not raw or raw == b"null":
        return None
    try:
        usage = _USAGE.decode(raw)
    except ValueError:
        return None
    read, cached, stored, is_native = _input_of(usage)
    written, reasoning = _output_of(usage)
    total, of_cache, estimated = _count(usage.total_tokens), cached + stored, False
    if is_native or of_cache > read or (of_cache and total - read - written == of_cache):
        read += of_cache
    beside = total - read - written
    if beside > 0 and (beside == reasoning or reasoning > written or not reasoning):
        # Some servers count the reasoning beside the answer, or only in the sum; it is billed as output.
        written, reasoning = written + beside, reasoning or beside
    elif reasoning > written:
        written += reasoning
    elif total and beside and not is_native:
        # The figures contradict each other: the higher ones count, as an estimate.
        written, estimated = written + max(beside, 0), True
    if max(read, written, reasoning, cached, stored) > MAX_TOKENS:
        return None
    return Usage(
        read,
        written,
        reasoning,
        cached,
        cost_micros=_micros(usage.cost),
        estimated=estimated,
        cache_written_tokens=stored,
        model=model[:LONGEST_NAME] if isinstance(model, str) else "",
    )


def _input_of(usage: _WireUsage) -> tuple[int, int, int, bool]:
    """Return the tokens of the input, those cached, those stored; and whether all are Anthropic's own."""
    details = usage.prompt_tokens_details or usage.input_tokens_details or _PromptDetails()
    own_read, own_stored = _count(usage.cache_read_input_tokens), _count(usage.cache_creation_input_tokens)
    cached = _count(details.cached_tokens or usage.prompt_cache_hit_tokens) or own_read
    stored = _count(details.cache_write_tokens or details.cache_creation_tokens) or own_stored
    is_native = usage.prompt_tokens is None and bool(own_read or own_stored)
    return _count(usage.prompt_tokens or usage.input_tokens), cached, stored, is_native


def _output_of(usage: _WireUsage) -> tuple[int, int]:
    """Return the tokens of the answer, and those of reasoning."""
    details = usage.completion_tokens_details or usage.output_tokens_details or _OutputDetails()
    return _count(usage.completion_tokens or usage.output_tokens), _count(details.reasoning_tokens)


def _count(tokens: float | None) -> int:
    return max(int(tokens or 0), 0)


def _micros(cost: object) -> int | None:
    """Return a cost in US dollars, as OpenRouter sends it, in micro-dollars."""
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return None
    return round(cost * 1_000_000) if 0 <= cost < 1000 else None
