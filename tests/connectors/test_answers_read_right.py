"""Scenarios of servers that differ: each answer is read with the right text, reasoning, end and usage."""

import msgspec
import pytest

from parley.connectors.openai.answer_reader import AnswerReader
from parley.connectors.openai.faults import error_from_chunk, error_from_response
from parley.kernel.connector import Delta, Finish, Rethought, Usage
from parley.wire.sse import SseDecoder


def chunk(delta: dict[str, object] | None = None, finish: str | None = None) -> bytes:
    return event({"choices": [{"index": 0, "delta": delta or {}, "finish_reason": finish}]})


def event(document: object) -> bytes:
    return b"data: " + msgspec.json.encode(document) + b"\n\n"


def words(text: str, finish: str | None = None) -> list[bytes]:
    return [chunk({"content": word}, finish) for word in text.split("|")]


def usage(**fields: object) -> bytes:
    return event({"choices": [], "usage": fields})


def thinks(field: str, value: object) -> list[bytes]:
    return [chunk({field: value}), *words("Four."), STOP, DONE]


def read(pieces: list[bytes]) -> tuple[str, str, str | None, Usage | None]:
    """Return text, reasoning, finish reason and usage of a stream."""
    reader, decoder = AnswerReader(1 << 20), SseDecoder()
    for piece in pieces:
        reader.feed_all(decoder.feed(piece))
    reader.feed_all(decoder.end())
    text, reasoning, finish = "", "", None
    for part in reader.end():
        if isinstance(part, Rethought):
            text, reasoning = "", reasoning + text
        elif isinstance(part, Finish):
            finish = part.reason
        elif isinstance(part, Delta) and part.channel == "text":
            text += part.text
        elif isinstance(part, Delta):
            reasoning += part.text
    return text, reasoning, finish, reader.usage()


ROLE, STOP, DONE = chunk({"role": "assistant", "content": ""}), chunk({}, "stop"), b"data: [DONE]\n\n"
FOUR, SUM = ("Four.", "", "stop"), ("Two and two are four.", "", "stop")
THOUGHT = ("Four.", "I add.", "stop")

