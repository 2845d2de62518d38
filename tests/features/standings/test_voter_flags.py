"""Tests of flagged voters: those who push a model are found, those who have a taste of their own are not."""

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import pytest

from parley.features.standings.other_voters import MOST_LEFT_OUT
from parley.features.standings.seen_votes import SeenVote
from parley.features.standings.voter_flags import LATEST_VOTES, VoterVotes, flag_voters
from parley.ratings.counts import Counts
from parley.ratings.integrity import LEAST_PROMPTS, Flag
from parley.ratings.outcomes import Outcome
from parley.ratings.tastes import ASSUMED

MODELS = tuple(f"model-{number}" for number in range(8))
STRENGTH = {model: 0.35 * number for number, model in enumerate(MODELS)}
Vote = tuple[str, str, Outcome]
Taste = Callable[[random.Random, str, str], Outcome]


def honest(chance: random.Random, left: str, right: str) -> Outcome:
    """Vote as the strengths have it, with a tie now and then."""
    if chance.random() < 0.2:
        return Outcome.TIE
    lead = 2.718281828 ** (STRENGTH[right] - STRENGTH[left])
    return Outcome.WIN if chance.random() < 1 / (1 + lead) else Outcome.LOSS


def pushing(chance: random.Random, left: str, right: str) -> Outcome:
    """Vote for the weakest model wherever it plays."""
    if MODELS[0] in (left, right):
        return Outcome.WIN if left == MODELS[0] else Outcome.LOSS
    return honest(chance, left, right)


def ballots(taste: Taste, number: int, seed: int) -> list[Vote]:
    chance = random.Random(seed)
    pairs = [chance.sample(MODELS, 2) for _ in range(number)]
    return [(left, right, taste(chance, left, right)) for left, right in pairs]


def flags_of(
    *voters: Sequence[Vote],
    examined: int = 1,
    prompts: int = 10**9,
    taste: float = 0.2,
    flagged: Sequence[int] = (),
) -> Mapping[str, Flag]:
    """Count the votes of all voters and examine the first ones, who take turns with so many prompts.

    `flagged` are voters who have a flag already, strongest evidence first.
    """
    counts = Counts(MODELS)
    for votes in voters:
        for left, right, outcome in votes:
            counts.add(left, right, outcome)
    looked = [
        VoterVotes(
            f"voter-{number}",
            [SeenVote(*vote, f"{place % prompts}") for place, vote in enumerate(votes[-LATEST_VOTES:])],
            [(*cell, n) for cell, n in Counter(votes).items()],
        )
        for number, votes in enumerate(voters[:examined])
    ]
    cells = {f"voter-{it}": [(*cell, n) for cell, n in Counter(voters[it]).items()] for it in flagged}
    return flag_voters(counts, looked, taste, cells)


def test_a_voter_who_pushes_a_model_is_flagged_with_the_model_and_no_other_voter_is() -> None:
    crowd = [ballots(honest, 60, seed) for seed in range(1, 13)]
    ((voter, flag),) = flags_of(ballots(pushing, 150, 99), *crowd, examined=13).items()
    assert (voter, flag.pattern, flag.model) == ("voter-0", "pushes", MODELS[0])
    assert (flag.e_value > 100, flag.votes, flag.prompts) == (True, 150, 150)


def test_a_pushed_model_on_few_prompts_is_no_evidence_since_the_prompts_may_suit_it() -> None:
    crowd = [ballots(honest, 60, seed) for seed in range(1, 13)]
    pushed = ballots(pushing, 150, 99)
    assert flags_of(pushed, *crowd, prompts=LEAST_PROMPTS - 1) == {}
    assert flags_of(pushed, *crowd, prompts=LEAST_PROMPTS) == {}, "ten prompts count as ten votes"
    assert flags_of(pushed, *crowd, prompts=100) != {}


