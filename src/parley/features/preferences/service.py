"""Use cases of preferences: read, save, erase."""

from datetime import UTC, datetime

from parley.features.preferences.repository import PreferencesRepository
from parley.features.preferences.schemas import PreferencesView, SavePreferences
from parley.kernel.caller import Caller
from parley.kernel.ports import Clock
from parley.storage.database import Database
from parley.storage.tables.preferences import PreferencesRow


class PreferencesService:
    """Keeps how each person's new chats begin."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def read(self, caller: Caller) -> PreferencesView:
        """Return the caller's preferences; empty ones if nothing was saved."""
        row = await self._database.read(
            lambda transaction: PreferencesRepository(transaction).find(caller.person_id)
        )
        return (
            PreferencesView(instructions=row.instructions, model=row.model_id) if row else PreferencesView()
        )

    async def save(self, caller: Caller, request: SavePreferences) -> PreferencesView:
        """Replace the caller's preferences; return them."""
        row = PreferencesRow(
            owner_id=caller.person_id,
            instructions=(request.instructions or "").strip() or None,
            model_id=request.model or None,
            updated_at=datetime.fromtimestamp(self._clock.now(), UTC),
        )
        if row.instructions is None and row.model_id is None:
            await self.erase(caller)
        else:
            await self._database.write(lambda transaction: PreferencesRepository(transaction).put(row))
        return PreferencesView(instructions=row.instructions, model=row.model_id)

    async def erase(self, caller: Caller) -> int:
        """Delete the caller's preferences; return how many there were, 0 or 1."""
        return await self._database.write(
            lambda transaction: PreferencesRepository(transaction).remove(caller.person_id)
        )
