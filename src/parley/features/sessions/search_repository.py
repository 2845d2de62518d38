"""The queries of search: which sessions match, and where."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Select, delete, exists, false, func, insert, or_, select, text, update

from parley.features.sessions.readable import readable
from parley.storage.database import Transaction
from parley.storage.search_index import LOOKED_UP, index_condition
from parley.storage.tables.conversations import Match, Reply, Session, Turn
from parley.storage.tables.declared import core
from parley.storage.tables.search import SearchReply, SearchReplyRow, SearchText
from parley.text.marks import without_marks

PROMPTS = 200
"""How many prompts are read to show where a search matched, before replies are looked at."""

LATEST = 1000
"""How many sessions are looked at one by one before every text is searched."""

INDEXED_CHARS = 100_000
"""How much of a reply search finds."""

Listed: TypeAlias = Select[*tuple[Any, ...]]

_SESSION = core(Session).c
_INSERT = insert(core(SearchReply))


class WaitingTurn(NamedTuple):
    """An ended turn, and what its owner can read of it: ids of replies with their texts."""

    id: str
    play: int
    session_id: str
    owner_id: str
    replies: list[tuple[str, str]]


class Said(NamedTuple):
    """A text that matches, as its owner can read it."""

    session_id: str
    turn_id: str
    text: str


def searched_in_replies(search: str) -> str:
    """Return what of a folded search is looked for in replies, which are searchable without marks of Markdown."""
    return without_marks(search).strip() or search


class SearchRepository:
    """Queries on one open transaction. What is searched is folded."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def among_latest(self, listed: Listed, search: str) -> Listed:
        """Return matches among the latest sessions: a common word fills the page from these."""
        latest = listed.limit(LATEST).subquery()
        found = (
            exists().where(table.session_id == latest.c.id, table.text.contains(words, autoescape=True))
            for table, words in ((SearchText, search), (SearchReply, searched_in_replies(search)))
        )
        query = select(*latest.c).where(or_(*found))
        return query.order_by(latest.c.updated_at.desc(), latest.c.id.desc())

    def among_all(self, listed: Listed, owner_id: str, search: str) -> Listed:
        """Return matches in all texts of the owner, reading none twice."""
        # SQLite checks in this order: whose a text is takes it longer than whether it matches, which few do.
        texts = select(SearchText.session_id).where(
            SearchText.text.contains(search, autoescape=True), SearchText.owner_id == owner_id
        )
        replies = select(SearchReply.session_id)
        words = searched_in_replies(search)
        indexed = index_condition(self._db, words)
        if indexed is None or len(words) > LOOKED_UP:
            replies = replies.where(SearchReply.text.contains(words, autoescape=True))
        if indexed is not None:
            condition, phrase = indexed
            replies = replies.where(text(condition).bindparams(phrase=phrase))
        replies = replies.where(SearchReply.owner_id == owner_id)
        # Otherwise PostgreSQL may scan the sessions as above, which has just failed.
        found = texts.union(replies).cte("found").prefix_with("MATERIALIZED", dialect="postgresql")
        return listed.where(_SESSION.id.in_(select(found.c.session_id)))

    def prompts(self, ids: Sequence[str], limit: int | None = PROMPTS) -> Iterator[Said]:
        """Yield the latest prompts of sessions."""
        query = select(Turn.session_id, Turn.id, Turn.input).where(Turn.session_id.in_(ids))
        for session_id, turn_id, given in self._db.execute(
            query.order_by(Turn.created_at.desc()).limit(limit)
        ):
            yield Said(session_id, turn_id, str(given.get("text", "")))

    def replies(self, ids: Sequence[str], search: str) -> Iterator[Said]:
        """Yield the first matching reply of each session; none of a running turn."""
        found = select(SearchReply.session_id, SearchReply.reply_id).where(
            SearchReply.session_id.in_(ids), SearchReply.text.contains(search, autoescape=True)
        )
        first: dict[str, str] = {}
        for session_id, reply_id in self._db.execute(found.order_by(SearchReply.id)):
            first.setdefault(session_id, reply_id)
        query = (
            select(Turn.session_id, Turn.id, Reply.text, Reply.released, Turn.status, Match)
            .join(Turn, Turn.id == Reply.turn_id)
            .join(Match, Match.id == Turn.match_id)
            .where(Reply.id.in_(first.values()), Turn.status != "running")
        )
        for session_id, turn_id, said, released, status, match in self._db.execute(query):
            shown = readable(said, released, status, blind=match.blind and match.status != "voted")
            if shown is not None:
                yield Said(session_id, turn_id, shown)

    def waiting(self, limit: int) -> list[WaitingTurn]:
        """Return turns that ended and are not searchable yet, the latest first."""
        query = (
            select(Turn.id, Turn.play, Turn.session_id, Turn.owner_id, Turn.status, Match.blind, Match.status)
            .join(Match, Match.id == Turn.match_id)
            .where(Turn.searchable == false(), Turn.status != "running")
            .order_by(Turn.created_at.desc())
            .limit(limit)
        )
        turns = self._db.execute(query).all()
        said = self._said([turn.id for turn in turns]) if turns else {}
        waiting: list[WaitingTurn] = []
        for turn_id, play, session_id, owner_id, status, blind, judged in turns:
            veiled = blind and judged != "voted"
            shown = [
                (reply_id, readable(said_, released, status, blind=veiled))
                for reply_id, said_, released in said.get(turn_id, ())
            ]
            texts = [(reply_id, each) for reply_id, each in shown if each]
            waiting.append(WaitingTurn(turn_id, play, session_id, owner_id, texts))
        return waiting

    def store(self, turn: WaitingTurn, texts: Iterable[SearchReplyRow]) -> None:
        """Make a turn searchable by these texts, unless it was retried meanwhile."""
        unchanged = update(Turn).where(Turn.id == turn.id, Turn.play == turn.play, Turn.status != "running")
        if not getattr(self._db.execute(unchanged.values(searchable=True)), "rowcount", 0):
            return
        self._db.execute(delete(SearchReply).where(SearchReply.turn_id == turn.id))
        self._db.insert(*texts)

    def _said(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, str, int | None]]]:
        """Return the beginnings of the replies of turns, by turn, without inner replies of ensembles."""
        query = (
            select(Reply.turn_id, Reply.id, func.substr(Reply.text, 1, INDEXED_CHARS), Reply.released)
            .where(Reply.turn_id.in_(turn_ids), Reply.parent_reply_id.is_(None))
            .order_by(Reply.order)
        )
        said: dict[str, list[tuple[str, str, int | None]]] = {}
        for turn_id, reply_id, text_, released in self._db.execute(query):
            said.setdefault(turn_id, []).append((reply_id, text_, released))
        return said
