"""Routes of prompt templates."""

from fastapi import APIRouter, Response

from parley.api.answers import as_json, documented
from parley.api.deps import App, CallerDep
from parley.workspace.templates.schemas import SaveTemplate, TemplateList

router = APIRouter(prefix="/api/templates", tags=["templates"])


@router.get("", responses=documented("TemplateList"))
async def list_templates(app: App, caller: CallerDep) -> Response:
    """List prompt templates by name."""
    return as_json(TemplateList(list(await app.templates.list(caller))))


@router.post("", responses=documented("TemplateView"))
async def save_template(asked: SaveTemplate, app: App, caller: CallerDep) -> Response:
    """Save a prompt under a new name."""
    return as_json(await app.templates.save(caller, asked))


@router.put("/{template_id}", responses=documented("TemplateView"))
async def change_template(template_id: str, asked: SaveTemplate, app: App, caller: CallerDep) -> Response:
    """Replace a template's name and text."""
    return as_json(await app.templates.change(caller, template_id, asked))


@router.delete("/{template_id}", status_code=204)
async def remove_template(template_id: str, app: App, caller: CallerDep) -> Response:
    """Remove a template."""
    await app.templates.remove(caller, template_id)
    return Response(status_code=204)
