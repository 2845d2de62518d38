"""Tests of bulk batches: column by column, votes come to exactly what they come to one by one."""

import random
from datetime import timedelta
from typing import Any

import pytest

from parley.features.standings.accumulators import VoteBatch
from parley.features.standings.bulk_batch import BulkBatch
from parley.features.standings.coded_votes import CodedVotes
from parley.features.standings.rated_votes import PendingVote
from parley.features.standings.snapshot import Snapshot
from parley.features.standings.vote_repository import VoteRepository
from parley.storage.database import Database, Transaction
from tests.fakes.ballot_box import BEGIN, BallotBox, put


def varied(row: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return a vote with whatever a stored vote may have."""
    return {
        **row,
        "rated": rng.random() < 0.9,
        "choice": rng.choice([row["choice"], row["choice"], "elsewhere"]),
        "left_model_id": rng.choice(
            [row["left_model_id"], row["right_model_id"], row["left_model_id"], None, ""]
        ),
        "excluded_reason": rng.choice([None, None, None, "excluded_voter"]),
        "prompt_sha256": rng.choice([None, "0" * 64]),
        "voter_id": rng.choice([row["voter_id"], row["id"]]),
        "origin": rng.choice(["here", "import"]),
    }


async def both_ways(database: Database) -> tuple[list[PendingVote], CodedVotes]:
    def read(transaction: Transaction) -> tuple[list[PendingVote], CodedVotes]:
        votes, coded = VoteRepository(transaction), CodedVotes()
        while page := votes.pending_columns(coded.last_seq, 100):
            coded.add(page)
        return list(votes.pending(1000)), coded

    return await database.read(read)


@pytest.mark.parametrize("number", [0, 1, 300])
async def test_a_bulk_batch_comes_to_what_its_votes_come_to_one_by_one(
    number: int, database: Database
) -> None:
    rng, box = random.Random(number), BallotBox()
    times = {"overall": {"ada": (BEGIN + timedelta(hours=1), BEGIN + timedelta(hours=1))}}
    before = Snapshot(elos={"overall": {"ada": 1600.0}, "coding": {"eve": 1400.0}}, times=times)
    if number:
        await put(database, [varied(row, rng) for row in box.rows(number)])
    votes, coded = await both_ways(database)
    single, bulk = VoteBatch(votes, before), BulkBatch(coded, before)
    assert bulk.number == len(coded) == number
    assert (bulk.number, bulk.first_seq, bulk.last_seq) == (single.number, single.first_seq, single.last_seq)
    assert bulk.rows == single.rows
    assert (bulk.voters, bulk.categories) == (single.voters, single.categories)
    assert (bulk.order.elos, bulk.order.times) == (single.order.elos, single.order.times)
    assert {key: repr(it) for key, it in bulk.pairs.items()} == {
        key: repr(it) for key, it in single.pairs.items()
    }