def test_evidence_falls_when_a_voter_votes_like_everybody_else_again() -> None:
    crowd = [ballots(honest, 60, seed) for seed in range(1, 13)]
    flagged = ballots(pushing, 100, 99)
    assert "voter-0" in flags_of(flagged, *crowd)
    assert flags_of([*flagged, *ballots(honest, 60, 5)], *crowd) == {}


def test_in_a_crowd_with_strong_tastes_a_strong_taste_is_no_plan() -> None:
    crowd = [ballots(honest, 60, seed) for seed in range(1, 13)]
    pushed = ballots(pushing, 60, 99)
    assert flags_of(pushed, *crowd)["voter-0"].model == MODELS[0]
    assert flags_of(pushed, *crowd, taste=4 * ASSUMED) == {}


def test_two_who_push_one_model_hide_each_other_until_one_of_them_is_flagged() -> None:
    crowd = [ballots(honest, 25, seed) for seed in range(1, 13)]
    pair = ballots(pushing, 45, 99), ballots(pushing, 250, 98)
    hidden, found = (flags_of(*pair, *crowd, flagged=flagged) for flagged in ((), (1,)))
    assert hidden == {}
    assert found["voter-0"].model == MODELS[0]


def test_a_flagged_voter_is_examined_against_the_same_table_as_before() -> None:
    crowd = [ballots(honest, 60, seed) for seed in range(1, 13)]
    pushed = ballots(pushing, 150, 99)
    before, after = (flags_of(pushed, *crowd, flagged=flagged)["voter-0"] for flagged in ((), (0,)))
    assert math.log(after.e_value) == pytest.approx(math.log(before.e_value), rel=0.02)


def test_flagged_voters_who_are_half_of_all_votes_stay_in_the_table_the_weakest_evidence_first() -> None:
    pushed = [ballots(pushing, 150, seed) for seed in (97, 98, 99)]
    crowd = [ballots(honest, 15, seed) for seed in range(1, 13)]
    everybody = [*pushed, *crowd]
    assert MOST_LEFT_OUT == 0.5
    one, two, three = (flags_of(*everybody, examined=3, flagged=it) for it in ((1,), (1, 2), (1, 2, 0)))
    assert one != two
    assert two == three, "two have cast 300 of 630 votes, and three 450"


def test_votes_of_a_flagged_voter_that_are_no_longer_counted_leave_the_table_whole() -> None:
    crowd = [ballots(honest, 60, seed) for seed in range(1, 13)]
    pushed = ballots(pushing, 150, 99)
    counts = Counts(MODELS)
    for left, right, outcome in [vote for votes in [pushed, *crowd] for vote in votes]:
        counts.add(left, right, outcome)
    gone = [(MODELS[1], MODELS[2], Outcome.WIN, 300), ("a-model-that-left", MODELS[2], Outcome.WIN, 3)]
    seen = [SeenVote(*vote, f"{place}") for place, vote in enumerate(pushed)]
    own = [(*cell, n) for cell, n in Counter(pushed).items()]
    assert "pusher" in flag_voters(counts, [VoterVotes("pusher", seen, own)], 0.2, {"excluded": gone})


def test_the_only_voter_is_never_flagged_whatever_the_taste() -> None:
    for taste in (pushing, lambda *_: Outcome.WIN, lambda *_: Outcome.BOTH_BAD):
        assert flags_of(ballots(taste, 3_000, 7)) == {}


def test_two_people_who_disagree_do_not_flag_each_other_before_others_have_placed_the_models() -> None:
    one = [(MODELS[0], MODELS[1], Outcome.WIN)] * 200
    other = [(MODELS[0], MODELS[1], Outcome.LOSS)] * 9
    assert flags_of(one, other, examined=2) == {}


def test_votes_before_the_latest_ones_are_not_taken_for_those_of_others() -> None:
    many = ballots(pushing, LATEST_VOTES + 4_000, 3)
    assert flags_of(many, ballots(honest, 9, 4)) == {}


def test_nobody_examined_costs_no_fit() -> None:
    assert flag_voters(Counts(), (), ASSUMED, {}) == {}
