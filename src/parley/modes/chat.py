"""Chat: one chosen model answers."""

from parley.kernel.messages import Message
from parley.kernel.mode import Brief, Mode, Stage
from parley.kernel.seats import Seating


class ChatBrief(Brief):
    """Settings of a chat."""

    system_prompt: str | None = None


class Chat(Mode[ChatBrief]):
    """One chosen model answers; the conversation is its history."""

    name = "chat"
    title = "Chat"
    summary = "One model you choose"
    brief = ChatBrief
    seating = Seating(roles=("assistant",))

    async def play(self, stage: Stage, brief: ChatBrief) -> None:
        """Give the one seat the floor."""
        (seat,) = stage.seats
        if not brief.system_prompt:
            await stage.ask(seat)
            return
        rules = Message("system", brief.system_prompt)
        await stage.ask(seat, (rules, *stage.history(seat), Message("user", stage.prompt)))
