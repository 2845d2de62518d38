"""Sixty-four votes at once on every battle: one is stored, and all get the same result."""

import asyncio
import contextlib
import random
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import text

from parley.features.voting import repository as repositories
from parley.features.voting import service as ballots
from parley.features.voting.repository import VotingRepository
from parley.kernel.ids import random_id
from parley.ratings import elo
from parley.storage.audit_check import check_audit
from parley.storage.database import Database
from prove.campaign import Batch, Campaign, Skipped, Tally
from prove.wires import BROKEN, Answer, Wire
from tests.fakes.databases import NoServer, a_blank_database
from tests.fakes.running import RunningParley, a_running_parley

AT_ONCE = 64
CHOICES = ("left", "tie", "both_bad", "right")

COPIED = ("sessions", "matches", "seats", "turns", "replies")
IDS = frozenset({"id", "session_id", "match_id", "turn_id"})
DIGITS = 6

KEYS: tuple[tuple[str | None, ...], ...] = (("k",), ("k", None), ("k", "l", "m"), (None,))
"""What the sixty-four draw their keys from, in turn."""


class Post(NamedTuple):
    """One vote of the sixty-four: what is chosen, and under which key if any."""

    choice: str
    key: str | None


class ParallelVotes:
    """SQLite has one writer; on PostgreSQL transactions really meet."""

    batch = 100

    def __init__(self, name: str, database: str, trials: int, sample: int) -> None:
        self.name = name
        self.guarantee = (
            f"{AT_ONCE} votes at once on one battle store one vote, and all are told its result ({database})."
        )
        self.trials = trials
        self.sample = sample
        self._on_server = database == "PostgreSQL"

    def run(self, batch: Batch) -> Tally:
        return asyncio.run(_attack(batch, self._on_server))

    def control(self, batch: Batch) -> Tally:
        """Plant each fault by itself; one that is not caught empties the tally."""
        # Posts under one key wait for each other whatever is planted: every pattern of keys has its turns.
        count = 3 * len(KEYS)
        every = Tally()
        for name, plant in (PLANTS_ON_SERVER if self._on_server else PLANTS).items():
            folder = batch.folder / name
            folder.mkdir()
            with plant():
                planted = Batch(first=0, count=count, seed=batch.seed, folder=folder)
                found = asyncio.run(_attack(planted, self._on_server))
            if not found.failures:
                return Tally()
            every.failures += [f"{name}: {failure}" for failure in found.failures[:3]]
        return every

    def summary(self, tally: Tally) -> str:
        totals = {name: sum(values) for name, values in tally.figures.items()}
        return (
            f"{tally.trials * AT_ONCE:,} posts on {tally.trials:,} battles: {totals.get('accepted', 0):,.0f} times "
            f"the vote's answer, {totals.get('already', 0):,.0f} times 409 with the same result, "
            f"{totals.get('other', 0):,.0f} times 422 for a key with another body"
        )


async def _attack(batch: Batch, on_server: bool) -> Tally:
    tally = Tally()
    async with contextlib.AsyncExitStack() as open_things:
        settings: dict[str, Any] = {}
        if on_server:
            settings["database_url"] = await open_things.enter_async_context(_own_database())
        parley = await open_things.enter_async_context(
            a_running_parley(batch.folder, models=("ada", "bob"), **settings)
        )
        matches = await _battles(parley, batch.count)
        port = urlsplit(parley.base_url).port
        assert port
        wires = [await Wire.open(port) for _ in range(AT_ONCE)]
        for match_id, trial in zip(matches, range(batch.first, batch.first + batch.count), strict=True):
            posts = _posts(batch.chance(trial), trial)
            answers = await asyncio.gather(
                *(_send(wires, number, port, match_id, post) for number, post in enumerate(posts))
            )
            wrong = _check_answers(posts, answers, tally)
            tally.failures += [f"trial {trial}: {words}" for words in wrong]
            tally.trials += 1
            batch.step()
        for wire in wires:
            wire.cut()
        tally.failures += await _check_record(parley, matches)
    return tally


