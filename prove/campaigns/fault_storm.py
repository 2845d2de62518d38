"""Storms: people chat, battle, stop, leave, come back and vote while every model's server fails at random."""

import asyncio
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from parley.kernel.models import Provider
from prove.campaign import Batch, Campaign, Tally
from tests.fakes.attacked import SHORT_S, Attack, attacked, chat_with, in_file
from tests.fakes.faults import ALL, Fault
from tests.fakes.invariants import SECRET, InvariantBroken, in_the_record
from tests.fakes.running import ModelSpec, a_running_parley
from tests.fakes.upstream import ScriptedUpstream

SLOW = ("no head", "no first byte", "500 whose body never ends", "a gzip bomb", "an answer of more than 2 MB")
PLAYABLE = tuple(fault for fault in ALL if fault.where == "here" and fault.name not in SLOW)
SINGERS = tuple(ModelSpec(f"singer-{number}", provider=f"stage-{number}") for number in range(6))
VIEWERS = 8
"""How many people are active at once in a storm."""

ACTS = 3
"""How many turns each of them starts."""

VIOLATIONS = {
    "a vote lost": "delete from votes where seq = (select max(seq) from votes)",
    "a vote changed": "update votes set choice = 'neither'",
    "an audit entry lost": "delete from audit_log where seq = (select max(seq) from audit_log)",
    "a turn that did not end": "update turns set status = 'running' where id = (select max(id) from turns)",
    "an end told twice": "insert into turn_events select turn_id, seq + 100, kind, version, data from turn_events "
    "where kind = 'turn.completed'",
    "a character lost": "update replies set text = substr(text, 2) where status = 'completed'",
    "a vote on half an answer": "update replies set status = 'incomplete' where turn_id in "
    "(select turns.id from turns join votes on votes.match_id = turns.match_id)",
    "money recorded wrongly": "update calls set output_tokens = output_tokens + 1",
    "money not recorded": "delete from calls",
    "a match torn out": "delete from matches where id = (select max(match_id) from turns)",
}


async def storm(folder: Path, chance: random.Random) -> tuple[list[str], Attack]:
    """Run many chats and battles while every server fails at random; return what is wrong afterwards."""
    attacks: list[Attack] = []
    try:
        url = in_file(folder)
        async with (
            a_running_parley(folder, models=SINGERS, database_url=url) as parley,
            attacked(parley, silent_s=SHORT_S) as attack,
        ):
            attacks.append(attack)
            await _rage(attack, chance)
    except InvariantBroken as broken:
        return str(broken).splitlines(), attacks[0]
    return [], attacks[0]


async def _rage(attack: Attack, chance: random.Random) -> None:
    for spec in SINGERS:
        attack.providers[spec.provider] = Provider(spec.provider, "openai", attack.upstream.url, SECRET)
        for _ in range(60):
            _rehearse(attack.upstream, spec.id, chance)
    weather = asyncio.create_task(_forget_failures(attack))
    people = [random.Random(chance.random()) for _ in range(VIEWERS)]
    await asyncio.gather(*(_a_person(attack, person) for person in people))
    weather.cancel()
    await asyncio.gather(weather, return_exceptions=True)


def _rehearse(upstream: ScriptedUpstream, model: str, chance: random.Random) -> None:
    if chance.random() < 0.5:
        words = [chance.choice(("la ", "lá ", "🎵 ", "\n")) for _ in range(chance.randrange(1, 40))]
        upstream.reply("ah ", *words, model=model, delay=chance.choice((0.0, 0.0, 0.01)))
        return
    fault: Fault = chance.choice(PLAYABLE)
    for script in fault.scripts:
        upstream.script(script, model=model)


async def _forget_failures(attack: Attack) -> None:
    """A breaker that stays open would end the storm."""
    while True:
        attack.renew_gateway()
        await asyncio.sleep(0.1)


