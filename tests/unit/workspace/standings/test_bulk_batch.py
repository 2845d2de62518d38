"""Tests of bulk batches: column by column, votes come to exactly what they come to one by one."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from parley.workspace.standings.accumulators import Batch
from parley.workspace.standings.bulk_batch import BulkBatch
from parley.workspace.standings.coded_votes import CodedVotes
from parley.workspace.standings.rated_votes import PendingVote
from parley.workspace.standings.snapshot import Snapshot

BEGUN = datetime(2025, 1, 1, tzinfo=UTC)
METRICS = {
    "ttft_ms": 80,
    "duration_ms": 400,
    "output_tokens": 20,
    "tokens_per_second": 50.0,
    "cost_micros": 3,
}


def a_vote(seq: int, rng: random.Random) -> PendingVote:
    seats = {"left": {"model_id": "a", "metrics": METRICS}}
    return PendingVote(
        seq=seq,
        rated=rng.random() < 0.9,
        choice=rng.choice(["left", "right", "tie", "both_bad", "elsewhere"]),
        left_model_id=rng.choice(["a", "b", "c", None, ""]),
        right_model_id=rng.choice(["a", "b", "c", "d"]),
        counted=rng.random() < 0.8,
        not_counted_reason=rng.choice([None, "identity_leak"]),
        excluded_reason=rng.choice([None, None, None, "excluded_voter"]),
        processing_status="pending",
        created_at=BEGUN + timedelta(microseconds=rng.randrange(10**13)),
        categories=rng.choice(["[]", '["coding"]', '["coding","language-en"]', "null"]),
        voter_id=rng.choice([None, "one", "other"]),
        result={"seats": seats} if rng.random() < 0.1 else None,
    )


def as_columns(vote: PendingVote, *, as_text: bool) -> tuple[Any, ...]:
    at = vote.created_at.strftime("%Y-%m-%d %H:%M:%S.%f") if as_text else vote.created_at
    return (
        *(vote.seq, int(vote.rated), vote.choice, vote.left_model_id, vote.right_model_id),
        *(int(vote.counted), vote.not_counted_reason, vote.excluded_reason, at, vote.categories),
        *(vote.voter_id, vote.result),
    )


def a_snapshot(first: Batch | None) -> Snapshot:
    return Snapshot() if first is None else Snapshot(elos=first.order.elos, times=first.order.times)


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("number", [0, 1, 300])
def test_a_bulk_batch_comes_to_what_its_votes_come_to_one_by_one(number: int, as_text: bool) -> None:
    rng = random.Random(number)
    earlier = Batch([a_vote(seq, rng) for seq in range(1, 50)], Snapshot())
    votes = [a_vote(seq, rng) for seq in range(50, 50 + number)]
    single = Batch(votes, a_snapshot(earlier))
    columns = [as_columns(vote, as_text=as_text) for vote in votes]
    pages = [columns[at : at + 70] for at in range(0, len(columns), 70)]
    bulk = BulkBatch(CodedVotes([*pages, []]), a_snapshot(earlier))
    assert bulk.rows == single.rows
    assert (bulk.number, bulk.first_seq, bulk.last_seq) == (single.number, single.first_seq, single.last_seq)
    assert (bulk.voters, bulk.categories) == (single.voters, single.categories)
    assert (bulk.order.elos, bulk.order.times) == (single.order.elos, single.order.times)
