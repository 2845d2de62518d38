"""Suspicious voters: people who vote by a plan must be found, and honest people must not be, however they are."""

import math

import msgspec
import numpy as np

from parley.workspace.standings.voter_flags import crowd_taste, flag_voters
from prove import voters
from prove.campaign import Batch, Tally
from prove.crowds import Cast, Crowd, cast

HONEST = {
    "even": Crowd(),
    "hardly any ties": Crowd(tie_log_odds=-5.0),
    "nearly only ties": Crowd(tie_log_odds=2.0),
    "prompts SD 139": Crowd(prompt=139),
    "prompts SD 208": Crowd(prompt=208),
    "one pet prompt, SD 139": Crowd(prompt=139, favourite=1.0),
    "one pet prompt, SD 208": Crowd(prompt=208, favourite=1.0),
    "half on a pet prompt, SD 208": Crowd(prompt=208, favourite=0.5),
    "tastes SD 70": Crowd(taste=70),
    "tastes SD 139": Crowd(taste=139),
    "tastes SD 208": Crowd(taste=208),
    "Zipf 1.1": Crowd(zipf=1.1),
    "Zipf 1.1, tastes SD 139": Crowd(zipf=1.1, taste=139),
    "Zipf 1.1, half on a pet prompt, SD 208": Crowd(zipf=1.1, prompt=208, favourite=0.5),
    "copies": Crowd(copies=0.3),
    "all of these": Crowd(zipf=1.1, prompt=139, favourite=0.3, taste=70, copies=0.3),
}
"""Crowds of honest people; trials take them in turn with those below."""

RIGGED = {
    "alone": Crowd(pushers=2),
    "alone, 10% slips": Crowd(pushers=2, slips=0.1),
    "two together": Crowd(pushers=2, together=True),
    "two together, 10% slips": Crowd(pushers=2, together=True, slips=0.1),
    "among hardly any ties": Crowd(pushers=2, tie_log_odds=-5.0),
    "among nearly only ties": Crowd(pushers=2, tie_log_odds=2.0),
    "among prompts SD 139": Crowd(pushers=2, prompt=139),
    "among tastes SD 70": Crowd(pushers=2, taste=70),
}

CROWDS = {
    **{f"honest: {name}": it for name, it in HONEST.items()},
    **{f"pushing: {k}": v for k, v in RIGGED.items()},
}
MANY_VOTES = 50
FALSE_ALARMS, POWER = 0.01, 0.95


class Rigging:
    """Single-target voters among honest ones."""

    name = "ratings-rigging"
    guarantee = (
        "In every crowd (prompts that suit models, pet prompts, tastes, few very active voters, copies, any rate of "
        "ties) at most 1% of honest voters with 50 votes or more are flagged, and 95% or more of those who push one "
        "model, within 40 battles of it, also with slips, also two together."
    )
    trials = 24 * 60
    batch = 48
    sample = 24

    def run(self, batch: Batch) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            name, election = _election(batch, trial)
            counts, ballots = election.votes.counts(), election.ballots()
            flags = flag_voters(counts, ballots, crowd_taste(counts, ballots))
            for voter, ballot in enumerate(ballots):
                target, flag = election.targets.get(voter), flags.get(ballot.voter_id)
                if target is not None:
                    tally.note(name, float(flag is not None and flag.model == f"m{target}"))
                elif len(ballot.latest) >= MANY_VOTES:
                    tally.note(f"honest: {name.partition(': ')[2]}", float(flag is not None))
            tally.trials += 1
            batch.step()
        _judge(tally)
        return tally

    def control(self, batch: Batch) -> Tally:
        """Each vote taken as on a prompt of its own, and no tastes: both then look planned."""
        tally = Tally()
        for trial in range(batch.count):
            crowd = Crowd(zipf=1.1, prompt=208, favourite=1.0) if trial % 2 else Crowd(zipf=1.1, taste=208)
            election = cast(voters.generator(batch.chance(trial)), crowd)
            spread = msgspec.structs.replace(election, prompt=np.arange(len(election.prompt)))
            counts, ballots = spread.votes.counts(), spread.ballots()
            flags = flag_voters(counts, ballots, taste=0.0)
            for ballot in ballots:
                if len(ballot.latest) >= MANY_VOTES:
                    tally.note("honest", float(ballot.voter_id in flags))
            tally.trials += 1
        _judge(tally)
        return tally

    def summary(self, tally: Tally) -> str:
        parts = ((name, np.mean(values), len(values)) for name, values in sorted(tally.figures.items()))
        return "; ".join(f"{name} {share:.2%} of {number} flagged" for name, share, number in parts)


def _election(batch: Batch, trial: int) -> tuple[str, Cast]:
    name = list(CROWDS)[trial % len(CROWDS)]
    return name, cast(voters.generator(batch.chance(trial)), CROWDS[name])


def _judge(tally: Tally) -> None:
    for name, values in tally.figures.items():
        found, number = float(np.mean(values)), len(values)
        if name.startswith("honest"):
            if found > FALSE_ALARMS + 3 * math.sqrt(FALSE_ALARMS * (1 - FALSE_ALARMS) / number):
                tally.failures.append(f"{name}: {found:.2%} of {number} voters were flagged")
        elif found < POWER - 3 * math.sqrt(POWER * (1 - POWER) / number):
            tally.failures.append(f"{name}: only {found:.1%} of {number} voters were found")


CAMPAIGNS = [Rigging()]
