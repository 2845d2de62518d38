"""How a call to a model ended, and what its reply is then."""

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


class Heard(msgspec.Struct):
    """How a call to a model ended."""

    finish: FinishReason | None = None
    problem: Problem | None = None
    stalled: bool = False
    calls: list[ToolCall] = msgspec.field(default_factory=list[ToolCall])

    def settle(self, speech: Speech) -> ReplyStatus:
        """Return what the reply is now, with its problem set: only a model that is done and said something is complete.

        A tool call says something too. What a filter ended is not complete: where its text ends is not the model's
        choice.
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
