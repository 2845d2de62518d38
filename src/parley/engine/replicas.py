"""This process among others on one database: it says that it lives, plays turns of dead ones, and hears of changes."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection

import msgspec

from parley.kernel.bus import Bus
from parley.kernel.errors import NotFound, ParleyError, Unavailable
from parley.kernel.ids import random_id
from parley.kernel.replicas import ReplicaStore, TurnOrder

CHANNEL = "replicas"

RENEW_S = 0.5

CALM_S = 3.0
"""After the database was away, the seconds for which nobody is taken for dead: they all could not renewal."""

MOST_TAKEN = 20
"""The most turns of dead replicas that one takes at a time, so that they spread over those alive."""

LOOK_S = 0.1
"""Seconds between looks for the result of an order."""

ORDER_S = 20.0
"""Seconds that an order waits for its result."""

MOST_UNSENT = 1000

Listener = Callable[[bytes | None], object]
"""Called with what another replica told; None if messages were missed, so that the truth must be read again."""

log = logging.getLogger(__name__)

_message = msgspec.msgpack.Decoder(tuple[str, str, bytes])


class Replicas:
    """The other replicas, as this one knows them. Without a store this process is alone, and all of it costs nothing.

    `playing` returns the turns that are played here, `abandon` ends some without a trace, `play` plays a turn of a dead
    replica, `obey` carries out an order and returns its result as JSON.
    """

    def __init__(self, bus: Bus, store: ReplicaStore | None = None, replica_id: str = "") -> None:
        self.id = replica_id
        self.playing: Callable[[], Collection[str]] = tuple
        self.abandon: Callable[[Collection[str]], object] = lambda _: None
        self.play: Callable[[str], Awaitable[object]] | None = None
        self.obey: Callable[[TurnOrder], Awaitable[str]] | None = None
        self._bus = bus
        self._store = store
        self._listeners: dict[str, list[Listener]] = {}
        self._unsent: deque[bytes] = deque(maxlen=MOST_UNSENT)
        self._written = asyncio.Event()
        self._woken = asyncio.Event()
        self._takes = False
        self._calm_until = 0.0
        self._failing = False
        self._to_play: dict[str, None] = {}
        self._orders: dict[str, asyncio.Task[None]] = {}
        self.has_others = False
        """There were other replicas when this one joined: what looks cut off may be theirs."""
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def are_several(self) -> bool:
        """True if other processes may serve the same database."""
        return self._store is not None

    @property
    def leads(self) -> bool:
        """True for one replica at a time, which runs the loops that must run once."""
        return self._store is None or self._store.leads

    @property
    def bus_is_away(self) -> bool:
        """True while replicas hear of each other only through the database."""
        return self._bus.is_away

    async def join(self) -> None:
        """Make this replica known, before it owns a turn. Raises Unavailable."""
        if self._store is not None:
            await self._store.renew((), takes=0)
            self.has_others = bool(await self._store.others())
            work = (self._listen(), self._send())
            self._tasks = [asyncio.create_task(each, name="parley-replicas") for each in work]

    def start(self, *, takes: bool) -> None:
        """Begin to renew this replica, and with `takes` to play turns of dead replicas."""
        if self._store is not None:
            self._takes = takes
            self._tasks.append(asyncio.create_task(self._run(self._store), name="parley-heartbeats"))

    def rest(self) -> None:
        """Take no more turns: this process ends."""
        self._takes = False

    async def close(self) -> None:
        """Leave: the others take what was played here. Call it once everything is stored."""
        tasks, self._tasks = [*self._tasks, *self._orders.values()], []
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        if self._store is not None and tasks:
            with contextlib.suppress(Unavailable):
                await self._store.leave()
            with contextlib.suppress(OSError):
                await self._bus.publish(CHANNEL, self._encoded("left", b""))

    # ── what changed ─────────────────────────────────────────────────────────────────────────────

    def tell(self, topic: str, data: bytes = b"") -> None:
        """Tell the other replicas, soon; nothing is sent while the bus is away."""
        if self._store is not None:
            self._unsent.append(self._encoded(topic, data))
            self._written.set()

    def listen(self, topic: str, listener: Listener) -> None:
        """Call a function with what other replicas tell."""
        self._listeners.setdefault(topic, []).append(listener)

    def _encoded(self, topic: str, data: bytes) -> bytes:
        return msgspec.msgpack.encode((self.id, topic, data))

    async def _send(self) -> None:
        while True:
            await self._written.wait()
            self._written.clear()
            while self._unsent:
                with contextlib.suppress(OSError):
                    await self._bus.publish(CHANNEL, self._unsent.popleft())

    async def _listen(self) -> None:
        async with self._bus.subscribe(CHANNEL) as messages:
            async for message in messages:
                if message is None:
                    self._woken.set()
                    for topic in self._listeners:
                        self._hear(topic, None)
                    continue
                sender, topic, data = _message.decode(message)
                if sender != self.id:
                    if topic in ("orders", "left"):
                        self._woken.set()
                    self._hear(topic, data)

    def _hear(self, topic: str, data: bytes | None) -> None:
        for listener in self._listeners.get(topic, ()):
            try:
                listener(data)
            except Exception:
                log.exception("what another replica told about “%s” could not be taken", topic)

    # ── orders ───────────────────────────────────────────────────────────────────────────────────

    async def order(self, turn_id: str, kind: str, data: object) -> bytes | None:
        """Ask the owner of a turn for something; return its result as JSON, None if there is none in time.

        Raises Unavailable.
        """
        if self._store is None:
            return None
        text = msgspec.json.encode(data).decode()
        order = msgspec.convert(
            {"id": random_id(), "turn_id": turn_id, "kind": kind, "data": text}, TurnOrder
        )
        await self._store.order(order)
        self.tell("orders")
        try:
            async with asyncio.timeout(ORDER_S):
                while (result := await self._store.result(order.id)) is None:  # noqa: ASYNC110 - the database tells nobody
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            return None
        finally:
            with contextlib.suppress(Unavailable):
                await self._store.forget(order.id)
        return result.encode()

    async def _carry_out(self, order: TurnOrder, store: ReplicaStore) -> None:
        try:
            if self.obey is not None:
                await store.answer(order.id, await self.obey(order))
        except ParleyError as error:
            log.warning("an order for turn %s could not be carried out yet: %s", order.turn_id, error)
        except Exception:
            log.exception("an order for turn %s could not be carried out", order.turn_id)
        finally:
            del self._orders[order.id]

    # ── heartbeats ───────────────────────────────────────────────────────────────────────────────

    async def _run(self, store: ReplicaStore) -> None:
        while True:
            self._woken.clear()
            try:
                await self._renew(store)
                self._failing = False
            except ParleyError as error:
                self._calm_until = asyncio.get_running_loop().time() + CALM_S
                if not self._failing:
                    log.warning("this replica could not say that it lives: %s", error)
                self._failing = True
            except Exception:
                log.exception("a heartbeat failed")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RENEW_S):
                    await self._woken.wait()

    async def _renew(self, store: ReplicaStore) -> None:
        is_calm = asyncio.get_running_loop().time() < self._calm_until
        takes = MOST_TAKEN if self._takes and self.play is not None and not is_calm else 0
        renewal = await store.renew(self.playing(), takes=takes)
        if renewal.lost:
            log.warning("%d turns are played by another replica now", len(renewal.lost))
            self.abandon(renewal.lost)
        if renewal.taken:
            log.info("Going on with %d turns of a replica that ended", len(renewal.taken))
        self._to_play |= dict.fromkeys(renewal.taken)
        for order in renewal.orders:
            if order.id not in self._orders:
                self._orders[order.id] = asyncio.create_task(self._carry_out(order, store))
        await self._play_taken()

    async def _play_taken(self) -> None:
        """Play what was taken; what can't be read now waits for the next renewal. Raises Unavailable."""
        for turn_id in tuple(self._to_play):
            if not self._takes or self.play is None:
                return
            with contextlib.suppress(NotFound):
                await self.play(turn_id)
            del self._to_play[turn_id]
