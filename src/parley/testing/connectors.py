"""Reading a connector's answers to their end, checked against the contract."""

from dataclasses import dataclass, field

import msgspec

from parley.kernel.connector import (
    ChatRequest,
    Chunk,
    Connector,
    Delta,
    Finish,
    FinishReason,
    Made,
    Progress,
    Rethought,
    Usage,
)
from parley.kernel.messages import Message, ToolCall
from parley.kernel.options import NO_OPTIONS, AskOptions


@dataclass
class Answer:
    """The output of a connector. `pieces` are the deltas' texts; `finish` is None if the stream broke off."""

    text: str = ""
    reasoning: str = ""
    pieces: list[str] = field(default_factory=list[str])
    tool_calls: list[ToolCall] = field(default_factory=list[ToolCall])
    made: list[Made] = field(default_factory=list[Made])
    finish: FinishReason | None = None
    usage: Usage | None = None


async def read_answer(
    connector: Connector, model: str, *messages: str | Message, options: AskOptions = NO_OPTIONS
) -> Answer:
    """Ask a connector and return its answer; a text is sent as a user's message.

    Raises what the connector raises (`UpstreamError` by its contract), and AssertionError for chunks in an order that
    the contract forbids.
    """
    conversation = tuple(each if isinstance(each, Message) else Message("user", each) for each in messages)
    request = ChatRequest(model=model, messages=conversation, **msgspec.structs.asdict(options))
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
        case Rethought():
            answer.reasoning, answer.text = answer.reasoning + answer.text, ""
        case Made():
            answer.made.append(chunk)
        case Progress():
            pass
        case ToolCall():
            answer.tool_calls.append(chunk)
        case Usage():
            answer.usage = chunk
        case Finish(reason=reason):
            answer.finish = reason
