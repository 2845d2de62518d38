"""Prompts as models of the OpenAI door: `prompt/NAME@label` is a version with its default model."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from parley.features.lab.prompts.body import PromptBody, Value
from parley.features.lab.prompts.schemas import PromptView
from parley.features.lab.prompts.service import PRODUCTION, PromptsService
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid, NotFound
from parley.kernel.messages import Message, text_of
from parley.kernel.options import AskOptions

PREFIX = "prompt/"


class PromptModel(NamedTuple):
    """A version of a prompt, ready to be asked. `name` is as the program wrote it."""

    name: str
    model_id: str
    body: PromptBody

    def messages(self, values: Mapping[str, Value], talk: Sequence[Message]) -> tuple[Message, ...]:
        """Return the version's messages before the conversation.

        The first text variable that has no value takes the last message of the conversation. Raises Invalid.
        """
        filled, rest = dict(values), tuple(talk)
        free = self.body.open_text(filled)
        if free is not None and rest and rest[-1].role == "user":
            filled[free.name], rest = text_of(rest[-1]), rest[:-1]
        messages = self.body.fill(filled, field="metadata")
        system = tuple(it for it in messages if it.role == "system")
        others = tuple(it for it in messages if it.role != "system")
        # A conversation goes on from a prompt that is filled in; a prompt that takes the question follows it.
        return (*system, *rest, *others) if free is not None else (*system, *others, *rest)

    def options(self, options: AskOptions) -> AskOptions:
        """Return the request's options, else those of the version."""
        return options.or_else(self.body.options.ask_options(limited=False))


class PromptModels:
    """Finds prompts by the names that programs use for them."""

    def __init__(self, prompts: PromptsService) -> None:
        self._prompts = prompts

    async def find(self, caller: Caller, name: str) -> PromptModel:
        """Return the version that `prompt/NAME@label` names; without a label `production`, else the newest.

        Raises NotFound, and Invalid if the prompt has no model.
        """
        prompt_name, at, label = name.removeprefix(PREFIX).rpartition("@")
        if not at:
            prompt_name, label = label, ""
        try:
            prompt, version = await self._prompts.find(caller, prompt_name, label or "newest")
            if not label and PRODUCTION in prompt.labels:
                prompt, version = await self._prompts.find(caller, prompt_name, PRODUCTION)
        except NotFound as error:
            raise NotFound(error.title, error.detail, code="model_not_found") from None
        if prompt.model is None:
            raise Invalid(
                "model",
                f"The prompt “{prompt.name}” has no default model.",
                "Choose one in Prompt Lab.",
                code="prompt_without_model",
            )
        body = PromptBody(messages=version.messages, variables=version.variables, options=version.options)
        return PromptModel(name, prompt.model, body)

    async def all(self, caller: Caller) -> Sequence[PromptView]:
        """Return the prompts that have a default model."""
        return [prompt for prompt in await self._prompts.list(caller) if prompt.model is not None]
