"""Excerpts: where a search matched in a session, with the words around it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from parley.features.sessions.search_repository import Said, SearchRepository, searched_in_replies
from parley.storage.tables.conversations import SessionRow
from parley.text.folding import folded
from parley.text.marks import searchable, without_marks

BEFORE, AROUND = 30, 110
"""How many characters an excerpt shows before the match, and in total."""


class Excerpt(NamedTuple):
    """The words around the match, and the id of their turn."""

    text: str
    turn_id: str


def find_excerpts(
    repository: SearchRepository, rows: Sequence[SessionRow], search: str
) -> dict[str, Excerpt]:
    """Return where sessions match a search, unless their titles do: in a late prompt, a reply, or an early prompt."""
    elsewhere = [row.id for row in rows if search not in folded(row.title)]
    found = _first(repository.prompts(elsewhere), search) if elsewhere else {}
    left = [session_id for session_id in elsewhere if session_id not in found]
    if left:
        plain = searched_in_replies(search)
        replies = (said._replace(text=searchable(said.text)) for said in repository.replies(left, plain))
        found |= _first(replies, plain)
    # Seldom any: long sessions that match only at their beginning.
    for session_id in left:
        if session_id not in found:
            found |= _first(repository.prompts([session_id], limit=None), search)
    return {session_id: Excerpt(said.text, said.turn_id) for session_id, said in found.items()}


def _first(texts: Iterable[Said], search: str) -> dict[str, Said]:
    found: dict[str, Said] = {}
    for said in texts:
        if said.session_id not in found and (excerpt := _excerpt(said.text, search)):
            found[said.session_id] = said._replace(text=excerpt)
    return found


def _excerpt(text: str, search: str) -> str | None:
    at = folded(text).find(search)
    if at < 0:
        return None
    text = " ".join(text.split())
    at, match = _place(text, at), _place(text, at + len(search))
    start = max(0, at - BEFORE)
    start = text.find(" ", start, at) + 1 if start else 0
    end = max(start + AROUND, match)
    shown = without_marks(text[start:at]).lstrip() + text[at:match] + without_marks(text[match:end])
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"


def _place(text: str, at: int) -> int:
    """Return where a text with single spaces has what its folded form has at `at`: a sign may fold to several."""
    if len(folded(text)) == len(text):
        return at
    here = place = 0
    for word in text.split(" "):
        length = len(folded(word))
        if here + length >= at:
            # Within a word that folds to another length, its letters are next to it.
            return place + min(at - here, len(word))
        here, place = here + length + 1, place + len(word) + 1
    return len(text)
