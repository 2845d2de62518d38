"""Chat: one chosen model answers."""

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from parley.kernel.messages import Message, Part, TextPart, text_of
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.options import AskOptions
from parley.kernel.outline import Outline, once_each
from parley.kernel.seats import Group, Seat, Seating

MAX_CHARS = 200_000
MOST_MESSAGES = 50


class PromptedMessage(BaseModel):
    """A message of a prompt."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["system", "user", "assistant"]
    text: str = Field(max_length=MAX_CHARS)


class Prompted(BaseModel):
    """A version of a prompt. `place` in its messages takes what the person says; without one it precedes the talk.

    `sha256` is the version's hash.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: str = Field(max_length=64)
    messages: tuple[PromptedMessage, ...] = Field(min_length=1, max_length=MOST_MESSAGES)
    place: str | None = Field(default=None, max_length=80)
    temperature: float | None = Field(default=None, ge=0, le=2)
    max_output_tokens: int | None = Field(default=None, ge=1)
    seed: int | None = None
    json_schema: dict[str, Any] | None = None

    @property
    def options(self) -> AskOptions:
        """The options of every question."""
        return AskOptions(
            temperature=self.temperature,
            max_output_tokens=self.max_output_tokens,
            seed=self.seed,
            json_schema=self.json_schema,
        )

    def around(self, history: Sequence[Message], question: Message) -> tuple[Message, ...]:
        """Return the conversation with the prompt's messages in it."""
        system = tuple(Message(it.role, it.text) for it in self.messages if it.role == "system")
        others = tuple(Message(it.role, it.text) for it in self.messages if it.role != "system")
        if self.place is None or not any(self.place in it.text for it in self.messages):
            return (*system, *others, *history, question)
        filled = tuple(self._filled(it, question) for it in (*system, *others))
        return (*filled[: len(system)], *history, *filled[len(system) :])

    def _filled(self, message: Message, question: Message) -> Message:
        text = text_of(message)
        if not self.place or self.place not in text:
            return message
        text = text.replace(self.place, text_of(question))
        if isinstance(question.content, str) or message.role != "user":
            return Message(message.role, text)
        parts: tuple[Part, ...] = tuple(it for it in question.content if not isinstance(it, TextPart))
        return Message(message.role, (TextPart(text), *parts))


class ChatBrief(Brief):
    """Settings of a chat. A `prompt` of the Prompt Lab stands around every question."""

    system_prompt: str | None = None
    prompt: Prompted | None = None


class Chat(Mode[ChatBrief]):
    """One chosen model answers; the conversation is its history."""

    name = "chat"
    title = "Chat"
    summary = "One model you choose"
    brief = ChatBrief
    seating = Seating(groups=(Group("assistant"),), settings=True)
    takes_files = True
    sealable = True
    voice = "assistant"

    async def play(self, stage: Stage, brief: ChatBrief) -> None:
        """Ask the one seat; its own rules replace the chat's."""
        (seat,) = stage.seats
        if brief.prompt is not None:
            messages = brief.prompt.around(stage.history(seat), stage.user_message(seat))
            await stage.ask(seat, messages, options=brief.prompt.options, tools=True)
        elif not brief.system_prompt or seat.settings.system_prompt:
            await stage.ask(seat, tools=True)
        else:
            rules = Message("system", brief.system_prompt)
            await stage.ask(seat, (rules, *stage.history(seat), stage.user_message(seat)), tools=True)

    def outline(self, brief: ChatBrief, seats: Sequence[Seat]) -> Outline:
        """Return one call, which reads the prompt or the system prompt too."""
        if brief.prompt is not None:
            return once_each(seats, "".join(it.text for it in brief.prompt.messages))
        return once_each(seats, brief.system_prompt)
