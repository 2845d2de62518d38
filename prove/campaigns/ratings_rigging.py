"""Voter integrity under attack: people who vote by a plan must be found, and honest people must not be."""

import math
from collections import Counter

import numpy as np

from parley.ratings.outcomes import Outcome
from parley.ratings.votes import Votes
from parley.workspace.standings.voter_flags import VoterVotes, flag_voters
from prove import voters
from prove.campaign import Batch, Tally

TIE_LOG_ODDS = (-5.0, -1.4, 0.0, 2.0)
"""From hardly any ties to nearly nothing else; trials take them in turn."""

HABIT_SD = 1.0
"""How differently people use the tie."""

MODELS, PEOPLE, EACH, RIGGERS, BATTLES = 16, 60, 50, 2, 40
FALSE_ALARMS, POWER = 0.01, 0.95


class Election:
    """An arena of honest people, and of some who always vote for one model."""

    def __init__(self, rng: np.random.Generator, tie_log_odds: float) -> None:
        self._rng = rng
        self.theta = rng.normal(0.0, 0.6, MODELS)
        self._ties = rng.normal(tie_log_odds / 2, 0.2, MODELS)
        self._rows: list[tuple[int, int, int, int]] = []
        self.targets = {voter: int(rng.integers(MODELS)) for voter in range(RIGGERS)}
        for voter in range(RIGGERS + PEOPLE):
            self._vote(voter, self.targets.get(voter))

    def votes(self) -> Votes:
        """Return all votes."""
        left, right, outcome, voter = np.array(self._rows, dtype=np.int32).T
        names = tuple(f"m{place}" for place in range(MODELS))
        return Votes(models=names, left=left, right=right, outcome=outcome, voter=voter)

    def ballots(self) -> list[VoterVotes]:
        """Return the votes of each voter in order, as the worker reads them."""
        rows: list[list[tuple[str, str, Outcome]]] = [[] for _ in range(RIGGERS + PEOPLE)]
        for left, right, outcome, voter in self._rows:
            rows[voter].append((f"m{left}", f"m{right}", Outcome(outcome)))
        return [
            VoterVotes(f"v{voter}", votes, [(*cell, times) for cell, times in Counter(votes).items()])
            for voter, votes in enumerate(rows)
        ]

    def _vote(self, voter: int, target: int | None) -> None:
        habit, played = self._rng.normal(0.0, HABIT_SD), 0
        while played < (EACH if target is None else BATTLES):
            left, right = self._rng.choice(MODELS, 2, replace=False)
            pushed = target in (left, right)
            outcome = int(right == target) if pushed else self._honest(left, right, habit)
            played += target is None or pushed
            self._rows.append((left, right, outcome, voter))

    def _honest(self, left: int, right: int, habit: float) -> int:
        ties = 1.0 / (1.0 + math.exp(-(self._ties[left] + self._ties[right] + habit)))
        if self._rng.random() < ties:
            return 2 if self._rng.random() < 0.6 else 3
        return 0 if self._rng.random() < 1.0 / (1.0 + math.exp(self.theta[right] - self.theta[left])) else 1


class Rigging:
    """Single-target voters among honest ones."""

    name = "ratings-rigging"
    guarantee = (
        "At any rate of ties at most 1% of simulated honest voters who judge independent prompts are flagged, and 95% "
        "or more of those who always vote for one model, within 40 battles of it. (Real people are flagged more often: "
        "a flag takes no vote out.)"
    )
    trials = 240
    batch = 40
    sample = 4

    def run(self, batch: Batch) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            election = self._election(batch, trial)
            ballots = election.ballots()
            flags = flag_voters(election.votes().counts(), ballots)
            for voter, ballot in enumerate(ballots):
                target, flag = election.targets.get(voter), flags.get(ballot.voter_id)
                if target is None:
                    tally.note("honest", float(flag is not None))
                else:
                    tally.note("rigged", float(flag is not None and flag.model == f"m{target}"))
            tally.trials += 1
            batch.step()
        self._judge(tally)
        return tally

    def control(self, batch: Batch) -> Tally:
        """A test of every model's share of wins at 1%, against the strengths that the votes came from."""
        tally = Tally()
        for trial in range(4):
            election = self._election(batch, trial)
            votes = election.votes()
            assert votes.voter is not None
            for voter in range(RIGGERS + PEOPLE):
                flagged = naive_alarm(votes.where(votes.voter == voter), election.theta)
                tally.note("rigged" if voter in election.targets else "honest", float(flagged))
            tally.trials += 1
        self._judge(tally)
        return tally

    def summary(self, tally: Tally) -> str:
        parts = ((name, np.mean(values), len(values)) for name, values in sorted(tally.figures.items()))
        return "; ".join(f"{share:.2%} of {number} {name} voters flagged" for name, share, number in parts)

    def _election(self, batch: Batch, trial: int) -> Election:
        rng = voters.generator(batch.chance(trial))
        return Election(rng, TIE_LOG_ODDS[trial % len(TIE_LOG_ODDS)])

    def _judge(self, tally: Tally) -> None:
        false, found = tally.figures["honest"], tally.figures["rigged"]
        if np.mean(false) > FALSE_ALARMS + 3 * math.sqrt(FALSE_ALARMS * (1 - FALSE_ALARMS) / len(false)):
            tally.failures.append(f"{np.mean(false):.2%} of {len(false)} honest voters were flagged")
        if np.mean(found) < POWER - 3 * math.sqrt(POWER * (1 - POWER) / len(found)):
            tally.failures.append(f"only {np.mean(found):.1%} of {len(found)} rigging voters were found")


def naive_alarm(votes: Votes, theta: np.ndarray) -> bool:
    """Flag a voter one of whose models has a share of wins that p = 0.01 calls unusual."""
    got = np.array([1.0, 0.0, 0.5, 0.5])[votes.outcome]
    p = 1.0 / (1.0 + np.exp(theta[votes.right] - theta[votes.left]))
    for model in range(len(theta)):
        mine = (votes.left == model) | (votes.right == model)
        side = np.where(votes.left == model, 1.0, -1.0)[mine]
        spread = math.sqrt(float((p * (1 - p))[mine].sum()))
        if spread > 0 and abs(float(((got - p)[mine] * side).sum())) > 2.576 * spread:
            return True
    return False


CAMPAIGNS = [Rigging()]
