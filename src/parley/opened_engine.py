"""Puts the engine together from the settings: hub, recorder, gateway, runner, and what they stand on."""

from contextlib import AsyncExitStack
from functools import partial

from parley.connectors.kubernetes.cluster import Cluster
from parley.engine.answer_cache import MemoryAnswers
from parley.engine.bus import MemoryBus
from parley.engine.clock import WallClock
from parley.engine.gateway import Gateway, GatewayOptions
from parley.engine.hub import TOPICS, Hub
from parley.engine.jobs import Jobs
from parley.engine.later_budget import LaterBudget
from parley.engine.observed_calls import ObservedCalls
from parley.engine.open_streams import OpenStreams
from parley.engine.recorder import Recorder
from parley.engine.redis_bus import RedisBus
from parley.engine.relay import Relay
from parley.engine.replicas import Replicas
from parley.engine.runner import Runner
from parley.features.catalog.connections import open_connectors, way_of
from parley.features.catalog.sources import CatalogSources
from parley.kernel.bus import Bus
from parley.kernel.parts import Parts
from parley.plugins.registry import Registry
from parley.settings import Settings
from parley.storage.bucket_blobs import open_blobs
from parley.storage.database import Database
from parley.storage.job_store import SqlJobStore
from parley.storage.redis_answers import RedisAnswers, open_redis
from parley.storage.replica_store import SqlReplicaStore
from parley.storage.server_lock import DatabaseLock
from parley.storage.turn_log import SqlTurnLog
from parley.wire.ticker import Ticker


async def open_engine(app: Parts, stack: AsyncExitStack) -> None:
    """Add the engine; it writes and streams from now on, until the stack closes."""
    settings, sources, ticker = app[Settings], app[CatalogSources], Ticker()
    catalog = sources.catalog
    later = {provider.id for provider in sources.stored.entries.providers}
    cluster = Cluster(settings.kubernetes, way_of(settings)) if settings.kubernetes else None
    connectors = await stack.enter_async_context(
        open_connectors(settings, catalog, app[Registry], ticker, later, cluster)
    )
    lock = app[DatabaseLock]
    turn_log = SqlTurnLog(app[Database], app[WallClock], lock.replica_id)
    hub = Hub(even_pacing=settings.battle_pacing == "even", ticker=ticker)
    recorder = Recorder(turn_log, hub.checkpoints)
    calls = ObservedCalls(recorder)
    blobs = open_blobs(settings.data_dir, settings.files_url)
    in_memory = settings.cache_url == "memory"
    answers = MemoryAnswers() if in_memory else RedisAnswers(open_redis(settings.cache_url))
    bus = MemoryBus() if settings.redis_url is None else RedisBus(open_redis(settings.redis_url))
    replicas = _open_replicas(app[Database], lock, bus, hub)
    budget = LaterBudget()
    options = GatewayOptions(region=settings.region, asks_servers=settings.discover_at != ())
    clock = app[WallClock]
    gateway = Gateway(catalog, connectors.of, options, calls, answers=answers, budget=budget, clock=clock)
    runner = Runner(hub, recorder, gateway)
    replicas.abandon = runner.abandon
    relay = Relay(hub, bus, replicas)
    jobs = Jobs(SqlJobStore(app[Database], app[WallClock]))
    app.add(connectors, turn_log, hub, recorder, calls, blobs, budget, gateway, runner, bus, jobs)
    app.add(replicas, relay, OpenStreams())
    recorder.start()
    if cluster:
        cluster.begin()
    hub.start()
    for part in (answers, bus, hub, replicas, recorder, runner, relay):
        stack.push_async_callback(part.close)
    stack.callback(replicas.rest)
    await replicas.join()


def _open_replicas(database: Database, lock: DatabaseLock, bus: Bus, hub: Hub) -> Replicas:
    if lock.replica_id is None:
        return Replicas(bus)
    replicas = Replicas(bus, SqlReplicaStore(database, lock, lock.replica_id), lock.replica_id)
    replicas.playing = lambda: [live.id for live in hub.turns() if not live.finished.is_set()]
    hub.tell = replicas.tell
    for topic in TOPICS:
        replicas.listen(topic, partial(hub.hear, topic))
    return replicas
