"""Abilities: a request that a model can't handle is refused with a clear message before it is sent."""

from collections.abc import Sequence

from parley.kernel.errors import Rejected
from parley.kernel.messages import PLAIN_TEXT, FilePart, ImagePart, Message, attachments_of
from parley.kernel.models import Capability, Model
from parley.kernel.options import NO_OPTIONS, AskOptions


def check_able(model: Model, messages: Sequence[Message], options: AskOptions) -> None:
    """Raise Rejected, with a code for each cause, if a model can't handle a request."""
    if model.kind == "ensemble" and options != NO_OPTIONS:
        raise Rejected(
            f"{model.name} is an ensemble: its members use their own settings.",
            "Remove temperature, token limit, reasoning effort, seed, schema and tools from this seat, or choose a "
            "single model.",
            code="ensemble_takes_no_options",
        )
    for capability, what in _needed(messages, options):
        if capability not in model.capabilities:
            raise Rejected(
                f"{model.name} is not listed as able to {what}.",
                f"Choose a model with the capability “{capability}”, or add it to this model in the model list.",
                code=f"model_without_{capability}",
            )


def _needed(messages: Sequence[Message], options: AskOptions) -> list[tuple[Capability, str]]:
    """Return what a request needs besides text: each capability, and how to describe it to a person."""
    # What assistants made is handed over as far as the model can read it.
    parts = attachments_of([message for message in messages if message.role != "assistant"])
    kinds = {type(part) for part in parts if part.media_type != PLAIN_TEXT}
    needed: list[tuple[bool, Capability, str]] = [
        (ImagePart in kinds, "vision", "read pictures"),
        (FilePart in kinds, "files", "read files"),
        (bool(options.tools) or any(each.role == "tool" for each in messages), "tools", "call tools"),
        (options.reasoning_effort is not None, "reasoning", "take a reasoning effort"),
        (options.json_schema is not None, "json", "follow a JSON schema"),
    ]
    return [(capability, what) for is_needed, capability, what in needed if is_needed]
