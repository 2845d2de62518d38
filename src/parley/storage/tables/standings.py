"""Tables of the standings: counts of votes, what was made of them, and how the worker fares."""

from datetime import datetime

from sqlalchemy import BigInteger, Boolean, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from parley.storage.tables.declared import Counter, Digest, Document, Name, Table, Time, UtcDateTime


class PairCount(Table):
    """How one ordered pair of models did in a category: all that the ratings are computed from.

    `counted` is false for the votes that are kept but not counted; a table with them adds both.
    """

    __tablename__ = "pair_counts"
    category: Mapped[str] = mapped_column(String(64), primary_key=True)
    left_model_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    right_model_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    counted: Mapped[bool] = mapped_column(Boolean, primary_key=True)
    win: Mapped[int] = mapped_column(BigInteger)
    loss: Mapped[int] = mapped_column(BigInteger)
    tie: Mapped[int] = mapped_column(BigInteger)
    both_bad: Mapped[int] = mapped_column(BigInteger)


class LatencyCount(Table):
    """How many voted replies of a model had their first word within a bucket of time (a power of 1.02 ms)."""

    __tablename__ = "latency_counts"
    model_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    bucket: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    replies: Mapped[int] = mapped_column(BigInteger)


class UncountedCount(Table):
    """How many votes of a category are kept but not counted, by reason."""

    __tablename__ = "uncounted_counts"
    category: Mapped[str] = mapped_column(String(64), primary_key=True)
    reason: Mapped[str] = mapped_column(String(64), primary_key=True)
    votes: Mapped[int] = mapped_column(BigInteger)


class ModelUse(Table):
    """What a model's voted replies took in all: output tokens, milliseconds of speaking, micro-dollars.

    A seat counts once per match. Speaking is measured where the first word's time is known, `spoken_tokens` are
    those of these seats; `priced` of them had a price. Seats that are blind still are not in here.
    """

    __tablename__ = "model_use"
    model_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    replies: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
    spoken_tokens: Mapped[int] = mapped_column(BigInteger)
    speaking_ms: Mapped[int] = mapped_column(BigInteger)
    cost_micros: Mapped[int] = mapped_column(BigInteger)
    priced: Mapped[int] = mapped_column(BigInteger)


class ModelStats(Table):
    """A model's line in the table of a category and method, as of the worker's last run.

    Ratings and bounds are points, rounded to 1e-4; Elo is kept whole, since it goes on from here. `first_vote_at`
    and `last_vote_at` are of counted votes.
    """

    __tablename__ = "model_stats"
    category: Mapped[str] = mapped_column(String(64), primary_key=True)
    method: Mapped[str] = mapped_column(String(64), primary_key=True)
    model_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    rating: Mapped[float]
    ci_lower: Mapped[float | None]
    ci_upper: Mapped[float | None]
    rank_ub: Mapped[int] = mapped_column(Integer)
    rank: Mapped[int] = mapped_column(Integer)
    votes: Mapped[int] = mapped_column(BigInteger)
    wins: Mapped[int] = mapped_column(BigInteger)
    losses: Mapped[int] = mapped_column(BigInteger)
    ties: Mapped[int] = mapped_column(BigInteger)
    both_bad: Mapped[int] = mapped_column(BigInteger)
    win_rate: Mapped[float]
    provisional: Mapped[bool] = mapped_column(Boolean)
    comparison_group: Mapped[int] = mapped_column(Integer)
    widened: Mapped[float]
    top_voter: Mapped[float | None]
    ttft_p50_ms: Mapped[int | None] = mapped_column(Integer)
    first_vote_at: Mapped[Time]
    last_vote_at: Mapped[Time]


class RatingPoint(Table):
    """A model's rating at the end of an hour in which it changed, under that hour's beginning.

    Of a day that is older than a month only the last point is kept.
    """

    __tablename__ = "rating_history"
    category: Mapped[str] = mapped_column(String(64), primary_key=True)
    method: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime(), primary_key=True)
    model_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    rating: Mapped[float]
    ci_lower: Mapped[float | None]
    ci_upper: Mapped[float | None]
    rank_ub: Mapped[int] = mapped_column(Integer)
    votes: Mapped[int] = mapped_column(BigInteger)


class VoterFlag(Table):
    """A voter whose votes look like a plan, for a person to judge: nothing follows from it by itself.

    The evidence is from `votes` on `prompts` distinct prompts, as of `examined_at`; `model_id` is the one that is
    pushed, or voted against. `excluded_at` and `excluded_by` tell of the operator's ruling; the evidence then stays as
    it was.
    """

    __tablename__ = "voter_flags"
    voter_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    e_value: Mapped[float]
    pattern: Mapped[Name]
    model_id: Mapped[Name | None]
    votes: Mapped[int] = mapped_column(BigInteger)
    flagged_at: Mapped[Time]
    prompts: Mapped[int] = mapped_column(BigInteger)
    examined_at: Mapped[Time]
    excluded_at: Mapped[Time | None]
    excluded_by: Mapped[Name | None]


class StoredPrior(Table):
    """Published results that a category's table starts from, counting as `weight` votes in all.

    `content` has the results between one's own models, and how the names of the file were read. The digest is that of
    source, weight and results; the audit log has it too.
    """

    __tablename__ = "public_priors"
    category: Mapped[str] = mapped_column(String(64), primary_key=True)
    source: Mapped[str] = mapped_column(Text)
    weight: Mapped[float]
    content: Mapped[Document]
    sha256: Mapped[Digest]
    set_at: Mapped[Time]
    set_by: Mapped[Name]


class WorkerStatus(Table):
    """How a worker's last run went. `version` grows with every change of what it keeps."""

    __tablename__ = "worker_status"
    worker_name: Mapped[str] = mapped_column(String(64), primary_key=True)
    version: Mapped[int] = mapped_column(Counter)
    status: Mapped[Name]
    last_run_at: Mapped[Time | None]
    duration_ms: Mapped[int | None] = mapped_column(Integer)
    votes_processed: Mapped[int] = mapped_column(BigInteger)
    last_vote_seq: Mapped[int] = mapped_column(BigInteger)
    error: Mapped[str | None] = mapped_column(Text)
