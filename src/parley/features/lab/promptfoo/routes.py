"""Routes of promptfoo's files."""

from typing import Annotated
from urllib.parse import quote

from fastapi import Query, Request, Response

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.lab.promptfoo.schemas import (
    MAX_CONFIG_BYTES,
    PromptfooImport,
    PromptfooPreview,
    ReadPromptfoo,
)
from parley.features.lab.promptfoo.service import Promptfoo
from parley.kernel.caller import Scope
from parley.kernel.request import Number

routes = Routes("/api/lab/promptfoo", tag="lab", needs=Scope.TALK)
prompt_routes = Routes("/api/prompts", tag="lab", needs=Scope.TALK)

CONFIG = {
    "text": 'prompts: ["Sum up: {{text}}"]\ntests:\n  - vars: {text: It rains.}\n'
    "    assert: [{type: icontains, value: rain}]\n"
}


@routes.post("/preview", reads=True, errors=("model_not_found",), most_bytes=MAX_CONFIG_BYTES, example=CONFIG)
async def preview_promptfoo(body: ReadPromptfoo, app: App, caller: CallerDep) -> PromptfooPreview:
    """Read a promptfoo config and say what an import would do. Saves nothing."""
    return await app[Promptfoo].preview(caller, body)


@routes.post(
    errors=("model_not_found", "too_many_prompts", "too_many_rows"),
    most_bytes=MAX_CONFIG_BYTES,
    example=CONFIG,
)
async def import_promptfoo(body: ReadPromptfoo, app: App, caller: CallerDep) -> PromptfooImport:
    """Save a promptfoo config as a prompt with checks and a data set. The same ones are used again."""
    return await app[Promptfoo].take(caller, body)


@prompt_routes.get("/{prompt_id}/promptfoo", downloads=("application/yaml",))
async def export_promptfoo(
    prompt_id: str,
    request: Request,
    app: App,
    caller: CallerDep,
    *,
    dataset: Annotated[str, Query(max_length=32, description="The data set's id.")],
    version: Annotated[Number | None, Query(description="Without it, the newest one.")] = None,
) -> Response:
    """Return a version with its checks and a data set as a promptfoo config."""
    door = f"{str(request.base_url).rstrip('/')}/v1"
    name, text = await app[Promptfoo].export(caller, prompt_id, dataset, version, door)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}.yaml"}
    return Response(text, headers=headers, media_type="application/yaml; charset=utf-8")
