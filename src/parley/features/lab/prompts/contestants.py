"""Prompts as contestants: a version with a model is a preset, drawn for blind battles and rated like any model."""

import msgspec

from parley.features.lab.prompts.body import PromptBody
from parley.features.lab.prompts.schemas import AddContestant
from parley.features.lab.prompts.service import PromptsService
from parley.features.presets.schemas import PresetView, SavePreset
from parley.features.presets.service import PresetsService
from parley.kernel.caller import Caller
from parley.kernel.errors import Invalid
from parley.kernel.messages import text_of

MODE = "chat"


class PromptContestants:
    """Saves versions of prompts with a model as presets that compete."""

    def __init__(self, prompts: PromptsService, presets: PresetsService) -> None:
        self._prompts = prompts
        self._presets = presets

    async def add(self, caller: Caller, prompt_id: str, request: AddContestant) -> PresetView:
        """Let a version with a model take part in blind battles; again is the same contestant.

        Raises NotFound, and Invalid if more than one variable has no value.
        """
        prompt = (await self._prompts.read(caller, prompt_id)).prompt
        body = await self._prompts.body(caller, prompt_id, request.version)
        preset = SavePreset(
            mode=MODE,
            name=f"{prompt.name} v{request.version}, {request.model}",
            seats={"assistant": request.model},
            brief={"prompt": prompted(body)},
            contestant=True,
        )
        return await self._presets.save(caller, preset, replace=True)


def prompted(body: PromptBody) -> dict[str, object]:
    """Return a prompt as settings of a chat: one variable is left for what the person says.

    Raises Invalid if others have no default value.
    """
    free = body.open_text()
    if others := [it.name for it in body.variables if it.default is None and it is not free]:
        names = ", ".join(f"“{name}”" for name in others)
        raise Invalid(
            "version",
            f"In a battle only one text is filled in, and {names} would have no value.",
            "Nothing was saved. Give all variables but one a default value, and save a version.",
        )
    place = "{{" + free.name + "}}" if free else None
    filled = body.fill({free.name: place} if free else {}, field="version")
    messages = [{"role": it.role, "text": text_of(it)} for it in filled]
    options = msgspec.to_builtins(body.options)
    return {"sha256": body.sha256, "messages": messages, "place": place, **options}