def _posts(chance: random.Random, trial: int) -> list[Post]:
    """Return what the sixty-four send: one key, several, none or a mixture; one choice or all."""
    keys = KEYS[trial % len(KEYS)]
    choices = CHOICES if chance.random() < 0.5 else (chance.choice(CHOICES),)
    prefix = f"{chance.getrandbits(64):x}-"
    posts = [Post(chance.choice(choices), chance.choice(keys)) for _ in range(AT_ONCE)]
    return [post._replace(key=post.key and prefix + post.key) for post in posts]


async def _send(wires: list[Wire], number: int, port: int, match_id: str, post: Post) -> Answer:
    headers = {"Idempotency_Key": post.key} if post.key else {}
    path = f"/api/battles/{match_id}/vote"
    try:
        return await wires[number].ask("POST", path, {"vote": post.choice}, **headers)
    except BROKEN:
        wires[number].cut()
        wires[number] = await Wire.open(port)
        return Answer(0, {}, b"the connection broke off")


def _check_answers(posts: Sequence[Post], answers: Sequence[Answer], tally: Tally) -> Iterator[str]:
    """Yield inconsistencies: one vote won, its key repeats its response, and all others report it."""
    accepted = {answer.body for answer in answers if answer.status == 200}
    if len(accepted) != 1:
        yield f"{len(accepted)} different votes were accepted"
        return
    won = msgspec.json.decode(next(iter(accepted)))
    winners = [post for post, answer in zip(posts, answers, strict=True) if answer.status == 200]
    if any(post.choice != won["vote"] for post in winners):
        yield "a vote was answered with another one's choice"
    if len({post.key for post in winners}) != 1 or (winners[0].key is None and len(winners) > 1):
        yield f"accepted under {len({post.key for post in winners})} keys, {len(winners)} times"
    for post, answer in zip(posts, answers, strict=True):
        same = post.key is not None and post.key == winners[0].key
        expected = 409 if not same else 200 if post.choice == won["vote"] else 422
        if answer.status not in (expected, 200 if post in winners else expected):
            yield f"{answer.status} instead of {expected}: {answer.body[:120]!r}"
        elif answer.status == 409 and answer.json.get("result") != won:
            yield "409 with another result than the vote's"
        elif answer.status == 422 and answer.json.get("code") != "idempotency_key_reused":
            yield f"422 {answer.json.get('code')}"
        tally.note({200: "accepted", 409: "already", 422: "other"}.get(answer.status, "wrong"), 1)


async def _check_record(parley: RunningParley, matches: Sequence[str]) -> list[str]:
    """Check that votes, audit log and Elo agree."""
    queries = {
        "votes": "select match_id, seq, choice, left_model_id, right_model_id, counted from votes order by seq",
        "logged": "select count(*) from audit_log where kind = 'vote'",
        "elo": "select model_id, rating, votes from elo",
        "open": "select count(*) from matches where mode = 'battle' and status = 'open'",
    }
    found = {
        name: await parley.application[Database].read(
            lambda session, query=query: session.execute(text(query)).all()
        )
        for name, query in queries.items()
    }
    wrong: list[str] = []
    if sorted(row.match_id for row in found["votes"]) != sorted(matches):
        wrong.append(f"{len(found['votes'])} votes on {len(matches)} battles")
    if found["logged"][0][0] != len(found["votes"]):
        wrong.append(f"{len(found['votes'])} votes, {found['logged'][0][0]} of them in the audit log")
    if found["open"][0][0] != 1:
        wrong.append(f"{found['open'][0][0]} battles are open; only the pattern of the copies should be")
    report = await check_audit(parley.application[Database])
    if not report.ok:
        wrong.append(f"the audit log: {report.broken}")
    stored = {row.model_id: (row.rating, row.votes) for row in found["elo"]}
    if stored != _replayed(found["votes"]):
        wrong.append("the Elo is not that of the votes in their order")
    return wrong


