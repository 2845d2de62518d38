"""Answers of a connector, read to their end and checked against the contract."""

from dataclasses import dataclass, field

import msgspec

from parley.kernel.connector import ChatRequest, Chunk, Connector, Delta, Finish, FinishReason, Usage
from parley.kernel.messages import Message, ToolCall
from parley.kernel.options import NO_OPTIONS, AskOptions


@dataclass
class Answer:
    """What a connector yielded. `pieces` are the deltas' texts; `finish` is None where the stream broke off."""

    text: str = ""
    reasoning: str = ""
    pieces: list[str] = field(default_factory=list[str])
    tool_calls: list[ToolCall] = field(default_factory=list[ToolCall])
    finish: FinishReason | None = None
    usage: Usage | None = None


async def read_answer(
    connector: Connector, model: str, *said: str | Message, options: AskOptions = NO_OPTIONS
) -> Answer:
    """Ask a connector, and return what it says; a text is a person's message.

    Raises what the connector raises (`UpstreamError` by its contract), and AssertionError where chunks come in an
    order that the contract does not have.
    """
    messages = tuple(each if isinstance(each, Message) else Message("user", each) for each in said)
    request = ChatRequest(model=model, messages=messages, **msgspec.structs.asdict(options))
    answer = Answer()
    async for chunk in connector.stream(request):
        _take(answer, chunk)
    return answer


def _take(answer: Answer, chunk: Chunk) -> None:
    if answer.finish is not None and not isinstance(chunk, Usage):
        raise AssertionError(f"{chunk} came after the finish")
    match chunk:
        case Delta(channel=channel, text=text):
            if not text:
                raise AssertionError("a delta is never empty")
            answer.pieces.append(text)
            setattr(answer, channel, getattr(answer, channel) + text)
        case ToolCall():
            answer.tool_calls.append(chunk)
        case Usage():
            answer.usage = chunk
        case Finish(reason=reason):
            answer.finish = reason
