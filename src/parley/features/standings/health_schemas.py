"""Answers of the API about voters and votes: the people behind the table, and the effect of each exclusion."""

from datetime import datetime
from typing import Literal, TypeAlias

import msgspec

from parley.features.standings.schemas import Order
from parley.kernel.views import ModelCard
from parley.ratings.lines import SideEffect

VoterSort: TypeAlias = Literal["votes", "evidence", "prompts", "duplicates", "fast", "last_vote"]


class FlaggedVoter(msgspec.Struct, frozen=True, kw_only=True):
    """A voter whose votes look planned: a reason to look, and no more. Nothing is excluded but by an operator.

    `e_value`: how many times likelier the votes are under the pattern than from an honest person, from `votes` votes on
    `prompts` distinct prompts, as of `examined_at`. `excluded_at` and `excluded_by` are null while the votes count.
    """

    voter_id: str
    e_value: float
    pattern: Literal["pushes", "against", "always left", "always right", "tie spam"]
    model_id: str | None
    votes: int
    prompts: int
    flagged_at: datetime
    examined_at: datetime
    excluded_at: datetime | None
    excluded_by: str | None


class FlaggedVoters(msgspec.Struct, frozen=True, kw_only=True):
    """The flagged and the excluded voters, strongest evidence first."""

    voters: list[FlaggedVoter]


class VoterQuery(msgspec.Struct, frozen=True, kw_only=True):
    """A requested page of the voters; `offset` voters come before it."""

    sort_by: VoterSort = "votes"
    order: Order = "desc"
    limit: int = 25
    offset: int = 0


class EvidencePoint(msgspec.Struct, frozen=True):
    """The evidence of a voter's first `votes` votes, the last of them cast at `at`.

    `evidence` is the power of ten: 2 means 100 times likelier by plan. Null with too few distinct prompts.
    """

    at: datetime
    votes: int
    evidence: float | None


class VoterLine(msgspec.Struct, frozen=True, kw_only=True):
    """A voter, by pseudonym. `votes` count; `excluded` do not, because an operator excluded the voter.

    `prompts` are distinct among both. `duplicates` were not counted since they repeat a prompt. Of `timed` votes it is
    known how long the complete answers were visible, `fast` of them came within `fast_ms`, and `read_ms_p50` is their
    median in milliseconds. `course` is the evidence as votes came in, against today's table of all other voters.
    """

    voter_id: str
    votes: int
    excluded: int
    prompts: int
    duplicates: int
    timed: int
    fast: int
    read_ms_p50: int | None
    first_vote_at: datetime
    last_vote_at: datetime
    evidence: float | None
    course: list[EvidencePoint]
    pending: bool
    """True if evidence, course and median are not computed yet."""
    flag: FlaggedVoter | None


class VoterPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the voters with a known pseudonym. `total` are listed: those with the most votes, and flagged ones.

    The evidence of `pending` voters of this page is not computed yet: ask again for it.
    """

    voters: list[VoterLine]
    total: int
    pending: int


class VoteSpeed(msgspec.Struct, frozen=True, kw_only=True):
    """Milliseconds for which voters had the complete answers before them, over `timed` of the counted votes.

    `fast` votes came within `fast_ms`. The percentiles are of the latest timed votes, null where there are none.
    """

    timed: int
    fast: int
    fast_ms: int
    p10: int | None
    p50: int | None
    p90: int | None


class LineMove(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a voter's votes on a model's line. Null where the model is not in that table."""

    model: str
    rating_with: float | None
    rating_without: float | None
    rank_with: int | None
    rank_without: int | None


class ExclusionEffect(msgspec.Struct, frozen=True, kw_only=True):
    """The table with and without the votes of a flagged or excluded voter, the largest moves first.

    `moved` lines change their rank, or their score by half a point or more; `moves` are the largest of them.
    """

    voter_id: str
    excluded: bool
    votes: int
    moved: int
    moves: list[LineMove]


class WithoutVoter(msgspec.Struct, frozen=True, kw_only=True):
    """The top of the table without one voter: who is `first`, and the lead in points of today's top model.

    The lead is below zero where another model is first, and null where the top model is not ranked any more.
    """

    voter_id: str
    votes: int
    first: str
    lead: float | None


class TopStability(msgspec.Struct, frozen=True, kw_only=True):
    """The dependence of the first place on one voter. `tried` voters were left out one by one, `changing` change it.

    `voters` are those whose removal costs the top model most of its lead, up to ten.
    """

    top: str
    second: str
    lead: float
    tried: int
    changing: int
    voters: list[WithoutVoter]


class VoteHealth(msgspec.Struct, frozen=True, kw_only=True):
    """The health of the overall table's votes.

    `voters` are known by a pseudonym; `unknown` votes have none, and each counts as a person of its own.
    `effective_voters` is Kish's number: so many people with equally many votes would tell as much. `top_share` is the
    largest share of one voter in the votes. `left_wins` and `right_wins` are decided votes by side.
    """

    version: int
    votes: int
    voters: int
    unknown: int
    effective_voters: float
    top_share: float
    duplicates: int
    left_wins: int
    right_wins: int
    position: SideEffect | None
    speed: VoteSpeed
    top: TopStability | None
    """Null with fewer than two ranked models, or a single voter."""
    exclusions: list[ExclusionEffect]
    models: list[ModelCard]
    """Cards of the models that are named."""
