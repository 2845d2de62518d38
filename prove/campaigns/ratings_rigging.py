"""Suspicious voters: people who vote by a plan must be found, and honest people must not be, however they are."""

import msgspec
import numpy as np
from scipy.special import bdtr, bdtrc

from parley.features.standings.voter_flags import flag_voters
from prove import voters
from prove.campaign import Batch, Tally
from prove.crowds import Crowd, cast, flags

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
"""Crowds of honest people."""

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

BEYOND = {
    "10% slips, among hardly any ties": Crowd(pushers=2, slips=0.1, tie_log_odds=-5.0),
    "two together, 10% slips, among hardly any ties": Crowd(
        pushers=2, together=True, slips=0.1, tie_log_odds=-5.0
    ),
    "10% against": Crowd(pushers=2, slips=0.1, slips_against=True),
    "two together, 10% against": Crowd(pushers=2, together=True, slips=0.1, slips_against=True),
    "among tastes SD 139": Crowd(pushers=2, taste=139),
}
"""Pushers whose votes tell less than the guarantee asks for: how many are found is measured, not judged."""

HONESTLY, PUSHING, MEASURED = "honest: ", "pushing: ", "beyond the guarantee: "
CROWDS = [
    *((HONESTLY + name, crowd) for name, crowd in HONEST.items()),
    *[(PUSHING + name, crowd) for name, crowd in RIGGED.items()] * 3,
    *((MEASURED + name, crowd) for name, crowd in BEYOND.items()),
]
"""Trials take them in turn; a crowd has many honest voters and two pushers, so that of these more crowds are needed."""

MANY_VOTES = 50
FALSE_ALARMS, POWER = 0.01, 0.95

ENOUGH = 200
"""Of so many voters the share itself must be within the bar; of fewer, only what chance can't explain is a failure."""

CHANCE = 0.001
"""How likely such a share or a worse one is where the bar is just met, by the binomial distribution."""


class Rigging:
    """Single-target voters among honest ones."""

    name = "ratings-rigging"
    guarantee = (
        "In every crowd (prompts that suit models, pet prompts, tastes, few very active voters, copies, any rate of "
        "ties) at most 1% of honest voters with 50 votes or more are flagged. Of those who push one model, in 40 "
        "battles of it, 95% or more are found: alone and two together, each also with 10% honest slips, and alone "
        "among any rate of ties, prompts SD 139 and tastes SD 70."
    )
    trials = len(CROWDS) * 60
    batch = len(CROWDS)
    sample = len(HONEST) + len(RIGGED)

    def run(self, batch: Batch) -> Tally:
        tally = Tally()
        for trial in range(batch.first, batch.first + batch.count):
            name, crowd = CROWDS[trial % len(CROWDS)]
            election = cast(voters.generator(batch.chance(trial)), crowd)
            found, _ = flags(election)
            for voter, ballot in enumerate(election.ballots()):
                target, flag = election.targets.get(voter), found.get(ballot.voter_id)
                if target is not None:
                    tally.note(name, float(flag is not None and flag.model == f"m{target}"))
                elif len(ballot.latest) >= MANY_VOTES:
                    tally.note(HONESTLY + name.partition(": ")[2], float(flag is not None))
            tally.trials += 1
            batch.step()
        return tally

    def control(self, batch: Batch) -> Tally:
        """Each vote taken as on a prompt of its own, and no tastes: both then look planned."""
        tally = Tally()
        for trial in range(batch.count):
            crowd = Crowd(zipf=1.1, prompt=208, favourite=1.0) if trial % 2 else Crowd(zipf=1.1, taste=208)
            election = cast(voters.generator(batch.chance(trial)), crowd)
            spread = msgspec.structs.replace(election, prompt=np.arange(len(election.prompt)))
            counts, ballots = spread.votes.counts(), spread.ballots()
            found = flag_voters(counts, ballots, 0.0, {})
            for ballot in ballots:
                if len(ballot.latest) >= MANY_VOTES:
                    tally.note(f"{HONESTLY}planted", float(ballot.voter_id in found))
            tally.trials += 1
        return tally

    def judge(self, tally: Tally) -> list[str]:
        refuted: list[str] = []
        for name, values in tally.figures.items():
            flagged, number = int(sum(values)), len(values)
            share = flagged / number
            if name.startswith(HONESTLY) and share > FALSE_ALARMS:
                by_chance = float(bdtrc(flagged - 1, number, FALSE_ALARMS))
            elif name.startswith(PUSHING) and share < POWER:
                by_chance = float(bdtr(flagged, number, POWER))
            else:
                continue
            if number >= ENOUGH or by_chance < CHANCE:
                refuted.append(f"{name}: {share:.2%} of {number} voters were flagged")
        return refuted

    def summary(self, tally: Tally) -> str:
        parts = ((name, np.mean(values), len(values)) for name, values in sorted(tally.figures.items()))
        return "; ".join(f"{name} {share:.2%} of {number} flagged" for name, share, number in parts)


CAMPAIGNS = [Rigging()]
