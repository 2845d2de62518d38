"""The table of upstream faults: what a model's server does, and what the reply must be.

One row of the specification is one or more entries of `FAULTS`. Texts and codes are written down by
hand, never computed by the product. All are tried in tests/contracts/test_fault_table.py, one of each outcome
through a whole server in tests/api/test_upstream_faults.py.

Left to tests on a virtual clock, because they take real seconds: the true lengths of the limits and of
the pauses, a Retry-After of 3 s, the breaker's half minute (tests/engine/test_gateway.py), and the
heartbeat of 15 s (tests/engine/test_hub.py, test_feed.py). A server that goes silent after its finish
reason holds the end back for two seconds: tests/connectors/test_openai_faults.py.
"""

import gzip
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from tests.fakes.invariants import SECRET
from tests.fakes.upstream import (
    EVENT_STREAM,
    Hang,
    HangUp,
    Pause,
    Reset,
    Script,
    Step,
    delta,
    event,
)

Where = Literal["here", "refused", "silent", "nowhere", "in the clear"]
"""Whether the model's server is there at all."""

JSON = {"Content-Type": "application/json"}
LONG = 1_500_000
CONTEXT = "This model's maximum context length is 8192 tokens. Your messages resulted in 9000 tokens."
INVALID = b'data: {"choices":[{"index":0,"delta":{"content":"%b"}}]}\n\n'


@dataclass(frozen=True)
class Fault:
    """What the server does (`scripts`, in order, the last one again and again), and what must come of it.

    `asked`: how many requests for an answer reach it. `code` is the problem that an open viewer is told.
    """

    name: str
    scripts: tuple[Script, ...] = ()
    status: str = "failed"
    code: str | None = None
    text: str = ""
    reasoning: str = ""
    finish: str | None = None
    asked: int = 1
    usage: tuple[int, int] | None = None
    where: Where = "here"
    at_least: int | None = None
    """Where the text is a long run of x: how much of it must be kept; it may be up to 2 MB."""

    @property
    def whole(self) -> bool:
        return self.status == "completed"

    @property
    def impatient(self) -> bool:
        """Whether a limit of time decides what becomes of it: only then may the limits be short."""
        return self.code == "upstream_stalled" or self.where == "silent"

    @property
    def elsewhere(self) -> bool:
        """Whether another provider of the same model must be asked: nothing had arrived yet."""
        nothing = not (self.text or self.reasoning or self.at_least)
        return self.status == "failed" and nothing and self.code != "reply_empty"


def said(*parts: str | dict[str, Any] | Step, packet: int | None = None) -> tuple[Script, ...]:
    """One stream."""
    steps = tuple(event(part) if isinstance(part, str | dict) else part for part in parts)
    return (Script(steps, packet=packet),)


