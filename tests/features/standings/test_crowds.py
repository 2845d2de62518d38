"""Tests of intervals on real crowds: wider where people's votes are alike, and marked where they are one person's."""

import random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from parley.features.standings.accumulators import CrowdVotes
from parley.features.standings.rated_votes import rated_vote
from parley.features.standings.recount import confirm_elo
from parley.features.standings.refit import crowd_effects
from parley.features.standings.verification import verify_standings
from parley.ratings import RatingOptions, rate_votes
from parley.storage.database import Database
from tests.fakes.ballot_box import BallotBox, put, standings_of
from tests.features.standings.test_worker import settle

MODELS = ("ada", "bob", "cleo", "dora")
WORDS = {"left": "model_a", "right": "model_b", "tie": "tie", "both_bad": "tie (bothbad)"}


def tasteful(box: BallotBox, number: int) -> list[dict[str, Any]]:
    """Return votes of people who each like some models more."""
    rows = box.rows(number)
    for row in rows:
        likes = random.Random(row["voter_id"])
        rank = {model: likes.gauss(0, 1.5) for model in MODELS}
        lead = rank[row["left_model_id"]] - rank[row["right_model_id"]] + box.chance.gauss(0, 1)
        row["choice"] = "left" if lead > 0 else "right"
    return rows


async def test_intervals_are_as_wide_as_the_tastes_of_people_make_them(database: Database) -> None:
    box, standings = BallotBox(models=MODELS, voters=12, uncounted=0), standings_of(database)
    rows = tasteful(box, 600)
    await put(database, rows)
    await settle(standings)
    lines = standings.tables.snapshot.table("overall", "bradley-terry").lines
    plain = rate_votes(
        [row["left_model_id"] for row in rows],
        [row["right_model_id"] for row in rows],
        [WORDS[row["choice"]] for row in rows],
        options=RatingOptions(interval="anytime"),
    )
    for line in lines:
        assert line.widened > 1.3
        assert line.top_voter == pytest.approx(1 / 12, abs=0.04)
        known = plain[line.model]
        assert line.ci_lower is not None
        assert known.ci_lower is not None
        assert line.rating - line.ci_lower > 1.2 * (known.rating - known.ci_lower)
        assert line.rating == pytest.approx(known.rating, abs=1e-3)
    await confirm_elo(database)
    assert (await verify_standings(database)).wrong is None
    again = standings_of(database)
    await again.tables.load()
    await box.cast(database, 1)
    await again.worker.run(False)
    (before, after) = (
        {line.model: line.widened for line in it.tables.snapshot.table("overall", "bradley-terry").lines}
        for it in (standings, again)
    )
    assert after == pytest.approx(before, rel=0.02), "a restart does not make anything more certain"
    await again.close()
    await standings.close()


def test_a_single_person_or_a_handful_keep_intervals_about_their_votes() -> None:
    for voters in (1, 3):
        effects = crowd_effects(
            votes_of(BallotBox(models=MODELS, voters=voters, uncounted=0), 200), "overall"
        )
        assert {effect.widened for effect in effects.values()} == {1.0}
        assert min(effect.top_voter or 0.0 for effect in effects.values()) > 0.3
    assert crowd_effects(CrowdVotes(), "overall") == {}


def test_somebody_who_casts_every_third_vote_is_seen() -> None:
    box = BallotBox(models=MODELS, voters=40, uncounted=0)
    votes = votes_of(box, 300)
    one = BallotBox(models=MODELS, voters=1, uncounted=0, seed=2)
    for row in one.rows(150):
        add(votes, {**row, "voter_id": "one"})
    effects = crowd_effects(votes, "overall")
    assert all(effect.top_voter == pytest.approx(1 / 3, abs=0.07) for effect in effects.values())


def votes_of(box: BallotBox, number: int) -> CrowdVotes:
    votes = CrowdVotes()
    for row in box.rows(number):
        add(votes, row)
    return votes


def add(votes: CrowdVotes, row: dict[str, Any]) -> None:
    vote = rated_vote(cast("Any", SimpleNamespace(**row, seq=1)))
    assert vote is not None
    votes.add(vote, row["voter_id"], None)
