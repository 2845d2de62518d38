"""How a model's stream ended, and which status its reply gets."""

import msgspec

from parley.engine.live_reply import LiveReply
from parley.kernel.connector import FinishReason
from parley.kernel.errors import Problem
from parley.kernel.messages import ToolCall
from parley.kernel.views import ReplyStatus
from parley.text.blankness import is_blank

INCOMPLETE = Problem(
    code="reply_incomplete",
    title="The answer ended before it was complete.",
    detail="The part so far is saved. Ask again for a complete answer.",
)
EMPTY = Problem(
    code="reply_empty",
    title="The model sent an empty answer.",
    detail="Ask again, or choose another model.",
)
FILTERED = Problem(
    code="reply_filtered",
    title="The provider's content filter stopped this answer.",
    detail="The part so far is saved. Rephrase the prompt, or choose another model.",
)


class StreamEnd(msgspec.Struct):
    """How a model's stream ended: finish reason, problem, tool calls."""

    finish: FinishReason | None = None
    problem: Problem | None = None
    stalled: bool = False
    calls: list[ToolCall] = msgspec.field(default_factory=list[ToolCall])

    def status_of(self, reply: LiveReply) -> ReplyStatus:
        """Return the reply's status, and set `problem`.

        A reply is complete only if the model finished by itself and sent text or a tool call.
        """
        if self.problem is not None:
            return "incomplete" if self.stalled and reply.length else "failed"
        if self.finish == "content_filter":
            self.problem = FILTERED
        elif self.finish is None and reply.length:
            self.problem = INCOMPLETE
        elif self.finish is None or (is_blank(reply.text.text()) and not self.calls):
            self.problem = EMPTY
            return "failed"
        else:
            return "completed"
        return "incomplete" if reply.length else "failed"
