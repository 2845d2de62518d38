"""The end of a model's stream, and the status that its reply gets."""

import msgspec

from parley.engine.accounting import CONNECTOR_BROKEN, CallResult
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
USED_UP = Problem(
    code="reply_empty",
    title="The model reached its token limit before it answered.",
    detail="Its reasoning is saved. Raise the token limit, or choose another model.",
)
ONLY_REASONING = Problem(
    code="reply_empty",
    title="The model sent its reasoning, but no answer.",
    detail="The reasoning is saved. Ask again, or choose another model.",
)
FILTERED = Problem(
    code="reply_filtered",
    title="The provider's content filter stopped this answer.",
    detail="The part so far is saved. Rephrase the prompt, or choose another model.",
)


BROKEN = Problem(
    code=CONNECTOR_BROKEN,
    title="Parley ran into an internal error while asking this model.",
    detail="Replies so far are saved. See the server's log for the cause. Ask again, or choose another model.",
)


class StreamEnd(msgspec.Struct):
    """The end of a model's stream: finish reason, problem, tool calls, and the gateway's result. `held`: by a rule."""

    finish: FinishReason | None = None
    problem: Problem | None = None
    stalled: bool = False
    held: bool = False
    calls: list[ToolCall] = msgspec.field(default_factory=list[ToolCall])
    result: CallResult = msgspec.field(default_factory=CallResult)

    def status_of(self, reply: LiveReply) -> ReplyStatus:
        """Return the reply's status, and set `problem`.

        A reply is complete only if the model finished by itself and sent text, a picture, a file or a tool call.
        """
        begun = bool(reply.length or reply.parts)
        if self.problem is not None:
            return "incomplete" if self.stalled and begun else "failed"
        if self.finish == "content_filter":
            self.problem = FILTERED
        elif self.finish is None and begun:
            self.problem = INCOMPLETE
        elif self.finish is None or (is_blank(reply.text.text()) and not (reply.parts or self.calls)):
            if self.finish == "length":
                self.problem = USED_UP
            else:
                self.problem = ONLY_REASONING if self.finish and reply.reasoning.length else EMPTY
            return "failed"
        else:
            return "completed"
        return "incomplete" if begun else "failed"