def refused(status: int, body: bytes | str, **headers: str) -> Script:
    """A refusal with a body."""
    raw = body if isinstance(body, bytes) else b'{"error":{"message":"%b"}}' % body.encode()
    return Script(
        (raw,), status, {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    )


def body(raw: bytes | str, content_type: str = "application/json") -> tuple[Script, ...]:
    """A whole body with status 200."""
    return (Script((raw if isinstance(raw, bytes) else raw.encode(),), 200, {"Content-Type": content_type}),)


def raw(head: bytes, *steps: Step) -> tuple[Script, ...]:
    """Bytes on the wire, without a head of the fake's own."""
    return (Script((), before=(head, *steps, HangUp())),)


STOP = delta(finish="stop")
DONE = "[DONE]"
FINE = Script((event(delta(content="Fine.")), event(STOP), event(DONE)))
BROKEN_OFF: dict[str, Any] = {"status": "incomplete", "code": "reply_incomplete"}
WHOLE: dict[str, Any] = {"status": "completed", "finish": "stop"}
ECHO = f"Incorrect API key provided: {SECRET}. You sent Authorization: Bearer {SECRET}"


def _connections() -> Iterable[Fault]:
    """Refused, unroutable, DNS failure, TLS error: at most two retries, never plain HTTP."""
    yield Fault("refused", where="refused", code="upstream_unreachable", asked=0)
    yield Fault("unroutable", where="silent", code="upstream_unreachable", asked=0)
    yield Fault("name without an address", where="nowhere", code="upstream_unreachable", asked=0)
    yield Fault("no TLS", where="in the clear", code="upstream_tls", asked=0)


def _refusals() -> Iterable[Fault]:
    """401, 403, 400, 404, 422: no retry, plain words, the body shortened and redacted."""
    for status, message, code in (
        (401, ECHO, "upstream_key_rejected"),
        (403, f"No entry for key={SECRET}", "upstream_key_rejected"),
        (404, f"The model does not exist, says {SECRET}", "upstream_model_not_found"),
        (400, f"{CONTEXT} {SECRET}", "upstream_context_too_long"),
        (400, f"temperature must be below 2 ({SECRET})", "upstream_rejected"),
        (422, "messages: field required", "upstream_rejected"),
    ):
        yield Fault(f"{status} {code}", (refused(status, message),), code=code)
    long = b"<html><body>" + b"<p>sorry, " * 2000 + SECRET.encode()
    yield Fault("400 with a long page", (refused(400, long),), code="upstream_rejected")
    halved = b"<html>" + b"<b></b>" * 1166 + b" key " + SECRET.encode()
    yield Fault(
        "400 with a key at the end of what is read", (refused(400, halved),), code="upstream_rejected"
    )
    escaped = b'{"error":{"message":"bad s3cret\\u002dkey-of-the-provider, sorry"}}'
    yield Fault("401 with an escaped key", (refused(401, escaped),), code="upstream_key_rejected")
    deep = b"[" * 8000
    yield Fault("400 with a deeply nested body", (refused(400, deep),), code="upstream_rejected")


def _limits() -> Iterable[Fault]:
    """429 with Retry-After of every kind, 402: waited for only if short."""
    for after, asked in (
        ("0", 3),
        ("-1", 3),
        ("soon", 3),
        ("", 3),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 3),
        ("99999", 1),
        ("61", 1),
        ("1e9", 1),
        ("Fri, 31 Dec 2100 23:59:59 GMT", 1),
    ):
        script = refused(429, "slow down", Retry_After=after)
        yield Fault(f"429, again after {after!r}", (script,), code="upstream_rate_limited", asked=asked)
    once = (refused(429, "slow down", Retry_After="0.1"), FINE)
    yield Fault("429 once", once, text="Fine.", asked=2, **WHOLE)
    yield Fault("402", (refused(402, "Insufficient credits"),), code="upstream_payment")


def _overload() -> Iterable[Fault]:
    """5xx: at most two retries."""
    for status in (500, 502, 503, 504, 529):
        yield Fault(f"{status}", (refused(status, "oops"),), code="upstream_overloaded", asked=3)
    twice = (refused(503, "loading"), refused(502, b"<html>bad gateway</html>"), FINE)
    yield Fault("503, 502, then fine", twice, text="Fine.", asked=3, **WHOLE)
    never = Script((b"half a reason", Hang()), status=500)
    yield Fault("500 whose body never ends", (never,), code="upstream_stalled", asked=1)


def _no_answers() -> Iterable[Fault]:
    """200 with an error or a page; errors inside the stream keep what had come."""
    limit = f'{{"error":{{"message":"rate limited {SECRET}","type":"rate_limit_error"}}}}'
    yield Fault("200 with an error", body(limit), code="upstream_rate_limited", asked=3)
    yield Fault("200 with a plain error", body('{"error":"it broke"}'), code="upstream_error")
    page = f"<!DOCTYPE html><html><body>Sign in with {SECRET}</body></html>"
    yield Fault("200 with a page", body(page, "text/html"), code="upstream_garbled")
    yield Fault("200 with a page as a stream", body(page, "text/event-stream"), code="upstream_garbled")
    yield Fault("200 with odd JSON", body("[[1, 2], {}]"), code="upstream_garbled")
    yield Fault("200 with half a JSON", body('{"choices":[{"mess'), code="upstream_garbled")
    yield Fault("200 with deep JSON", body("[" * 100_000), code="upstream_garbled")
    yield Fault("200 with nothing", body(""), code="reply_empty")
    for shape, last in (
        ("object", event({"error": {"message": f"it broke {SECRET}", "type": "odd"}})),
        ("text", event({"error": f"it broke {SECRET}"})),
        ("of kind error", event({"object": "error", "message": "it broke", "code": 40303})),
        ("event", b'event: error\ndata: {"message": "it broke"}\n\n'),
        ("event in plain words", b"event: error\ndata: it broke\n\n"),
        ("beside choices", event({"choices": [], "error": {"message": "it broke", "code": "odd"}})),
    ):
        parts = (delta(content="so far "), delta(content="so good"), last, delta(content="never said"), DONE)
        yield Fault(
            f"error inside the stream: {shape}", said(*parts), code="upstream_error", text="so far so good"
        )


