"""Tables of the standings: counts of votes, what was made of them, and how the worker fares."""

from datetime import datetime
from typing import Annotated

from sqlalchemy import Integer, String, Text

from parley.storage.tables.rows import (
    Counter,
    Digest,
    Document,
    Name,
    Row,
    Time,
    UtcDateTime,
    column,
    stored_in,
)


@stored_in("pair_counts")
class PairCountRow(Row):
    """Counts of one ordered pair of models in a category: all that the ratings are computed from.

    `counted` is false for the votes that are kept but not counted; a table with them adds both.
    """

    category: Annotated[str, String(64), column(primary_key=True)]
    left_model_id: Annotated[str, String(64), column(primary_key=True)]
    right_model_id: Annotated[str, String(64), column(primary_key=True)]
    counted: Annotated[bool, column(primary_key=True)]
    win: int
    loss: int
    tie: int
    both_bad: int


@stored_in("latency_counts")
class LatencyCountRow(Row):
    """The voted replies of a model whose first word came within a bucket of time (a power of 1.02 ms)."""

    model_id: Annotated[str, String(64), column(primary_key=True)]
    bucket: Annotated[int, Integer, column(primary_key=True, autoincrement=False)]
    replies: int


@stored_in("uncounted_counts")
class UncountedCountRow(Row):
    """The votes of a category that are stored but not counted, by reason."""

    category: Annotated[str, String(64), column(primary_key=True)]
    reason: Annotated[str, String(64), column(primary_key=True)]
    votes: int


@stored_in("model_use")
class ModelUseRow(Row):
    """The sums of a model's voted replies: output tokens, milliseconds of speaking, micro-dollars.

    A seat counts once per match. Speaking is measured where the first word's time is known, `spoken_tokens` are
    those of these seats; `priced` of them had a price. Seats that are blind still are not in here.
    """

    model_id: Annotated[str, String(64), column(primary_key=True)]
    replies: int
    output_tokens: int
    spoken_tokens: int
    speaking_ms: int
    cost_micros: int
    priced: int


@stored_in("model_stats")
class ModelStatsRow(Row):
    """A model's line in the table of a category and method, as of the worker's last run.

    Ratings and bounds are points, rounded to 1e-4; Elo is kept whole, since it goes on from here. `first_vote_at`
    and `last_vote_at` are of counted votes.
    """

    category: Annotated[str, String(64), column(primary_key=True)]
    method: Annotated[str, String(64), column(primary_key=True)]
    model_id: Annotated[str, String(64), column(primary_key=True)]
    rating: float
    ci_lower: float | None
    ci_upper: float | None
    rank_ub: Annotated[int, Integer]
    rank: Annotated[int, Integer]
    votes: int
    wins: int
    losses: int
    ties: int
    both_bad: int
    win_rate: float
    provisional: bool
    comparison_group: Annotated[int, Integer]
    widened: float
    top_voter: float | None
    ttft_p50_ms: Annotated[int | None, Integer]
    first_vote_at: Time
    last_vote_at: Time


@stored_in("rating_history")
class RatingPointRow(Row):
    """A model's rating at the end of an hour in which it changed, under that hour's beginning.

    Of a day that is older than a month only the last point is kept.
    """

    category: Annotated[str, String(64), column(primary_key=True)]
    method: Annotated[str, String(64), column(primary_key=True)]
    at: Annotated[datetime, UtcDateTime(), column(primary_key=True)]
    model_id: Annotated[str, String(64), column(primary_key=True)]
    rating: float
    ci_lower: float | None
    ci_upper: float | None
    rank_ub: Annotated[int, Integer]
    votes: int


@stored_in("voter_flags")
class VoterFlagRow(Row):
    """A voter whose votes look like a plan, for a person to judge: nothing follows from it by itself.

    The evidence is from `votes` on `prompts` distinct prompts, as of `examined_at`; `model_id` is the one that is
    pushed, or voted against. `excluded_at` and `excluded_by` tell of the operator's ruling; the evidence then stays as
    it was.
    """

    voter_id: Annotated[str, String(32), column(primary_key=True)]
    e_value: float
    pattern: Name
    model_id: Name | None
    votes: int
    flagged_at: Time
    prompts: int
    examined_at: Time
    excluded_at: Time | None
    excluded_by: Name | None


@stored_in("public_priors")
class StoredPriorRow(Row):
    """Published results that a category's table starts from, counting as `weight` votes in all.

    `content` has the results between one's own models, and how the names of the file were read. The digest is that of
    source, weight and results; the audit log has it too.
    """

    category: Annotated[str, String(64), column(primary_key=True)]
    source: Annotated[str, Text]
    weight: float
    content: Document
    sha256: Digest
    set_at: Time
    set_by: Name


@stored_in("worker_status")
class WorkerStatusRow(Row):
    """A worker's last run. `version` grows with every change of what it keeps."""

    worker_name: Annotated[str, String(64), column(primary_key=True)]
    version: Annotated[int, Counter]
    status: Name
    last_run_at: Time | None
    duration_ms: Annotated[int | None, Integer]
    votes_processed: int
    last_vote_seq: int
    error: Annotated[str | None, Text]
