"""Moderation: the port by which rules decide whether a prompt is sent, and whether a reply is shown."""

from typing import Literal, Protocol, TypeAlias

import msgspec

from parley.kernel.errors import Forbidden

Moment: TypeAlias = Literal["prompt", "reply"]
"""The moments of a decision: before a prompt is sent, and after a reply has ended."""


class Utterance(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a person, or a model's answer to them: `texts`, each of which is checked by itself.

    `author_id`: the person, in the space of `owner_id`. `purpose`: as in a call. `turn_id` and `reply_id` are None
    outside a turn; `model_id` is that of a reply, `answer` its text and reasoning. `blind`: its match is blind.
    `filed`: findings are stored for review; not where the same words are checked again at their proper place.
    `stopped`: somebody stopped the answer before its end.
    `sealed`: they are of a sealed session, so findings are stored without the words.
    """

    moment: Moment
    texts: tuple[str, ...]
    owner_id: str
    author_id: str
    purpose: str
    turn_id: str | None = None
    reply_id: str | None = None
    model_id: str | None = None
    answer: tuple[str, str] = ("", "")
    blind: bool = False
    filed: bool = True
    stopped: bool = False
    sealed: bool = False


class Held(Forbidden):
    """A rule holds a prompt or a reply for review; `prompt_held` or `reply_held`."""

    code = "prompt_held"


def prompt_held() -> Held:
    """Return the error of a prompt that is not sent."""
    return Held(
        "This message was held for review, so it was not sent to any model.",
        "It is kept for the administrators, and nothing was paid. Change it and send it again, or ask an administrator "
        "to release it first.",
    )


def reply_held() -> Held:
    """Return the error of a reply that is not shown."""
    return Held(
        "This reply was held for review, so it is not shown.",
        "It is kept for the administrators, and your message is saved. Ask in other words, or ask an administrator to "
        "release the reply.",
        code="reply_held",
    )


class Moderator(Protocol):
    """Decides by rules. What no rule applies to must cost nothing, so `watches` is asked first."""

    def watches(self, moment: Moment) -> bool:
        """Return whether any rule applies at a moment."""
        ...

    @property
    def checks_before_showing(self) -> bool:
        """True if a reply is shown only once it has been checked."""
        ...

    async def check(self, utterance: Utterance) -> None:
        """Check texts, and store what a rule finds. Raises Held."""
        ...


class NoRules:
    """A moderator without rules."""

    checks_before_showing = False

    def watches(self, moment: Moment) -> bool:  # noqa: ARG002 - the port has it
        """Return False."""
        return False

    async def check(self, utterance: Utterance) -> None:
        """Do nothing: nothing is watched."""
