"""How a model's stream ended, and which status its reply gets."""

import msgspec

from parley.engine.speech import Speech
from parley.kernel.connector import FinishReason
from parley.kernel.errors import Problem
from parley.kernel.messages import ToolCall
from parley.kernel.views import ReplyStatus
from parley.text.blankness import is_blank

INCOMPLETE = Problem(
    code="reply_incomplete",
    title="The answer broke off before the model said that it was done.",
    detail="What had come is kept. Ask again to get a whole answer.",
)
EMPTY = Problem(
    code="reply_empty",
    title="The model sent an empty answer.",
    detail="Ask again, or choose another model.",
)
FILTERED = Problem(
    code="reply_filtered",
    title="The provider's content filter ended this answer.",
    detail="What had come is kept. Ask in other words, or choose another model.",
)


class StreamEnd(msgspec.Struct):
    """How a model's stream ended: finish reason, problem, tool calls."""

    finish: FinishReason | None = None
    problem: Problem | None = None
    stalled: bool = False
    calls: list[ToolCall] = msgspec.field(default_factory=list[ToolCall])

    def settle(self, speech: Speech) -> ReplyStatus:
        """Return the reply's status and set its problem.

        A reply is complete only if the model finished by itself and sent text or a tool call. One that a content
        filter ended is incomplete.
        """
        if self.problem is not None:
            return "incomplete" if self.stalled and speech.length else "failed"
        if self.finish == "content_filter":
            self.problem = FILTERED
        elif self.finish is None and speech.length:
            self.problem = INCOMPLETE
        elif self.finish is None or (is_blank(speech.text.text()) and not self.calls):
            self.problem = EMPTY
            return "failed"
        else:
            return "completed"
        return "incomplete" if speech.length else "failed"
