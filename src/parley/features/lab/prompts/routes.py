"""Routes of prompts."""

from typing import Annotated

from fastapi import Path, Query, Response

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.lab.prompts.contestants import PromptContestants
from parley.features.lab.prompts.markdown import read_markdown, to_markdown
from parley.features.lab.prompts.schemas import (
    AddContestant,
    ChangePrompt,
    ForkPrompt,
    ImportMarkdown,
    MoveLabel,
    NewPrompt,
    NewVersion,
    PromptDetail,
    PromptList,
    TriedAnswer,
    TryPrompt,
)
from parley.features.lab.prompts.service import PromptsService
from parley.features.lab.prompts.trying import Trying
from parley.features.presets.schemas import PresetView
from parley.kernel.caller import Scope
from parley.kernel.request import Number

routes = Routes("/api/prompts", tag="prompts", needs=Scope.TALK)

EXAMPLE = {"messages": [{"role": "user", "text": "Sum up: {{text}}"}]}
LabelPath = Annotated[str, Path(pattern=r"^[a-z][a-z0-9._-]{0,39}$")]


@routes.get()
async def list_prompts(app: App, caller: CallerDep) -> PromptList:
    """List prompts by name."""
    return PromptList(list(await app[PromptsService].list(caller)))


@routes.post(errors=("prompt_exists", "too_many_prompts"), example={"name": "Sum up", **EXAMPLE})
async def create_prompt(body: NewPrompt, app: App, caller: CallerDep) -> PromptDetail:
    """Save a prompt under a new name. `{{words}}` in its messages are variables."""
    return await app[PromptsService].create(caller, body)


@routes.post(
    "/import",
    errors=("prompt_exists", "too_many_prompts"),
    example={"markdown": "---\nname: Sum up\n---\nSum up: {{text}}"},
)
async def import_prompt(
    body: ImportMarkdown,
    app: App,
    caller: CallerDep,
    *,
    replace: Annotated[
        bool, Query(description="Make it the newest version of a prompt of this name.")
    ] = False,
) -> PromptDetail:
    """Save a prompt from Markdown with front matter."""
    return await app[PromptsService].create(caller, read_markdown(body.markdown), replace=replace)


@routes.post(
    "/try",
    takes_minutes=True,
    reads=True,
    errors=("value_missing", "model_not_found", "model_without_vision", "prompt_failed"),
    example={**EXAMPLE, "values": {"text": "It rains."}, "model": "my-model"},
)
async def try_prompt(body: TryPrompt, app: App, caller: CallerDep) -> TriedAnswer:
    """Ask one model with a prompt that need not be saved, and check its answer."""
    return await app[Trying].ask(caller, body)


@routes.get("/{prompt_id}")
async def read_prompt(prompt_id: str, app: App, caller: CallerDep) -> PromptDetail:
    """Read a prompt with all its versions."""
    return await app[PromptsService].read(caller, prompt_id)


@routes.patch("/{prompt_id}", errors=("prompt_exists",), example={"name": "Brief"})
async def change_prompt(prompt_id: str, body: ChangePrompt, app: App, caller: CallerDep) -> PromptDetail:
    """Change a prompt's name, default model or checks."""
    return await app[PromptsService].change(caller, prompt_id, body)


@routes.delete("/{prompt_id}")
async def remove_prompt(prompt_id: str, app: App, caller: CallerDep) -> None:
    """Remove a prompt with its versions and runs."""
    await app[PromptsService].remove(caller, prompt_id)


@routes.post("/{prompt_id}/versions", errors=("too_many_prompts",), example={**EXAMPLE, "note": "Shorter"})
async def add_version(prompt_id: str, body: NewVersion, app: App, caller: CallerDep) -> PromptDetail:
    """Save a new version. One that equals the newest is not saved again."""
    return await app[PromptsService].add_version(caller, prompt_id, body)


@routes.post("/{prompt_id}/restore", errors=("too_many_prompts",), example={"version": 1})
async def restore_version(prompt_id: str, body: MoveLabel, app: App, caller: CallerDep) -> PromptDetail:
    """Save an earlier version again, as the newest one."""
    return await app[PromptsService].restore(caller, prompt_id, body.version)


@routes.post(
    "/{prompt_id}/fork",
    errors=("prompt_exists", "too_many_prompts"),
    example={"name": "Sum up, tersely", "version": 1},
)
async def fork_prompt(prompt_id: str, body: ForkPrompt, app: App, caller: CallerDep) -> PromptDetail:
    """Make a new prompt from a version."""
    return await app[PromptsService].fork(caller, prompt_id, body)


@routes.post("/{prompt_id}/contestants", example={"version": 1, "model": "my-model"})
async def add_contestant(prompt_id: str, body: AddContestant, app: App, caller: CallerDep) -> PresetView:
    """Let a version with a model take part in blind battles: a preset that is drawn and rated like a model."""
    return await app[PromptContestants].add(caller, prompt_id, body)


@routes.put("/{prompt_id}/labels/{label}", example={"version": 1})
async def move_label(
    prompt_id: str, label: LabelPath, body: MoveLabel, app: App, caller: CallerDep
) -> PromptDetail:
    """Point a label, such as `production`, to a version."""
    return await app[PromptsService].move_label(caller, prompt_id, label, body.version)


@routes.delete("/{prompt_id}/labels/{label}")
async def remove_label(prompt_id: str, label: LabelPath, app: App, caller: CallerDep) -> PromptDetail:
    """Remove a label."""
    return await app[PromptsService].move_label(caller, prompt_id, label, None)


@routes.get("/{prompt_id}/markdown", downloads=("text/markdown",))
async def export_prompt(
    prompt_id: str,
    app: App,
    caller: CallerDep,
    *,
    version: Annotated[Number | None, Query(description="Without it, the newest one.")] = None,
) -> Response:
    """Return a version as Markdown with front matter."""
    detail = await app[PromptsService].read(caller, prompt_id)
    wanted = version or detail.prompt.newest
    stored = await app[PromptsService].find(caller, detail.prompt.name, f"v{wanted}")
    return Response(to_markdown(*stored), media_type="text/markdown; charset=utf-8")
