"""Reading blocking iterators in threads of their own, so that nothing else waits for them."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class _End(Generic[T]):
    """The end of an iterator."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Threads:
    """Reads iterators, at most `at_most` at a time; more wait.

    A blocking call cannot be interrupted: who stops reading gets nothing more, but the thread, and its place, stay
    taken until the iterator's next item. The threads end with the process.
    """

    def __init__(self, at_most: int, name: str) -> None:
        self._free = asyncio.Semaphore(at_most)
        self._name = name

    async def each(self, make: Callable[[], Iterable[T]]) -> AsyncGenerator[T]:
        """Yield what an iterator yields; `make` is called in the thread. Raises what it raises."""
        loop = asyncio.get_running_loop()
        arrived: asyncio.Queue[T | _End[T]] = asyncio.Queue()
        stopped = threading.Event()

        def hand_over(call: Callable[..., None], *arguments: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(call, *arguments)

        def read() -> None:
            error: BaseException | None = None
            try:
                for item in make():
                    if stopped.is_set():
                        break
                    hand_over(arrived.put_nowait, item)
            except BaseException as raised:  # noqa: BLE001 - it is raised where the items are read
                error = raised
            hand_over(arrived.put_nowait, _End[T](error))
            hand_over(self._free.release)

        await self._free.acquire()
        threading.Thread(target=read, name=self._name, daemon=True).start()
        try:
            while not isinstance(item := await arrived.get(), _End):
                yield item
            if item.error is not None:
                raise item.error
        finally:
            stopped.set()