def _slowness() -> Iterable[Fault]:
    """Slow first byte, stall: the idle limit makes it incomplete."""
    late = said(Pause(0.15), delta(content="Late."), STOP, DONE)
    yield Fault("slow first byte", late, text="Late.", **WHOLE)
    yield Fault("no first byte", said(Hang()), code="upstream_stalled", asked=1)
    yield Fault("no head", (Script((), before=(Hang(),)),), code="upstream_stalled", asked=1)
    stall: dict[str, Any] = {"status": "incomplete", "code": "upstream_stalled", "text": "half"}
    yield Fault("stall", said(delta(content="half"), Hang()), **stall)
    comments = [part for _ in range(40) for part in (b": still here\n\n", Pause(0.05))]
    yield Fault("only comments after the first word", said(delta(content="half"), *comments), **stall)
    empty = [part for _ in range(40) for part in ({"choices": []}, Pause(0.05))]
    yield Fault("only empty chunks after the first word", said(delta(content="half"), *empty), **stall)


def _breaks() -> Iterable[Fault]:
    """Reset or end without a finish reason: incomplete, never "stop"; a finish without [DONE] is fine."""
    for name, end in (("reset", (Reset(),)), ("cut", (HangUp(),)), ("end of body", ())):
        parts = (delta(content="half an "), delta(content="answer"), Pause(0.02), *end)
        yield Fault(f"{name} in mid-answer", said(*parts), text="half an answer", **BROKEN_OFF)
    for name, end in (("reset", Reset()), ("cut", HangUp())):
        before = (Script((), before=(end,)),)
        yield Fault(f"{name} before the head", before, code="upstream_interrupted", asked=3)
        yield Fault(f"{name} after the head", said(Pause(0.02), end), code="upstream_interrupted", asked=3)
        finished = said(delta(content="whole"), STOP, Pause(0.02), end)
        yield Fault(f"{name} after the finish reason", finished, text="whole", **WHOLE)
    for word in ("abort", "error", "cancelled"):
        given_up = said(delta(content="half"), delta(finish=word), DONE)
        yield Fault(f"finish reason {word!r}", given_up, text="half", **BROKEN_OFF)
    yield Fault("no [DONE]", said(delta(content="whole"), STOP), text="whole", **WHOLE)
    yield Fault(
        "[DONE] without a finish reason", said(delta(content="half"), DONE), text="half", **BROKEN_OFF
    )
    yield Fault("[DONE] alone", said(DONE), code="reply_empty")
    yield Fault("finish alone", said(STOP, DONE), code="reply_empty")
    thought = said(delta(reasoning_content="hm"), STOP, DONE)
    yield Fault("only thoughts", thought, code="reply_empty", reasoning="hm")
    cut = said(delta(reasoning_content="hm"))
    yield Fault("cut off while it thinks", cut, reasoning="hm", **BROKEN_OFF)
    short = raw(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 5000\r\n\r\n",
        event(delta(content="half")),
        Pause(0.02),
    )
    yield Fault("shorter than its Content-Length", short, text="half", **BROKEN_OFF)
    chunked = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    piece = event(delta(content="half"))
    broken = raw(
        chunked, b"%x\r\n%b\r\n" % (len(piece), piece), Pause(0.02), b"ZZZ\r\nno chunk\r\n", Pause(0.02)
    )
    yield Fault("broken chunked encoding", broken, code="upstream_garbled", text="half")
    yield Fault("not HTTP", raw(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), code="upstream_garbled")
    yield Fault(
        "a head without end", raw(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000), code="upstream_garbled"
    )


