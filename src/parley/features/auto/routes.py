"""Routes of Auto."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.auto.choosing import AutoPolicy
from parley.features.auto.lessons import AutoLessons
from parley.features.auto.schemas import AutoRecord, AutoReplay, RoutedTurns, SetPolicy, UseInstead
from parley.features.auto.service import AutoService
from parley.features.sessions.service import SessionsService
from parley.kernel.caller import Scope

routes = Routes("/api/auto", tag="auto", needs=Scope.TALK, personal=True)
session_routes = Routes("/api/sessions/{session_id}/auto", tag="auto", needs=Scope.TALK)


@routes.get()
async def read_policy(app: App, caller: CallerDep) -> AutoPolicy:
    """Read what counts when Auto chooses a model."""
    return await app[AutoService].policy(caller)


@routes.put(example={"rest": "best", "quality": 0.7, "price": 0.2, "wait": 0.1})
async def set_policy(body: SetPolicy, app: App, caller: CallerDep) -> AutoPolicy:
    """Say what counts when Auto chooses a model."""
    return await app[AutoService].set_policy(caller, body)


@routes.get("/replay")
async def replay(app: App, caller: CallerDep) -> AutoReplay:
    """Route the questions of your last 30 days as Auto would have. Nothing is asked."""
    return await app[AutoService].replay(caller)


@routes.get("/record")
async def read_record(app: App, caller: CallerDep) -> AutoRecord:
    """Read where your questions went in the last 30 days, and what was learned from your choices."""
    return await app[AutoLessons].record(caller)


@routes.delete("/lessons")
async def forget_lessons(app: App, caller: CallerDep) -> None:
    """Forget what was learned from your choices."""
    await app[AutoLessons].forget(caller)


@session_routes.put("/{turn_id}", example={"model": "ada"}, errors=("model_not_found",))
async def use_instead(session_id: str, turn_id: str, body: UseInstead, app: App, caller: CallerDep) -> None:
    """Say which model you used instead of the one that Auto chose for a turn. Auto learns from it."""
    await app[AutoLessons].use_instead(caller, session_id, turn_id, body.model)


@session_routes.get()
async def routed_turns(session_id: str, app: App, caller: CallerDep) -> RoutedTurns:
    """List the turns of a session that Auto has routed, with the reasons."""
    await app[SessionsService].check(caller, session_id)
    return await app[AutoService].routed(caller, session_id)
