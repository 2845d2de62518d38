"""Answers as model servers send them, byte by byte, and what any part of them means by the standard.

What a part says is worked out here anew, in the plainest way, without the product's decoder: the whole
part is split into lines at once, its texts are joined, and only then are characters and tags looked for.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

from tests.fakes.upstream import delta


@dataclass(frozen=True)
class Recording:
    """One answer, as its server sent it."""

    name: str
    body: bytes


@dataclass(frozen=True)
class Said:
    """The content of the bytes; `finish` is None if no finish reason had arrived."""

    text: str
    reasoning: str
    finish: str | None


def read(part: bytes) -> Said:
    """Return the content of the beginning of a recording; an event without its blank line does not count."""
    contents: list[str] = []
    thoughts: list[str] = []
    for payload in _payloads(part):
        if payload == b"[DONE]":
            break
        chunk = json.JSONDecoder(strict=False).decode(payload.decode("utf-8", "surrogateescape"))
        for choice in chunk.get("choices") or []:
            said = choice.get("delta") or {}
            thoughts.append(said.get("reasoning_content") or "")
            contents.append(said.get("content") or "")
            if choice.get("finish_reason"):
                return _said(contents, thoughts, choice["finish_reason"])
    return _said(contents, thoughts, None)


def _payloads(part: bytes) -> list[bytes]:
    text = part.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    whole, blank, _ = text.rpartition(b"\n\n")
    events = (whole + blank).split(b"\n\n")
    lines = [[line for line in event.split(b"\n") if line.startswith(b"data:")] for event in events]
    return [b"\n".join(line[5:].removeprefix(b" ") for line in event) for event in lines if event]


def _said(contents: list[str], thoughts: list[str], finish: str | None) -> Said:
    text, reasoning = _mended("".join(contents)), _mended("".join(thoughts))
    inner = text.lstrip().removeprefix("<think>")
    if inner == text.lstrip():
        return Said(text, reasoning, finish)
    thought, closed, rest = inner.partition("</think>")
    if closed:
        return Said(rest.lstrip(), reasoning + thought.strip(), finish)
    return Said("", reasoning + thought.lstrip(), finish)


def _mended(text: str) -> str:
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    paired = re.sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", paired)
    return paired.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


# ── the recordings ───────────────────────────────────────────────────────────────────────────────


def _event(payload: str | bytes | dict[str, object]) -> bytes:
    if isinstance(payload, dict):
        raw = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()  # noqa: TID251 - see above
    else:
        raw = payload.encode() if isinstance(payload, str) else payload
    return b"data: " + raw + b"\n\n"


def _chunk(content: str | None = None, finish: str | None = None, **fields: Any) -> dict[str, object]:
    chunk = delta(content, finish=finish, **fields)
    return {"id": chunk["id"], "object": chunk["object"], "choices": chunk["choices"]}


_ROLE: dict[str, object] = {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}
_STOP = _chunk(finish="stop")
_USAGE: dict[str, object] = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 9}}


def _plain() -> bytes:
    words = ("Hello", ", world", "! A line\n", 'and "quotes" \\ too.')
    return b"".join(map(_event, (_ROLE, *map(_chunk, words), _STOP, _USAGE, "[DONE]")))


def _crlf() -> bytes:
    body = b": processing\n\n" + _plain().replace(b"data: {", b"event: message\nid: 4\ndata: {")
    return body.replace(b"\n", b"\r\n")


def _many_bytes() -> bytes:
    words = ("naïve ", "日本語の", "🜁👩‍👩‍👧 ", "e\u0301 ", "\u2028", "שלום", "𝄞.")
    return b"".join(map(_event, (*map(_chunk, words), _STOP, "[DONE]")))


def _thinking() -> bytes:
    thoughts = (_chunk(reasoning_content="Let me "), _chunk(reasoning_content="see… 🤔"))
    ended = {**_chunk(finish="stop"), "usage": _USAGE["usage"]}
    return b"".join(map(_event, (_ROLE, *thoughts, _chunk("It is "), _chunk("42."), ended, "[DONE]")))


def _inline_thinking() -> bytes:
    pieces = ("\n<thi", "nk>\nwei", "gh </thin", " it ", "</", "think>\n", "\nThe <think> ", "is 4.")
    return b"".join(map(_event, (*map(_chunk, pieces), _STOP, "[DONE]")))


def _tools() -> bytes:
    def call(index: int, arguments: str, name: str | None = None) -> dict[str, object]:
        named = {"id": f"call_{index}", "type": "function"} if name else {}
        function = {**({"name": name} if name else {}), "arguments": arguments}
        return _chunk(tool_calls=[{"index": index, **named, "function": function}])

    calls = (call(0, '{"q": "a\\', "look"), call(1, "", "add"), call(0, 'u00e9"}'), call(1, '{"x": 1}'))
    return b"".join(
        map(_event, (_chunk("Let me look."), *calls, _chunk(finish="tool_calls"), _USAGE, "[DONE]"))
    )


def _old_macs() -> bytes:
    lines = (
        b'\xef\xbb\xbf: hello\n\ndata:{"choices":[{"index":0,\ndata: "delta":{"content":"over two "}}]}\n\n',
        b"retry: 10\n\n",
        _event(_chunk("lines [DONE]\n\ndata: [DONE]")).replace(b"data: {", b"data:{", 1),
        _event(_STOP),
    )
    return b"".join(lines).replace(b"\n", b"\r")


def _cut_characters() -> bytes:
    pieces = (
        b"caf\xc3",
        b"\xa9 \xf0\x9f",
        b"\x99\x82 ",
        b"\\ud83d",
        b"\\ude42 ",
        b"lone \xff ",
        b"\\ud83d end",
    )
    raw = (b'{"choices":[{"index":0,"delta":{"content":"' + piece + b'"}}]}' for piece in pieces)
    return b"".join(map(_event, (*raw, _STOP, "[DONE]")))


RECORDINGS = (
    Recording("plain", _plain()),
    Recording("CRLF, comments, names", _crlf()),
    Recording("characters of many bytes", _many_bytes()),
    Recording("reasoning, usage with the finish", _thinking()),
    Recording("inline reasoning", _inline_thinking()),
    Recording("tool calls", _tools()),
    Recording("CR, BOM, multi-line data, no [DONE]", _old_macs()),
    Recording("characters cut by the server", _cut_characters()),
)

POSITIONS = tuple((number, at) for number, one in enumerate(RECORDINGS) for at in range(len(one.body) + 1))
"""Every place where a recording can be cut or split."""