def _framing() -> Iterable[Fault]:
    """The SSE standard: text is exact however it is framed and split; a few chunks may be unreadable."""
    story = 'naïve 日本 🜁👩‍👩‍👧 \\ " \n\t end'
    for packet in (1, 7):
        parts = (*(delta(content=character) for character in story), STOP, DONE)
        yield Fault(f"packets of {packet} bytes", said(*parts, packet=packet), text=story, **WHOLE)
    three = ("{broken", "[1]", '{"choices": 7}')
    some = said(delta(content="a"), *three, delta(content="b"), STOP, DONE)
    yield Fault("three malformed chunks", some, text="ab", **WHOLE)
    many = said(delta(content="a"), *three, "nonsense", delta(content="b"), STOP, DONE)
    yield Fault("four malformed chunks", many, code="upstream_garbled", text="a")
    frames = (
        b"\xef\xbb\xbf: hello\n\n"
        + event(delta(content="a")).replace(b"data: ", b"data:")
        + b": keep-alive\n\nretry: 7\n\nunknown: x\n\n"
        + b'id: 7\ndata: {"choices":[{"index":0,\ndata: "delta":{"content":"b"}}]}\n\n'
        + event(STOP)
        + event(DONE)
    )
    for name, line_end in (("LF", b"\n"), ("CRLF", b"\r\n"), ("CR", b"\r")):
        whole = (Script((frames.replace(b"\n", line_end),), packet=3),)
        yield Fault(f"BOM, comments, no space, multi-line data, {name}", whole, text="ab", **WHOLE)
    inside = said(
        delta(content="[DONE]"), delta(content="\ndata: [DONE]\n\n"), delta(content="!"), STOP, DONE
    )
    yield Fault("[DONE] inside the text", inside, text="[DONE]\ndata: [DONE]\n\n!", **WHOLE)


def _chunks() -> Iterable[Fault]:
    """Empty or missing choices, null delta, role only, usages, double finish: ignored or counted once."""
    odd: tuple[dict[str, Any], ...] = (
        {"choices": []},
        {"choices": None},
        {},
        {"choices": [None]},
        {"choices": [{"index": 0, "delta": None, "finish_reason": None}]},
        {"choices": [{"delta": {"role": "assistant"}}]},
        {"choices": [{"delta": {"content": ""}}]},
        delta(content="another answer", index=1),
    )
    after = (delta(content=" after"), STOP, STOP, DONE, delta(content="after done"))
    parts = (*odd, delta(content="a"), *odd, delta(content="b"), STOP, *after)
    yield Fault("odd chunks, double finish, text after finish", said(*parts), text="ab after", **WHOLE)

    def used(content: str | None, tokens: int, prompt: int = 5, **fields: Any) -> dict[str, Any]:
        usage = {"prompt_tokens": prompt, "completion_tokens": tokens}
        return {**delta(content=content, **fields), "usage": usage}

    each = said(
        used("a", 1), used("b", 2), used(None, 2, finish="stop"), {"choices": [], "usage": None}, DONE
    )
    yield Fault("usage in every chunk", each, text="ab", usage=(5, 2), **WHOLE)
    last = said(
        delta(content="a"), STOP, {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 9}}, DONE
    )
    yield Fault("usage in the last chunk", last, text="a", usage=(5, 9), **WHOLE)
    early = said(used("half", 3))
    yield Fault("usage, then cut off", early, text="half", usage=(5, 3), **BROKEN_OFF)
    for name, usage in (
        ("words", {"prompt_tokens": "many", "completion_tokens": None}),
        ("negative", {"prompt_tokens": -5, "completion_tokens": -7}),
        ("fractions", {"prompt_tokens": 1.5, "completion_tokens": 2.25}),
        ("beyond 32 bits", {"prompt_tokens": 3_000_000_000, "completion_tokens": 4_000_000_000}),
        ("beyond 64 bits", {"prompt_tokens": 10**19, "completion_tokens": 10**30}),
        ("whose price is beyond 64 bits", {"prompt_tokens": 2**62, "completion_tokens": 2**62}),
    ):
        absurd = said(delta(content="a"), STOP, {"choices": [], "usage": usage}, DONE)
        yield Fault(f"usage in {name}", absurd, text="a", **WHOLE)


def _characters() -> Iterable[Fault]:
    """Invalid UTF-8, a character split over chunks, NUL: U+FFFD for the invalid."""
    for name, contents, text in (
        ("an invalid byte", (b"a\xffb",), "a\ufffdb"),
        ("a character split over chunks", (b"caf\xc3", b"\xa9!"), "café!"),
        ("an emoji split over chunks", (b"\xf0\x9f", b"\x99\x82"), "🙂"),
        ("surrogates split over chunks", (b"\\ud83d", b"\\ude42"), "🙂"),
        ("half a surrogate pair", (b"x\\ud83d", b"y"), "x\ufffdy"),
        ("NUL", (b"nul \\u0000 and \x00",), "nul \ufffd and \ufffd"),
        ("half a character at the end", (b"end\xe2\x82",), "end\ufffd"),
    ):
        parts = (*(INVALID % content for content in contents), STOP, DONE)
        yield Fault(name, said(*parts), text=text, **WHOLE)


