"""Excerpts: where a search matched in a session, with the words around it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from parley.features.sessions.search_repository import MatchingText, SearchRepository, searched_in_replies
from parley.storage.tables.conversations import SessionRow
from parley.text.finding import find_folded
from parley.text.folding import folded
from parley.text.marks import searchable, without_marks

BEFORE, AROUND = 30, 110
"""The characters that an excerpt shows before the match, and in total."""

TEXT_CHARS = 100_000
"""The beginning of a text that is looked at for an excerpt."""

READ_CHARS = 3_000_000
"""The characters that one search reads for excerpts: two seconds at most. A match beyond has none."""


class Excerpt(NamedTuple):
    """The words around the match, and the id of their turn."""

    text: str
    turn_id: str


def find_excerpts(
    repository: SearchRepository, rows: Sequence[SessionRow], search: str
) -> dict[str, Excerpt]:
    """Return where sessions match a search, unless their titles do: in a late prompt, a reply, or an early prompt."""
    elsewhere = [row.id for row in rows if search not in folded(row.title)]
    reading = _Reading(search)
    excerpts = reading.first(repository.prompts(elsewhere)) if elsewhere else {}
    left = [session_id for session_id in elsewhere if session_id not in excerpts]
    if left:
        plain = searched_in_replies(search)
        replies = (
            reply._replace(text=searchable(reply.text[:TEXT_CHARS]))
            for reply in repository.replies(left, plain)
        )
        excerpts |= _Reading(plain).first(replies)
    # Seldom any: long sessions that match only at their beginning.
    for session_id in left:
        if session_id not in excerpts:
            excerpts |= reading.first(repository.prompts([session_id], limit=None))
    return {session_id: Excerpt(reply.text, reply.turn_id) for session_id, reply in excerpts.items()}


class _Reading:
    """Looks for a search in texts, until so many code points are read."""

    def __init__(self, search: str) -> None:
        self._search = search
        self._left = READ_CHARS

    def first(self, texts: Iterable[MatchingText]) -> dict[str, MatchingText]:
        """Return the first text of each session that matches, as its excerpt."""
        first: dict[str, MatchingText] = {}
        for passage in texts:
            if passage.session_id in first:
                continue
            if self._left <= 0:
                break
            text = passage.text[:TEXT_CHARS]
            self._left -= len(text)
            if excerpt := _excerpt(text, self._search):
                first[passage.session_id] = passage._replace(text=excerpt)
        return first


def _excerpt(text: str, search: str) -> str | None:
    text = " ".join(text.split())
    match = find_folded(text, search)
    if match is None:
        return None
    at, end_of_match = match
    start = max(0, at - BEFORE)
    start = text.find(" ", start, at) + 1 if start else 0
    end = max(start + AROUND, end_of_match)
    shown = without_marks(text[start:at]).lstrip() + text[at:end_of_match]
    return f"{'…' if start else ''}{shown}{without_marks(text[end_of_match:end])}{'…' if end < len(text) else ''}"