async def _a_person(attack: Attack, chance: random.Random) -> None:
    for _ in range(ACTS):
        blind = chance.random() < 0.6
        asked = {"prompt": "Sing"} if blind else chat_with(chance.choice(SINGERS).id, "Sing")
        events = await _begin(attack, asked, chance)
        match, turn = events[0]["match"], events[0]["turn"]
        end = events[-1]["kind"]
        if blind and end == "turn.completed" and chance.random() < 0.8:
            await _vote(attack, match["id"], chance)
        elif end == "turn.stopped" or (not blind and chance.random() < 0.5):
            await _once_more(attack, turn["id"])


async def _begin(attack: Attack, asked: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """Begin a turn; perhaps stop it, or leave and come back."""
    mood = chance.random()
    if mood < 0.5:
        return await attack.follow(asked)
    async with attack.parley.stream("POST", "/api/sessions", asked) as stream:
        turn_id = (await stream.until("turn.snapshot"))["turn"]["id"]
        if mood < 0.75:
            await asyncio.sleep(chance.uniform(0.0, 0.3))
            await attack.post(f"/api/turns/{turn_id}/stop")
            attack.watch.streams.append(await stream.rest(30.0))
            return stream.events
    events = await attack.parley.events("GET", f"/api/turns/{turn_id}/events")
    attack.watch.streams.append(events)
    return events


async def _vote(attack: Attack, match_id: str, chance: random.Random) -> None:
    """Vote, sometimes twice at once: one of the two is taken."""
    path, choices = f"/api/battles/{match_id}/vote", [chance.choice(("left", "tie", "both_bad", "right"))]
    if chance.random() < 0.5:
        choices.append("left")
    answers = await asyncio.gather(
        *(attack.parley.client.post(path, json={"vote": choice}) for choice in choices)
    )
    for answer in answers:
        if answer.status_code == 200:
            attack.watch.acknowledged.append({**answer.json(), "match_id": match_id})


async def _once_more(attack: Attack, turn_id: str) -> None:
    """Retry, if there is something to retry."""
    headers = {"Accept": "text/event-stream"}
    async with attack.parley.client.stream(
        "POST", f"/api/turns/{turn_id}/retry", headers=headers
    ) as response:
        if response.status_code != 200:
            return
        async for _ in response.aiter_bytes():
            pass
    attack.watch.streams.append(await attack.parley.events("GET", f"/api/turns/{turn_id}/events"))


class FaultStorm:
    name = "fault-storm"
    guarantee = (
        "While every model's server fails in every way at once, each stream has one end, each vote is kept once, "
        "money adds up, and nothing is left behind."
    )
    trials = 120
    batch = 10
    sample = 1

    def run(self, batch: Batch) -> Tally:
        tally = Tally(trials=batch.count)
        for trial in range(batch.first, batch.first + batch.count):
            problems, attack = asyncio.run(storm(batch.folder / str(trial), batch.chance(trial)))
            tally.failures += [f"storm {trial}: {problem}" for problem in problems]
            tally.note("streams", len(attack.watch.streams))
            tally.note("votes", len(attack.watch.acknowledged))
            batch.step()
        return tally

    def control(self, batch: Batch) -> Tally:
        """Damage the record of one storm in every way: each one must be found."""
        _, attack = asyncio.run(storm(batch.folder / "planted", batch.chance(0)))
        database = attack.database
        before = set(in_the_record(database, attack.watch.streams, attack.watch.acknowledged))
        whole = database.read_bytes()
        tally = Tally(trials=len(VIOLATIONS))
        for name, statement in VIOLATIONS.items():
            database.write_bytes(whole)
            with closing(sqlite3.connect(database)) as file, file:
                file.execute(statement)
            found = set(in_the_record(database, attack.watch.streams, attack.watch.acknowledged)) - before
            if not found:
                return Tally(trials=tally.trials)  # a violation that nobody sees: the campaign is blind
            tally.failures.append(f"{name}: {min(found)}")
        return tally

    def summary(self, tally: Tally) -> str:
        streams, votes = (int(sum(tally.figures.get(name, []))) for name in ("streams", "votes"))
        return f"{streams} streams read to their end, {votes} votes taken"


CAMPAIGNS: list[Campaign] = [FaultStorm()]