def _thoughts() -> Iterable[Fault]:
    """reasoning_content, reasoning and inline <think>: a channel of their own."""
    for name in ("reasoning_content", "reasoning"):
        thoughts: list[dict[str, Any]] = [{name: "let me "}, {name: "see"}]
        parts = (*(delta(**thought) for thought in thoughts), delta(content="42"), STOP, DONE)
        yield Fault(name, said(*parts), text="42", reasoning="let me see", **WHOLE)
    inline = "\n<think>\nweigh </thin it</think>\n\nThe <think>answer</think> is 4."
    parts = (*(delta(content=inline[at : at + 5]) for at in range(0, len(inline), 5)), STOP, DONE)
    think: dict[str, Any] = {"text": "The <think>answer</think> is 4.", "reasoning": "weigh </thin it"}
    yield Fault("inline <think>", said(*parts), **think, **WHOLE)
    unclosed = said(delta(content="<think>on and on"), STOP, DONE)
    yield Fault("<think> that never closes", unclosed, code="reply_empty", reasoning="on and on")


def _tools() -> Iterable[Fault]:
    """Tool calls are assembled, never run when incomplete."""

    def call(index: int, arguments: str, **named: str) -> dict[str, Any]:
        function = {"arguments": arguments, **{key: value for key, value in named.items() if key == "name"}}
        return {"index": index, "id": named.get("id"), "type": "function", "function": function}

    parts = (
        delta(content="Let me look. "),
        delta(tool_calls=[call(0, '{"q": "a\\', id="c0", name="look")]),
        delta(tool_calls=[call(1, '{"x"', id="c1", name="add")]),
        delta(tool_calls=[call(0, 'u00e9"'), call(1, ": 1}")]),
        delta(tool_calls=[call(0, "}")]),
    )
    ended = said(*parts, delta(finish="tool_calls"), DONE)
    yield Fault(
        "tool calls interleaved", ended, status="completed", finish="tool_calls", text="Let me look. "
    )
    yield Fault("tool calls cut off", said(*parts), text="Let me look. ", **BROKEN_OFF)


def _bounds() -> Iterable[Fault]:
    """Huge line, huge answer, gzip bomb, redirect: bounded; the key never follows a redirect."""
    line = said(delta(content="a"), Pause(0.02), b"data: " + b"x" * ((1 << 20) + 10))
    yield Fault("a line of more than 1 MB", line, code="upstream_garbled", text="a")
    huge = said(*([event(delta(content="x" * 500_000))] * 6), STOP)
    yield Fault("an answer of more than 2 MB", huge, code="upstream_too_long", at_least=LONG)
    packed = {**EVENT_STREAM, "Content-Encoding": "gzip"}
    bomb = gzip.compress(b"data: " + b"x" * (100 << 20), 9)
    yield Fault("a gzip bomb", (Script((bomb,), headers=packed),), code="upstream_garbled")
    fine = gzip.compress(event(delta(content="packed")) + event(STOP) + event(DONE))
    yield Fault("gzip", (Script((fine,), headers=packed),), text="packed", **WHOLE)
    garbage = Script((b"\x1f\x8b\x08\x00 this is no gzip at all",), headers=packed)
    yield Fault("gzip that is none", (garbage,), code="upstream_garbled")
    for status in (301, 307):
        away = Script((b"",), status, {**JSON, "Location": "http://localhost:9/v1/chat/completions"})
        yield Fault(f"redirect {status}", (away,), code="upstream_redirect")


FAULTS: dict[str, tuple[Fault, ...]] = {
    "no connection": tuple(_connections()),
    "refusals": tuple(_refusals()),
    "rate limits and payment": tuple(_limits()),
    "overload": tuple(_overload()),
    "errors with status 200": tuple(_no_answers()),
    "slowness": tuple(_slowness()),
    "broken streams": tuple(_breaks()),
    "framing": tuple(_framing()),
    "odd chunks": tuple(_chunks()),
    "characters": tuple(_characters()),
    "thoughts": tuple(_thoughts()),
    "tool calls": tuple(_tools()),
    "bounds": tuple(_bounds()),
}
"""Every row of the specification's table, by row."""

FIRST_OF_ROW = tuple(next((fault for fault in row if not fault.whole), row[0]) for row in FAULTS.values())
ALL = tuple(fault for row in FAULTS.values() for fault in row)
