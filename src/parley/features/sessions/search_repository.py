"""The queries of search: which sessions match, and where."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Select, and_, delete, exists, false, func, or_, select, text, update

from parley.features.sessions.readable import readable
from parley.kernel.tools import last_steps
from parley.storage.database import Transaction
from parley.storage.search_index import LOOKED_UP, index_condition
from parley.storage.tables.conversations import MatchRow, ReplyRow, SessionRow, TurnRow
from parley.storage.tables.search import SearchReplyRow, SearchTextRow
from parley.text.marks import without_marks

PROMPTS = 200
"""The prompts that are read to show where a search matched, before replies are looked at."""

LATEST = 1000
"""The sessions that are looked at one by one before every text is searched."""

INDEXED_CHARS = 100_000
"""The characters of a reply that search finds."""

Listed: TypeAlias = Select[*tuple[Any, ...]]

_SESSION = SessionRow.c


class WaitingTurn(NamedTuple):
    """An ended turn, and what its owner can read of it: ids of replies with their texts."""

    id: str
    play: int
    session_id: str
    owner_id: str
    replies: list[tuple[str, str]]


class MatchingText(NamedTuple):
    """A text that matches, as its owner can read it."""

    session_id: str
    turn_id: str
    text: str


def searched_in_replies(search: str) -> str:
    """Return what of a folded search is looked for in replies, which are searchable without marks of Markdown."""
    return without_marks(search).strip() or search


class _ReplyStep(NamedTuple):
    """The beginning of a reply, and where it was said; `released` as in its row."""

    turn_id: str
    id: str
    beginning: str
    released: int | None
    seat: str
    round: int
    purpose: str


class SearchRepository:
    """Queries on one open transaction. What is searched is folded."""

    def __init__(self, session: Transaction) -> None:
        self._db = session

    def among_latest(self, listed: Listed, search: str) -> Listed:
        """Return matches among the latest sessions: a common word fills the page from these."""
        latest = listed.limit(LATEST).subquery()
        matches = (
            exists().where(texts.session_id == latest.c.id, texts.text.contains(words, autoescape=True))
            for texts, words in ((SearchTextRow.c, search), (SearchReplyRow.c, searched_in_replies(search)))
        )
        query = select(*latest.c).where(or_(*matches))
        return query.order_by(latest.c.updated_at.desc(), latest.c.id.desc())

    def among_all(self, listed: Listed, owner_id: str, search: str) -> Listed:
        """Return matches in all texts of the owner, reading none twice."""
        # SQLite checks in this order: whose a text is takes it longer than whether it matches, which few do.
        texts = select(SearchTextRow.c.session_id).where(
            SearchTextRow.c.text.contains(search, autoescape=True), SearchTextRow.c.owner_id == owner_id
        )
        replies = select(SearchReplyRow.c.session_id)
        words = searched_in_replies(search)
        indexed = index_condition(self._db, words)
        if indexed is None or len(words) > LOOKED_UP:
            replies = replies.where(SearchReplyRow.c.text.contains(words, autoescape=True))
        if indexed is not None:
            condition, phrase = indexed
            replies = replies.where(text(condition).bindparams(phrase=phrase))
        replies = replies.where(SearchReplyRow.c.owner_id == owner_id)
        # Otherwise PostgreSQL may scan the sessions as above, which has just failed.
        matches = texts.union(replies).cte("found").prefix_with("MATERIALIZED", dialect="postgresql")
        return listed.where(_SESSION.id.in_(select(matches.c.session_id)))

    def prompts(self, ids: Sequence[str], limit: int | None = PROMPTS) -> Iterator[MatchingText]:
        """Yield the latest prompts of sessions."""
        query = select(TurnRow.c.session_id, TurnRow.c.id, TurnRow.c.input).where(
            TurnRow.c.session_id.in_(ids)
        )
        for session_id, turn_id, prompt_input in self._db.execute(
            query.order_by(TurnRow.c.created_at.desc()).limit(limit)
        ):
            yield MatchingText(session_id, turn_id, str(prompt_input.get("text", "")))

    def replies(self, ids: Sequence[str], search: str) -> Iterator[MatchingText]:
        """Yield the first matching reply of each session; none of a running turn."""
        matches = select(SearchReplyRow.c.session_id, SearchReplyRow.c.reply_id).where(
            SearchReplyRow.c.session_id.in_(ids), SearchReplyRow.c.text.contains(search, autoescape=True)
        )
        first: dict[str, str] = {}
        for session_id, reply_id in self._db.execute(matches.order_by(SearchReplyRow.c.id)):
            first.setdefault(session_id, reply_id)
        query = (
            select(
                TurnRow.c.session_id,
                TurnRow.c.id,
                ReplyRow.c.text,
                ReplyRow.c.released,
                TurnRow.c.status,
                and_(MatchRow.c.blind, MatchRow.c.status != "voted"),
            )
            .join(TurnRow.table, TurnRow.c.id == ReplyRow.c.turn_id)
            .join(MatchRow.table, MatchRow.c.id == TurnRow.c.match_id)
            .where(ReplyRow.c.id.in_(first.values()), TurnRow.c.status != "running")
        )
        for session_id, turn_id, reply, released, status, blind in self._db.execute(query):
            shown = readable(reply, released, status, blind=blind)
            if shown is not None:
                yield MatchingText(session_id, turn_id, shown)

    def waiting(self, limit: int) -> list[WaitingTurn]:
        """Return turns that ended and are not searchable yet, the latest first."""
        query = (
            select(
                TurnRow.c.id,
                TurnRow.c.play,
                TurnRow.c.session_id,
                TurnRow.c.owner_id,
                TurnRow.c.status,
                MatchRow.c.blind,
                MatchRow.c.status,
            )
            .join(MatchRow.table, MatchRow.c.id == TurnRow.c.match_id)
            .where(TurnRow.c.searchable == false(), TurnRow.c.status != "running")
            .order_by(TurnRow.c.created_at.desc())
            .limit(limit)
        )
        turns = self._db.execute(query).all()
        replies = self._said([turn.id for turn in turns]) if turns else {}
        waiting: list[WaitingTurn] = []
        for turn_id, play, session_id, owner_id, status, blind, judged in turns:
            veiled = blind and judged != "voted"
            shown = [
                (reply_id, readable(said_, released, status, blind=veiled))
                for reply_id, said_, released in replies.get(turn_id, ())
            ]
            texts = [(reply_id, each) for reply_id, each in shown if each]
            waiting.append(WaitingTurn(turn_id, play, session_id, owner_id, texts))
        return waiting

    def count_waiting(self, owner_id: str) -> int:
        """Return how many turns of a person ended and are not searchable yet."""
        query = select(func.count()).where(
            TurnRow.c.searchable == false(), TurnRow.c.status != "running", TurnRow.c.owner_id == owner_id
        )
        return int(self._db.scalar(query))

    def store(self, turn: WaitingTurn, texts: Iterable[SearchReplyRow]) -> None:
        """Make a turn searchable by these texts, unless it was retried meanwhile."""
        unchanged = update(TurnRow.table).where(
            TurnRow.c.id == turn.id, TurnRow.c.play == turn.play, TurnRow.c.status != "running"
        )
        if not getattr(self._db.execute(unchanged.values(searchable=True)), "rowcount", 0):
            return
        self._db.execute(delete(SearchReplyRow.table).where(SearchReplyRow.c.turn_id == turn.id))
        self._db.insert(*texts)

    def _said(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, str, int | None]]]:
        """Return the beginnings of the answers of turns, by turn, without inner replies of ensembles.

        Steps before an answer are left out: in a blind match nobody has seen them.
        """
        query = (
            select(
                ReplyRow.c.turn_id,
                ReplyRow.c.id,
                func.substr(ReplyRow.c.text, 1, INDEXED_CHARS),
                ReplyRow.c.released,
                ReplyRow.c.seat,
                ReplyRow.c.round,
                ReplyRow.c.purpose,
            )
            .where(ReplyRow.c.turn_id.in_(turn_ids), ReplyRow.c.parent_reply_id.is_(None))
            .order_by(ReplyRow.c.order)
        )
        replies: dict[str, list[tuple[str, str, int | None]]] = {}
        steps = (_ReplyStep(*row) for row in self._db.execute(query))
        for step in last_steps(steps, turn=lambda step: step.turn_id):
            replies.setdefault(step.turn_id, []).append((step.id, step.beginning, step.released))
        return replies
