"""Chat: one chosen model answers."""

from collections.abc import Sequence

from parley.kernel.messages import Message
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.outline import Outline, once_each
from parley.kernel.seats import Group, Seat, Seating


class ChatBrief(Brief):
    """Settings of a chat."""

    system_prompt: str | None = None


class Chat(Mode[ChatBrief]):
    """One chosen model answers; the conversation is its history."""

    name = "chat"
    title = "Chat"
    summary = "One model you choose"
    brief = ChatBrief
    seating = Seating(groups=(Group("assistant"),), settings=True)
    takes_files = True
    voice = "assistant"

    async def play(self, stage: Stage, brief: ChatBrief) -> None:
        """Ask the one seat; its own rules replace the chat's."""
        (seat,) = stage.seats
        if not brief.system_prompt or seat.settings.system_prompt:
            await stage.ask(seat, tools=True)
            return
        rules = Message("system", brief.system_prompt)
        await stage.ask(seat, (rules, *stage.history(seat), stage.said(seat)), tools=True)

    def outline(self, brief: ChatBrief, seats: Sequence[Seat]) -> Outline:
        """Return one call, which reads the system prompt too."""
        return once_each(seats, brief.system_prompt)
