"""Kill -9 in mid-vote: what was acknowledged must be there, once."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from prove.campaign import Batch, Campaign, Tally, share
from prove.forks import Premises, premises
from prove.ready_battles import make_battles
from prove.stored_counts import wrong_counts
from prove.stored_votes import stored_votes
from prove.wires import BROKEN, Wire
from tests.fakes.upstream import ScriptedUpstream

VOTERS = 12
"""Connections that vote at once."""

LONGEST_S = 0.3
"""The latest moment of a kill, after the first vote was sent."""

PER_TRIAL = 100
"""Battles laid out for a trial."""

CHOICES = ("left", "tie", "both_bad", "right")


@dataclass
class Ballot:
    """A vote that was sent, and what was said to it: an answer read whole, or nothing."""

    match_id: str
    choice: str
    answer: Any = None
    refused: str = ""

    @property
    def key(self) -> str:
        return f"vote-{self.match_id}"

    def became(self, vote_id: str, choice: str) -> bool:
        """Tell whether a stored vote is the one that was acknowledged."""
        return choice == self.choice and self.answer["vote_id"] in (None, vote_id)

    async def send(self, wire: Wire) -> None:
        """Vote; where the connection breaks off, nobody knows whether it was stored."""
        path, body = f"/api/battles/{self.match_id}/vote", {"vote": self.choice}
        answer = await wire.ask("POST", path, body, Idempotency_Key=self.key)
        if answer.status == 200:
            self.answer = answer.json
        else:
            self.refused = f"{answer.status} {answer.body[:200]!r}"


class KillVotes:
    name = "kill-votes"
    claim = "Kill -9 at any moment loses no acknowledged vote and doubles none."
    trials = 1000
    batch = 25
    sample = 2

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch))

    def control(self, batch: Batch) -> Tally:
        few = msgspec.structs.replace(batch, count=min(batch.count, 3))
        return asyncio.run(_attack(few, "acknowledge-first"))

    def summary(self, tally: Tally) -> str:
        acknowledged, open_ = (tally.figures.get(name, []) for name in ("acknowledged", "unanswered"))
        return (
            f"{sum(acknowledged):,.0f} acknowledged votes, {sum(open_):,.0f} in flight at the kill; "
            f"ready again after {share(tally.figures.get('ready_s', []), 0.5):.2f} s (median)"
        )


async def _attack(batch: Batch, planted: str | None = None) -> Tally:
    tally = Tally()
    async with ScriptedUpstream() as upstream:
        with premises(batch.folder, upstream.url, ("ada", "bob")) as house:
            matches = iter(await make_battles(house, batch.count * PER_TRIAL))
            before: list[Ballot] = []
            clock = asyncio.get_running_loop().time
            for trial in range(batch.first, batch.first + batch.count):
                begun = clock()
                server = await house.start(planted).ready()
                tally.note("ready_s", clock() - begun)
                tally.failures += await _check(house, before)
                chance = batch.chance(trial)
                before = []
                voting = [
                    asyncio.create_task(_vote(house.port, matches, before, chance.choice(CHOICES)))
                    for _ in range(VOTERS)
                ]
                await asyncio.sleep(chance.uniform(0, LONGEST_S))
                server.kill()
                await asyncio.gather(*voting)
                tally.note("acknowledged", sum(ballot.answer is not None for ballot in before))
                tally.note("unanswered", sum(ballot.answer is None for ballot in before))
                tally.trials += 1
                batch.step()
            server = await house.start(planted).ready()
            tally.failures += await _check(house, before)
            code, _ = await server.stop()
            if code != 0:
                tally.failures.append(f"the last server ended with {code}")
    return tally


async def _vote(port: int, matches: Iterator[str], ballots: list[Ballot], choice: str) -> None:
    """Vote on one battle after the other until the server is gone."""
    try:
        with await Wire.open(port) as wire:
            for match_id in matches:
                ballot = Ballot(match_id, choice)
                ballots.append(ballot)
                await ballot.send(wire)
    except BROKEN:
        pass


async def _check(house: Premises, ballots: list[Ballot]) -> list[str]:
    """Compare what was answered with what is stored, then send every open vote again, and some others."""
    wrong = [f"a vote was refused: {ballot.refused}" for ballot in ballots if ballot.refused]
    stored = stored_votes(house.database)
    wrong += stored.wrong + wrong_counts(house.database)[:3]
    for ballot in ballots:
        found = stored.votes.get(ballot.match_id, [])
        if len(found) > 1:
            wrong.append(f"{len(found)} votes on one battle")
        elif ballot.answer is not None and not found:
            wrong.append("an acknowledged vote is not there")
        elif ballot.answer is not None and not ballot.became(*found[0]):
            wrong.append(f"acknowledged {ballot.answer['vote_id']} for {ballot.choice}, stored {found[0]}")
    again = [ballot for ballot in ballots if ballot.answer is None][:VOTERS]
    again += [ballot for ballot in ballots if ballot.answer is not None][-3:]
    with await Wire.open(house.port) as wire:
        for ballot in again:
            first = stored.votes.get(ballot.match_id, [(None, None)])[0][0]
            repeated = Ballot(ballot.match_id, ballot.choice)
            await repeated.send(wire)
            if repeated.answer is None:
                wrong.append(f"the same vote with the same key was refused: {repeated.refused}")
            elif first is not None and repeated.answer["vote_id"] not in (None, first):
                wrong.append("the same key made another vote")
    return wrong


CAMPAIGNS: list[Campaign] = [KillVotes()]