def _replayed(votes: Sequence[Any]) -> dict[str, tuple[float, int]]:
    """Return the ratings from replaying the votes in order."""
    ratings: dict[str, tuple[float, int]] = {}
    for vote in votes:
        left, right = vote.left_model_id, vote.right_model_id
        before = [ratings.get(side, (elo.INITIAL, 0)) for side in (left, right)]
        after = elo.update(before[0][0], before[1][0], {"left": 1.0, "right": 0.0}.get(vote.choice, 0.5))
        for side, (_, count), rating in zip((left, right), before, after, strict=True):
            ratings[side] = (rating, count + 1)
    return ratings


# ── battles ──────────────────────────────────────────────────────────────────────────────────────


async def _battles(parley: RunningParley, count: int) -> list[str]:
    """Play a battle and copy its rows; return the ids of the copies."""
    parley.upstream.reply("An answer.")
    battle = await parley.battle()
    await asyncio.sleep(0.1)
    on_server = not parley.application[Database].is_sqlite
    number = f"lpad(to_hex(n), {DIGITS}, '0')" if on_server else f"printf('%0{DIGITS}x', n)"
    numbers = (
        f"(select generate_series(1, {count}) as n) as numbers"
        if on_server
        else f"(with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < {count}) "
        "select n from numbers)"
    )

    def copy(session: Any) -> None:
        for table in COPIED:
            columns = list(session.execute(text(f"select * from {table} limit 0")).keys())
            names = ", ".join(f'"{name}"' for name in columns)
            values = ", ".join(
                f'{number} || substr("{name}", {DIGITS + 1})' if name in IDS else f'"{name}"'
                for name in columns
            )
            session.execute(text(f"insert into {table} ({names}) select {values} from {table}, {numbers}"))
        # The same question about the same pair again would not be counted.
        asked = "'Which is better? ' || id"
        other = (
            f"jsonb_set(input, '{{text}}', to_jsonb({asked}))"
            if on_server
            else f"json_set(input, '$.text', {asked})"
        )
        session.execute(text(f"update turns set input = {other}"))

    await parley.application[Database].write(copy)
    return [f"{number:0{DIGITS}x}{battle['match_id'][DIGITS:]}" for number in range(1, count + 1)]


@asynccontextmanager
async def _own_database() -> AsyncGenerator[str]:
    """Yield a PostgreSQL database that nobody else uses, dropped afterwards."""
    try:
        async with a_blank_database() as url:
            yield url
    except NoServer as missing:
        raise Skipped(str(missing)) from missing


# ── planted faults ───────────────────────────────────────────────────────────────────────────────


@contextmanager
def _replaced(owner: Any, **values: object) -> Generator[None]:
    kept = {name: getattr(owner, name) for name in values}
    for name, value in values.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(owner, name, value)


def _without_uniqueness() -> Any:
    """Nobody looks for an earlier vote, and each vote has a voter of its own, so UNIQUE does not hold."""
    match = VotingRepository.match
    return _replaced(
        VotingRepository,
        match=lambda self, owner_id, match_id: (match(self, owner_id, match_id)[0], random_id()),
        standing=lambda self, match_id: [],
        mark_voted=lambda self, match_id: None,
    )


def _without_receipts() -> Any:
    """Idempotency keys are ignored."""
    once = ballots.once
    return _replaced(
        ballots,
        once=lambda repository, owner, key, now, kind, make: once(repository, owner, None, now, kind, make),
    )


def _without_log() -> Any:
    """Every vote is stored without its entry in the audit log."""
    return _replaced(repositories, append_vote=lambda transaction, head, vote: None)


def _without_lock() -> Any:
    """Votes on one battle do not wait for each other."""
    return _replaced(repositories, _MATCH=repositories._UNLOCKED_MATCH)


PLANTS_ON_SERVER: dict[str, Callable[[], Any]] = {"without-lock": _without_lock}
PLANTS: dict[str, Callable[[], Any]] = {
    "without-uniqueness": _without_uniqueness,
    "without-receipts": _without_receipts,
    "without-log": _without_log,
}

CAMPAIGNS: list[Campaign] = [
    ParallelVotes("parallel-votes", "SQLite", 1000, 4),
    ParallelVotes("parallel-votes-server", "PostgreSQL", 100, 2),
]
