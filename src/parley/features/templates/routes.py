"""Routes of prompt templates."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.templates.schemas import SaveTemplate, TemplateList, TemplateView
from parley.features.templates.service import TemplatesService
from parley.kernel.caller import Scope

routes = Routes("/api/templates", tag="templates", needs=Scope.TALK)


@routes.get()
async def list_templates(app: App, caller: CallerDep) -> TemplateList:
    """List prompt templates by name."""
    return TemplateList(list(await app[TemplatesService].list(caller)))


@routes.post(
    errors=("template_exists", "too_many_templates"), example={"name": "Sum up", "text": "Sum up: {{text}}"}
)
async def save_template(asked: SaveTemplate, app: App, caller: CallerDep) -> TemplateView:
    """Save a prompt under a new name."""
    return await app[TemplatesService].save(caller, asked)


@routes.put(
    "/{template_id}",
    errors=("template_exists",),
    example={"name": "Sum up", "text": "In one sentence: {{text}}"},
)
async def change_template(template_id: str, asked: SaveTemplate, app: App, caller: CallerDep) -> TemplateView:
    """Replace a template's name and text."""
    return await app[TemplatesService].change(caller, template_id, asked)


@routes.delete("/{template_id}")
async def remove_template(template_id: str, app: App, caller: CallerDep) -> None:
    """Remove a template."""
    await app[TemplatesService].remove(caller, template_id)
