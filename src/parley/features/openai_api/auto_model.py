"""The model `auto`: Auto chooses who answers a conversation, and the receipt says why."""

import re
from collections.abc import Sequence

import msgspec

from parley.features.arena.routing import AUTO
from parley.features.auto.choosing import AutoContext, AutoQuestion, Decision
from parley.features.auto.service import CHARACTERS_PER_TOKEN, AutoService, why_none
from parley.features.openai_api.chat_schemas import ChatBody, ChatCompletionRequest
from parley.features.openai_api.model_ids import may_use
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid

__all__ = ["AUTO", "AutoModel", "ChatFields", "Chosen", "question_of"]

_NOT_PLAIN = re.compile(r"[^\x20-\x7e]")


class Chosen(msgspec.Struct, frozen=True):
    """The model that answers, and why: JSON in ASCII, as a header takes it."""

    model_id: str
    receipt: str


class _Part(msgspec.Struct, frozen=True):
    type: str = ""
    text: str | None = None


class _Message(msgspec.Struct, frozen=True):
    role: str
    content: str | list[_Part] | None = None

    @property
    def text(self) -> str:
        parts = [_Part("text", self.content)] if isinstance(self.content, str) else self.content or []
        return "\n".join(part.text for part in parts if part.text)

    @property
    def has_picture(self) -> bool:
        return isinstance(self.content, list) and any(part.type == "image_url" for part in self.content)


class _Function(msgspec.Struct, frozen=True):
    name: str = ""
    description: str | None = None


class _Tool(msgspec.Struct, frozen=True):
    function: _Function = _Function()


class _Format(msgspec.Struct, frozen=True):
    type: str = "text"


class ChatFields(msgspec.Struct, frozen=True):
    """The fields of a request that Auto reads."""

    messages: list[_Message]
    tools: list[_Tool] | None = None
    response_format: _Format | None = None

    @property
    def tool_words(self) -> tuple[str, ...]:
        """The words of the functions that the request offers."""
        functions = [tool.function for tool in self.tools or ()]
        return tuple(f"{function.name} {function.description or ''}" for function in functions)


class AutoModel:
    """Chooses by the whole request; nothing of it is stored, so every process chooses alike."""

    def __init__(self, auto: AutoService) -> None:
        self._auto = auto

    async def choose(self, caller: Caller, body: ChatBody | ChatCompletionRequest) -> Chosen:
        """Return who answers. Raises Invalid if no model can that the caller may ask.

        A conversation keeps to the model of its first question, while that can answer the latest one.
        """
        try:
            fields = msgspec.convert(body.model_dump(), ChatFields)
        except msgspec.ValidationError as error:
            raise Invalid("messages", f"messages: Auto can't read them: {error}.") from None
        questions = [message for message in fields.messages if message.role == "user"]
        context = AutoContext(tools=fields.tool_words)
        if len(questions) > 1:
            first = await self._decide(caller, question_of(fields, questions[:1]), context)
            context = msgspec.structs.replace(context, last_model=first.target, last_kind=first.kind)
        decision = await self._decide(caller, question_of(fields, fields.messages), context)
        if decision.target is None:
            raise Invalid(
                "model", "model: no model can answer this.", why_none(decision), code="no_model_fits"
            )
        return Chosen(decision.target, _receipt(decision))

    async def _decide(self, caller: Caller, question: AutoQuestion, context: AutoContext) -> Decision:
        allowed = caller.key.models if caller.key else None
        return await self._auto.decide(caller, question, context, lambda model: may_use(model, allowed))


def question_of(fields: ChatFields, messages: Sequence[_Message]) -> AutoQuestion:
    """Return the last question of some messages, with what a model must be able to do for all of them."""
    questions = [message.text for message in messages if message.role == "user"]
    return AutoQuestion(
        text=questions[-1] if questions else "",
        tokens=sum(len(message.text) for message in messages) // CHARACTERS_PER_TOKEN,
        picture=any(message.has_picture for message in messages),
        json=fields.response_format is not None and fields.response_format.type == "json_schema",
        tools=bool(fields.tools),
    )


def _receipt(decision: Decision) -> str:
    receipt = {
        "model": decision.target,
        "kind": decision.kind,
        "confidence": decision.confidence,
        "because": decision.because,
        "probability": decision.probability,
    }
    return _NOT_PLAIN.sub(_escaped, msgspec.json.encode(receipt).decode())


def _escaped(match: re.Match[str]) -> str:
    """Return a character as JSON escapes it."""
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