SCENARIOS: dict[str, tuple[list[bytes], tuple[str, str, str | None]]] = {
    "close-only": ([ROLE, *words("I |add.|\n</think>|\n\nFour.|"), STOP, DONE], THOUGHT),
    "close-only-split": ([ROLE, *words("I add.|</th|ink>|Four."), STOP, DONE], THOUGHT),
    "close-only-mistral": ([ROLE, *words("I add.|[/TH|INK]|Four."), STOP, DONE], THOUGHT),
    "think-quoted": ([*words("Write `|</think>|` last."), STOP], ("Write `</think>` last.", "", "stop")),
    "think-usual": ([ROLE, *words("<think>|I add.|</think>|Four."), STOP, DONE], THOUGHT),
    "thinking-tag": ([*words("<thin|king>|I add.|</thinking>|Four."), STOP, DONE], THOUGHT),
    "think-mistral": ([*words("[THI|NK]I add.[/THINK]|Four."), STOP, DONE], THOUGHT),
    "harmony": (
        [
            *[chunk({"content": piece}) for piece in ("<|chan", "nel|>analysis<|mess", "age|>I add.<|e")],
            *[
                chunk({"content": "nd|><|start|>assistant"}),
                chunk({"content": "<|channel|>final<|message|>Four."}),
            ],
            STOP,
        ],
        THOUGHT,
    ),
    "field-reasoning": (thinks("reasoning", "I add."), THOUGHT),
    "field-reasoning-content": (thinks("reasoning_content", "I add."), THOUGHT),
    "field-thinking": (thinks("thinking", "I add."), THOUGHT),
    "field-object": (thinks("reasoning", {"content": "I add."}), THOUGHT),
    "field-details": (thinks("reasoning_details", [{"type": "reasoning.text", "text": "I add."}]), THOUGHT),
    "part-thinking": (thinks("content", [{"type": "thinking", "thinking": [{"text": "I add."}]}]), THOUGHT),
    "part-reasoning": (thinks("content", [{"type": "reasoning", "text": "I add."}]), THOUGHT),
    "end-one-newline": ([ROLE, *words("Fo|ur."), STOP[:-1]], FOUR),
    "end-no-newline": ([ROLE, *words("Fo|ur."), STOP[:-2]], FOUR),
    "end-no-newline-word": ([ROLE, *words("Fo"), chunk({"content": "ur."}, "stop")[:-2]], FOUR),
    "end-done-no-newline": ([ROLE, *words("Fo|ur."), STOP, DONE[:-2]], FOUR),
    "end-cut": ([ROLE, *words("Fo|ur."), STOP[:-9]], ("Four.", "", None)),
    "stop-every": ([chunk({"content": ""}, "stop"), *words("Two and two |are four.", "stop"), DONE], SUM),
    "stop-first-words": ([*words("Two ", "stop"), *words("and two are four."), STOP, DONE], SUM),
    "stop-first-cut": ([*words("Two ", "stop"), *words("and two ")], ("Two and two ", "", None)),
    "finish-null-text": ([*words("Two and two |are four.", "null"), STOP, DONE], SUM),
    "finish-none-text": ([*words("Two and two |are four.", "None"), STOP, DONE], SUM),
    "finish-none-only": (words("Two and two |are four.", "None"), ("Two and two are four.", "", None)),
    "finish-empty": ([*words("Two and two |are four.", ""), STOP, DONE], SUM),
    "finish-eos": ([*words("Two and two |are four."), chunk({}, "eos"), DONE], SUM),
    "stop-reasoning": (
        [chunk({"reasoning": "I "}, "stop"), chunk({"reasoning": "add."}, "stop"), *words("Four."), STOP],
        THOUGHT,
    ),
    "reason-only-length": ([chunk({"reasoning": "I add."}), chunk({}, "length")], ("", "I add.", "length")),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_answer_is_read_right(name: str) -> None:
    pieces, expected = SCENARIOS[name]
    assert read(pieces)[:3] == expected


def said(text: str) -> list[bytes]:
    return [chunk({"content": text}), STOP]


def other(choice: dict[str, object], **fields: object) -> list[bytes]:
    return [event({"choices": [{"index": 0, **choice}], **fields})]


SPELLINGS = {
    "close-space": words("I add.|</think >|Four."),
    "close-capital": words("I add.|</TH|INK>|Four."),
    "close-reasoning": words("I add.|</reasoning>|Four."),
    "close-kimi": words("I add.|◁/think▷|Four."),
    "close-command": said("I add.<|END_THINKING|><|START_RESPONSE|>Four.<|END_RESPONSE|>"),
    "close-harmony": said("I add.<|end|><|start|>assistant<|channel|>final<|message|>Four."),
    "close-after-quotation": words('He adds "2"|</think>|Four.'),
    "close-after-a-stray-tick": words("It`s a sum.\n|</think>|Four."),
    "open-capital": words("<TH|INK>|I add.|</THINK>|Four."),
    "open-attribute": words('<think ti|me="3">|I add.|</think>|Four.'),
    "open-byte-order-mark": words("\ufeff<think>|I add.|</think>|Four."),
    "open-reason": words("<reason>|I add.|</reason>|Four."),
    "open-reasoning": words("<reaso|ning>|I add.|</reasoning>|Four."),
    "open-of-thought": said(
        "<|begin_of_thought|>I add.<|end_of_thought|><|begin_of_solution|>Four.<|end_of_solution|>"
    ),
    "harmony-whole": said(
        "<|start|>assistant<|channel|>analysis<|message|>I add.<|end|>"
        "<|start|>assistant<|channel|>final<|message|>Four.<|return|>"
    ),
    "command-whole": said("<|START_THINKING|>I add.<|END_THINKING|><|START_RESPONSE|>Four.<|END_RESPONSE|>"),
    "bare-harmony": words("anal|ysisI add.|assistant|finalFour."),
    "bare-harmony-of-several": said("analysisI add.assistantfinalFour."),
    "bare-harmony-lines": words("analysis|\nI add.|\nassistant\nfinal\n|Four."),
    "bare-harmony-whole": said("assistantanalysisI add.assistantfinalFour."),
    "bare-harmony-after-a-space": said("analysis I add.assistantfinal Four."),
    "bare-harmony-commentary": said("commentaryI add.assistantfinalFour."),
    "field-reasoning-text": thinks("reasoning_text", "I add."),
    "field-thoughts": thinks("thoughts", "I add."),
    "field-blocks": thinks("thinking_blocks", [{"type": "thinking", "thinking": "I add."}]),
    "field-beside": thinks("provider_specific_fields", {"reasoning_content": "I add."}),
}


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("packet", [0, 1])
def test_thoughts_in_other_spellings_are_thoughts(name: str, packet: int) -> None:
    text, reasoning, _, _ = read(SPELLINGS[name])
    pieces = SPELLINGS[name] if not packet else list(_by_letter(SPELLINGS[name]))
    assert read(pieces)[:2] == (text, reasoning)
    thought = reasoning.removeprefix("He adds").removeprefix("It`s a")
    assert text == "Four."
    assert thought.strip() in ("I add.", '"2"', "sum.")


def _by_letter(pieces: list[bytes]) -> list[bytes]:
    """Return the same answer, its text in chunks of one letter."""
    single: list[bytes] = []
    for piece in pieces:
        delta = msgspec.json.decode(piece[6:])["choices"][0]["delta"] if piece != DONE else {}
        content = delta.get("content")
        single += [chunk({"content": letter}) for letter in content] if isinstance(content, str) else [piece]
    return single


@pytest.mark.parametrize(
    "text",
    [
        "Close it with `</think>` and go on.",
        'The tag "</think>" ends it.',
        "In code `a </think> b` it is text.",
        "Write:\n```\n</think>\n```\nThat is all.",
        "Write <think> first, then </think>.",
        "Use **</think>** here.",
        "analysis = 5",
        "analysisData = load()",
        "analysis of the channel",
        "assistants help",
        "analysis: none",
    ],
)
def test_an_answer_about_the_tags_stays_an_answer(text: str) -> None:
    for pieces in (said(text), [*(chunk({"content": letter}) for letter in text), STOP]):
        assert read(pieces)[:2] == (text, "")


@pytest.mark.parametrize(
    "pieces",
    [
        other({"delta": {"content": {"type": "text", "text": "Four."}}, "finish_reason": "stop"}),
        other({"delta": {"content": ["Four."]}, "finish_reason": "stop"}),
        other({"delta": {"content": "Four.", "reasoning": False}, "finish_reason": "stop"}),
        other({"delta": {"content": "Four."}, "index": "0", "finish_reason": "stop"}),
        other({"delta": {"content": "Four."}, "finish_reason": {"type": "stop"}}),
        other({"delta": {"content": "Four."}, "finishReason": "STOP"}),
        other({"text": "Four.", "finish_reason": "stop"}),
        [event({"choices": {"delta": {"content": "Four."}, "finish_reason": "stop"}})],
        other({"delta": {"content": "Four."}, "finish_reason": "FinishReason.STOP"}),
    ],
)
def test_a_chunk_of_another_shape_is_read_for_its_meaning(pieces: list[bytes]) -> None:
    assert read(pieces)[:3] == FOUR


@pytest.mark.parametrize(
    ("reason", "meaning"),
    [
        *[(name, None) for name in ("NULL", "unknown", "streaming", "continue", "-", "N/A", "not finished")],
        *[
            (name, None)
            for name in ("FINISH_REASON_UNSPECIFIED", "timeout", "load", "network_error", "aborted")
        ],
        *[
            (name, "length")
            for name in ("MAX_TOKENS", "FinishReason.MAX_TOKENS", "max_output_tokens", "limit")
        ],
        *[(name, "length") for name in ("model_context_window_exceeded", "token_limit")],
        *[(name, "content_filter") for name in ("SAFETY", "image_safety", "blocked")],
        *[(name, "stop") for name in ("STOP", "end_turn", "stop_sequence", "COMPLETE", "OTHER", "eos_token")],
    ],
)
def test_a_finish_reason_means_one_thing(reason: str, meaning: str | None) -> None:
    assert read([*words("Four."), chunk({}, reason)])[2] == meaning


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 2,
                "total_tokens": 412,
                "completion_tokens_details": {"reasoning_tokens": 400},
            },
            Usage(10, 402, 400),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 402,
                "total_tokens": 412,
                "completion_tokens_details": {"reasoning_tokens": 400},
            },
            Usage(10, 402, 400),
        ),
        ({"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 412}, Usage(10, 402, 400)),
        (
            {"prompt_tokens": 10000, "completion_tokens": 10, "prompt_cache_hit_tokens": 9000},
            Usage(10000, 10, 0, 9000),
        ),
        (
            {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12, "cost": 0.0123},
            Usage(10, 2, cost_micros=12300),
        ),
        ({"prompt_tokens": 10.0, "completion_tokens": 2.0, "total_tokens": 12.0}, Usage(10, 2)),
    ],
)
def test_usage_is_counted_right(fields: dict[str, object], expected: Usage) -> None:
    assert read([ROLE, *words("Four."), STOP, usage(**fields), DONE])[3] == expected


