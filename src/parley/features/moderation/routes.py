"""Routes of moderation: rules, and the review queue."""

from typing import Annotated

from fastapi import Query

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.moderation.schemas import ItemPage, ItemView, RuleBody, RuleList, State
from parley.features.moderation.service import Moderation
from parley.kernel.caller import Scope
from parley.kernel.moderation import Moment

routes = Routes("/api/moderation", tag="moderation", needs=Scope.MANAGE)
EXAMPLE = {
    "name": "Secrets",
    "kind": "patterns",
    "moment": "prompt",
    "verdict": "hold",
    "terms": ["sk-[A-Za-z0-9]{20,}"],
}


@routes.get("/rules")
async def list_moderation_rules(app: App) -> RuleList:
    """List the rules, with how much each has found."""
    return await app[Moderation].rules()


@routes.post("/rules", errors=("moderation_off", "too_many_rules"), example=EXAMPLE)
async def add_moderation_rule(body: RuleBody, app: App) -> RuleList:
    """Add a rule. It applies to what is said from now on."""
    return await app[Moderation].add(body)


@routes.put("/rules/{rule_id}", errors=("moderation_off",), example=EXAMPLE)
async def change_moderation_rule(rule_id: str, body: RuleBody, app: App) -> RuleList:
    """Change a rule. It applies to what is said from now on."""
    return await app[Moderation].change(rule_id, body)


@routes.delete("/rules/{rule_id}")
async def remove_moderation_rule(rule_id: str, app: App) -> RuleList:
    """Remove a rule. What it has found stays in the queue."""
    return await app[Moderation].remove(rule_id)


@routes.get("/items")
async def list_moderated(
    app: App,
    *,
    state: Annotated[State | None, Query(description="Only what is in this state.")] = None,
    rule_id: Annotated[str | None, Query(max_length=32, description="Only what this rule has found.")] = None,
    moment: Annotated[Moment | None, Query(description="Only prompts, or only replies.")] = None,
    before: Annotated[str | None, Query(max_length=32, description="Only what is older than this.")] = None,
) -> ItemPage:
    """List what rules have found, the newest first."""
    return await app[Moderation].items(state, rule_id, moment, before)


@routes.post("/items/{item_id}/release")
async def release_moderated(item_id: str, app: App, caller: CallerDep) -> ItemView:
    """Release what a rule has found. A held prompt may be sent again; a held reply is shown in its conversation."""
    return await app[Moderation].decide(caller, item_id, "released")


@routes.post("/items/{item_id}/keep")
async def keep_moderated(item_id: str, app: App, caller: CallerDep) -> ItemView:
    """Mark what a rule has found as reviewed. What is held stays held."""
    return await app[Moderation].decide(caller, item_id, "kept")


@routes.delete("/items/{item_id}")
async def delete_moderated(item_id: str, app: App) -> None:
    """Delete what a rule has found, with its text. What is held stays held."""
    await app[Moderation].delete(item_id)
