"""Routes of notes."""

from parley.api.contract import Routes
from parley.api.deps import App, CallerDep
from parley.kernel.caller import Scope
from parley_plugin_notes.service import NoteList, NotesService, NoteView, WriteNote

routes = Routes("/api/notes", tag="notes", needs=Scope.TALK)


@routes.get()
async def list_notes(app: App, caller: CallerDep) -> NoteList:
    """List the caller's notes, the newest first."""
    return NoteList(list(await app[NotesService].list(caller)))


@routes.post(example={"text": "Ask for sources."})
async def write_note(request: WriteNote, app: App, caller: CallerDep) -> NoteView:
    """Write a note."""
    return await app[NotesService].write(caller, request)