@pytest.mark.parametrize(
    ("status", "body", "code", "wait_s"),
    [
        (
            429,
            '{"error":{"message":"Quota.","details":[{"retryDelay":"17s"}]}}',
            "upstream_rate_limited",
            17.0,
        ),
        (429, '{"error":{"message":"Please try again in 850ms."}}', "upstream_rate_limited", 0.85),
        (503, '{"error":{"code":503,"message":"Loading model"}}', "upstream_loading", 2.0),
        (500, '{"error":{"message":"Context size has been exceeded."}}', "upstream_context_too_long", None),
        (
            500,
            '{"error":{"message":"image input is not supported - provide the mmproj"}}',
            "upstream_rejected",
            None,
        ),
        (
            404,
            '{"error":{"message":"No endpoints found that support image input"}}',
            "upstream_rejected",
            None,
        ),
        (403, '{"error":{"message":"Input was flagged by moderation"}}', "upstream_rejected", None),
        (401, '{"error":{"message":"Incorrect API key"}}', "upstream_key_rejected", None),
        (429, '{"error":{"message":"Please retry in 1m30s."}}', "upstream_rate_limited", 90.0),
        (429, '{"error":{"message":"retry after 1 hour"}}', "upstream_rate_limited", 3600.0),
        (429, '{"message":"Too many requests, wait 5 seconds"}', "upstream_rate_limited", 5.0),
        (503, '{"error":"Model x is currently loading","estimated_time":20.0}', "upstream_loading", 2.0),
        (503, '{"detail":"Model not ready, warming up"}', "upstream_loading", 2.0),
        (500, '{"error":{"message":"this model is text-only"}}', "upstream_rejected", None),
        (500, '{"error":"input length 9000 exceeds max_model_len 8192"}', "upstream_context_too_long", None),
        (
            500,
            '{"error":{"message":"Input tokens exceed the configured limit of 272000 tokens."}}',
            "upstream_context_too_long",
            None,
        ),
        (500, '{"error":{"message":"KV cache is full"}}', "upstream_overloaded", None),
    ],
)
def test_the_text_of_a_refusal_decides_before_its_status(
    status: int, body: str, code: str, wait_s: float | None
) -> None:
    error = error_from_response(status, body)
    assert (error.leaf_code, error.retry_after_s) == (code, wait_s)


@pytest.mark.parametrize(
    "payload",
    [
        b'{"error":{"message":"Context size has been exceeded."}}',
        b'{"error":"Context size has been exceeded."}',
        b'{"error":{"message":"context overflow","type":"server_error","code":500}}',
        b'{"error":{"message":"The model has reached its context limit"}}',
    ],
)
def test_a_context_that_is_exceeded_within_a_stream_is_said(payload: bytes) -> None:
    assert error_from_chunk(payload).leaf_code == "upstream_context_too_long"
