"""Tables of votes, Elo ratings, and the models that votes name."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, Boolean, Computed, Index, Integer, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import (
    Counter,
    Digest,
    Document,
    Id,
    Json,
    Name,
    OptionalJson,
    Row,
    Table,
    Time,
)
from parley.storage.tables.narrow import STATUSES, Answer, HexId, Status
from parley.storage.tables.styles import StyleOfSides

REPLACED = "replaced"
"""Why a preference does not count any more whose voter has changed their mind: a later one stands."""

WITHDRAWN = "withdrawn"
"""Why a vote does not count any more that its voter took back at once; it never counts again."""

EXCLUDED_VOTER = "excluded_voter"
"""Why a vote does not count whose voter an operator excluded."""

STAGED = "staged"
"""The processing status of imported votes until all of their file are stored; readers leave them out."""

BLOCK_BITS = 18
"""The votes of a block, as a power of two. Voters are found block by block, so a new vote changes only the pages of the
last block in their index, however many votes there are.
"""

_BLIND = text("kind = 'blind' AND match_id IS NOT NULL")
_STANDS = text(
    "kind = 'open' AND match_id IS NOT NULL AND (excluded_reason IS NULL OR excluded_reason <> 'replaced')"
)
_HERE = text("match_id IS NOT NULL")
_KNOWN_PROMPT = text("prompt_sha256 IS NOT NULL")
_PENDING, _STAGED = (f"processing_status = {STATUSES[it]}" for it in ("pending", "staged"))
_PENDING_ON_SERVER, _STAGED_ON_SERVER = "processing_status = 'pending'", "processing_status = 'staged'"
_UNRATED = text("rated = 0")
_UNRATED_ON_SERVER = text("NOT rated")


class Vote(Table):
    """A person's preference; never changed. It outlives its session, under the voter's pseudonym.

    `rated`: it moves Elo and the blind standings. `match_id` is null of votes from files (of those imported before
    revision 0021 the vote's own id), since no match was played here. `turn_id` is the turn that was judged, of a match
    that is judged as a whole its last one; null of votes of before and from files. `seats` are those between which the
    person chose, with their models; where they are two, their models are the left and the right one in this order, and
    `style` has their sides. They are stored as null where the two models tell them (of votes from files). A change of
    mind is a vote of its own: the one before is excluded as `replaced`. One that was taken back is excluded as
    `withdrawn`, and those of a voter whom an operator excluded as `excluded_voter`.

    `seq` orders all votes. `result` is the answer that the voter got, given again to a second try, with the exact
    `elo_gain` of the first seat where the vote moved Elo. From
    `processing_status` on stands what is made of the vote: `excluded_reason`, categories and who gave them (`rules`,
    `model` or `person`), the SHA-256 of the folded first prompt, features of style by side, and how long the voter
    had the whole replies before them, in milliseconds. `origin`: `here`, or `import`. Each change of an exclusion or of
    categories has an entry in the audit log.
    """

    __tablename__ = "votes"
    __table_args__ = (
        UniqueConstraint("id"),
        Index(
            "uq_votes_match_id_voter_id",
            *("match_id", "voter_id"),
            unique=True,
            sqlite_where=_BLIND,
            postgresql_where=_BLIND,
        ),
        Index(
            "uq_votes_match_id_voter_id_turn_id",
            *("match_id", "voter_id", "turn_id"),
            unique=True,
            sqlite_where=_STANDS,
            postgresql_where=_STANDS,
        ),
        Index("ix_votes_unrated_seq", "seq", sqlite_where=_UNRATED, postgresql_where=_UNRATED_ON_SERVER),
        Index("ix_votes_match_id", "match_id", sqlite_where=_HERE, postgresql_where=_HERE),
        Index(
            "ix_votes_pending_seq",
            "seq",
            sqlite_where=text(_PENDING),
            postgresql_where=text(_PENDING_ON_SERVER),
        ),
        Index(
            "ix_votes_staged_seq", "seq", sqlite_where=text(_STAGED), postgresql_where=text(_STAGED_ON_SERVER)
        ),
        Index("ix_votes_block_voter_id", "block", "voter_id"),
        Index(
            "ix_votes_left_model_id_seq", "left_model_id", "seq", sqlite_where=_HERE, postgresql_where=_HERE
        ),
        Index(
            "ix_votes_right_model_id_seq", "right_model_id", "seq", sqlite_where=_HERE, postgresql_where=_HERE
        ),
        Index(
            "ix_votes_prompt_sha256_counted",
            *("prompt_sha256", "counted"),
            sqlite_where=_KNOWN_PROMPT,
            postgresql_where=_KNOWN_PROMPT,
        ),
    )
    seq: Mapped[int] = mapped_column(Counter, primary_key=True, autoincrement=True)
    block: Mapped[int | None] = mapped_column(Counter, Computed(f"seq >> {BLOCK_BITS}", persisted=True))
    id: Mapped[str] = mapped_column(HexId())
    kind: Mapped[Name]
    match_id: Mapped[Id | None]
    turn_id: Mapped[Id | None]
    rated: Mapped[bool] = mapped_column(Boolean)
    session_id: Mapped[Id | None]
    owner_id: Mapped[Id | None]
    voter_id: Mapped[str] = mapped_column(HexId())
    choice: Mapped[Name]
    reason: Mapped[str | None] = mapped_column(Text)
    left_model_id: Mapped[Name | None]
    right_model_id: Mapped[Name | None]
    stored_seats: Mapped[dict[str, str] | None] = mapped_column("seats", OptionalJson)
    propensity: Mapped[float | None]
    counted: Mapped[bool] = mapped_column(Boolean)
    not_counted_reason: Mapped[Name | None]
    processing_status: Mapped[str] = mapped_column(Status())
    result: Mapped[dict[str, Any]] = mapped_column(Answer())
    created_at: Mapped[Time]
    excluded_reason: Mapped[Name | None]
    categories: Mapped[list[str]] = mapped_column(Json, default=list)
    categories_by: Mapped[Name] = mapped_column(default="rules")
    prompt_sha256: Mapped[Digest | None]
    style: Mapped[dict[str, Any] | None] = mapped_column(StyleOfSides)
    read_ms: Mapped[int | None] = mapped_column(BigInteger)
    origin: Mapped[Name] = mapped_column(default="here")

    @property
    def seats(self) -> dict[str, str]:
        """The model of each seat."""
        return seats_of(self.stored_seats, self.left_model_id, self.right_model_id)


def seats_of(stored: Mapping[str, str] | None, left: str | None, right: str | None) -> dict[str, str]:
    """Return the model of each seat: as stored, or of a vote from a file from the models of its two sides."""
    return dict(stored) if stored is not None else {"left": left or "", "right": right or ""}


class VoteRow(Row, frozen=True):
    """A row of `Vote`, without the number that the database gives it."""

    table: ClassVar = Vote
    id: str
    kind: str
    match_id: str | None
    turn_id: str | None
    rated: bool
    session_id: str | None
    owner_id: str | None
    voter_id: str
    choice: str
    reason: str | None
    left_model_id: str | None
    right_model_id: str | None
    seats: dict[str, str]
    propensity: float | None
    counted: bool
    not_counted_reason: str | None
    processing_status: str
    result: dict[str, Any]
    created_at: datetime
    excluded_reason: str | None
    categories: list[str]
    categories_by: str
    prompt_sha256: str | None
    style: dict[str, Any] | None
    read_ms: int | None
    origin: str


class Elo(Table):
    """A model's Elo after the latest vote."""

    __tablename__ = "elo"
    model_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    rating: Mapped[float]
    votes: Mapped[int] = mapped_column(Integer)
    updated_at: Mapped[Time]


class Model(Table):
    """Every model that ever was in the catalog, so that its id is never given to another one."""

    __tablename__ = "models"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    card: Mapped[Document]
    first_seen_at: Mapped[Time]
    retired_at: Mapped[Time | None]
