"""Routes of preferences."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.features.preferences.schemas import PreferencesView, SavePreferences
from parley.features.preferences.service import PreferencesService
from parley.kernel.caller import Scope

routes = Routes("/api/preferences", tag="preferences", needs=Scope.TALK)


@routes.get()
async def read_preferences(app: App, caller: CallerDep) -> PreferencesView:
    """Read how your new chats begin."""
    return await app[PreferencesService].read(caller)


@routes.put(example={"instructions": "Answer in British English.", "model": "gpt-5"})
async def save_preferences(body: SavePreferences, app: App, caller: CallerDep) -> PreferencesView:
    """Replace how your new chats begin. The page applies it; requests to the API state their own settings."""
    return await app[PreferencesService].save(caller, body)
