"""Encoding requests to OpenAI's Responses API."""

from base64 import b64encode
from collections.abc import Iterator

import msgspec

from parley.connectors.openai.request import replace_surrogates
from parley.kernel.connector import ChatRequest
from parley.kernel.messages import FilePart, ImagePart, Message, TextPart, with_texts

Fields = dict[str, object]


def encode_responses_request(request: ChatRequest, *, summarised: bool) -> bytes:
    """Return the request's JSON body. `summarised` asks for the reasoning in short; the API takes no seed."""
    body: Fields = {
        "model": request.model,
        "input": [item for message in request.messages for item in _items(message, request.attached)],
        "stream": True,
        # Parley keeps the conversation itself.
        "store": False,
    }
    reasoning: Fields = {"summary": "auto"} if summarised else {}
    if request.reasoning_effort is not None:
        reasoning["effort"] = request.reasoning_effort
    if reasoning:
        body["reasoning"] = reasoning
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.max_output_tokens is not None:
        body["max_output_tokens"] = request.max_output_tokens
    if request.json_schema is not None:
        schema = {"type": "json_schema", "name": "answer", "strict": True, "schema": request.json_schema}
        body["text"] = {"format": schema}
    if request.tools:
        body["tools"] = [{"type": "function", **msgspec.structs.asdict(tool)} for tool in request.tools]
    return msgspec.json.encode(body)


def _items(message: Message, attached: dict[str, bytes]) -> Iterator[Fields]:
    """Yield a message as the API wants it: calls of tools and their results are items of their own."""
    message = with_texts(message, replace_surrogates)
    if message.role == "tool":
        yield {
            "type": "function_call_output",
            "call_id": message.tool_call_id,
            "output": _content(message, attached),
        }
        return
    if message.content or not message.tool_calls:
        yield {"role": message.role, "content": _content(message, attached)}
    for call in message.tool_calls:
        yield {
            "type": "function_call",
            "call_id": call.id,
            "name": call.name,
            "arguments": call.arguments,
        }


def _content(message: Message, attached: dict[str, bytes]) -> str | list[Fields]:
    if isinstance(message.content, str):
        return message.content
    kind = "output_text" if message.role == "assistant" else "input_text"
    return [
        {"type": kind, "text": part.text} if isinstance(part, TextPart) else _file(part, attached)
        for part in message.content
    ]


def _file(part: ImagePart | FilePart, attached: dict[str, bytes]) -> Fields:
    url = f"data:{part.media_type};base64,{b64encode(attached[part.sha256]).decode()}"
    if isinstance(part, ImagePart):
        return {"type": "input_image", "image_url": url}
    return {"type": "input_file", "filename": replace_surrogates(part.name), "file_data": url}
