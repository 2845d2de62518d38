"""Tables of votes, Elo ratings, and the models that votes name."""

from collections.abc import Mapping
from typing import Annotated, Any

from sqlalchemy import Computed, Index, Integer, String, Text, UniqueConstraint, text

from parley.storage.tables.compact_types import STATUSES, HexId, ResultJson, Status
from parley.storage.tables.rows import (
    Counter,
    Digest,
    Document,
    Id,
    Json,
    Name,
    OptionalJson,
    Row,
    Time,
    column,
    stored_in,
)
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


@stored_in(
    "votes",
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
    Index("ix_votes_staged_seq", "seq", sqlite_where=text(_STAGED), postgresql_where=text(_STAGED_ON_SERVER)),
    Index("ix_votes_block_voter_id", "block", "voter_id"),
    Index("ix_votes_left_model_id_seq", "left_model_id", "seq", sqlite_where=_HERE, postgresql_where=_HERE),
    Index("ix_votes_right_model_id_seq", "right_model_id", "seq", sqlite_where=_HERE, postgresql_where=_HERE),
    Index(
        "ix_votes_prompt_sha256_counted",
        *("prompt_sha256", "counted"),
        sqlite_where=_KNOWN_PROMPT,
        postgresql_where=_KNOWN_PROMPT,
    ),
)
class VoteRow(Row):
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

    id: Annotated[str, HexId()]
    kind: Name
    match_id: Id | None
    turn_id: Id | None
    rated: bool
    session_id: Id | None
    owner_id: Id | None
    voter_id: Annotated[str, HexId()]
    choice: Name
    reason: Annotated[str | None, Text]
    left_model_id: Name | None
    right_model_id: Name | None
    seats: Annotated[dict[str, str] | None, OptionalJson]
    propensity: float | None
    counted: bool
    not_counted_reason: Name | None
    processing_status: Annotated[str, Status()]
    result: Annotated[dict[str, Any], ResultJson()]
    created_at: Time
    excluded_reason: Name | None
    categories: Annotated[list[str], Json]
    categories_by: Name
    prompt_sha256: Digest | None
    style: Annotated[dict[str, Any] | None, StyleOfSides]
    read_ms: int | None
    origin: Name = "here"
    seq: Annotated[int, Counter, column(primary_key=True, assigned=True)] = 0
    block: Annotated[int | None, Counter, Computed(f"seq >> {BLOCK_BITS}", persisted=True)] = None

    @property
    def seat_models(self) -> dict[str, str]:
        """The model of each seat."""
        return seats_of(self.seats, self.left_model_id, self.right_model_id)


def seats_of(stored: Mapping[str, str] | None, left: str | None, right: str | None) -> dict[str, str]:
    """Return the model of each seat: as stored, or of a vote from a file from the models of its two sides."""
    return dict(stored) if stored is not None else {"left": left or "", "right": right or ""}


@stored_in("elo")
class EloRow(Row):
    """A model's Elo after the latest vote."""

    model_id: Annotated[str, String(64), column(primary_key=True)]
    rating: float
    votes: Annotated[int, Integer]
    updated_at: Time


@stored_in("models")
class KnownModelRow(Row):
    """Every model that ever was in the catalog, so that its id is never given to another one."""

    id: Annotated[str, String(64), column(primary_key=True)]
    card: Document
    first_seen_at: Time
    retired_at: Time | None
