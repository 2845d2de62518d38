"""Tests of the turn queue: blind turns run alone, all others side by side, in order of arrival."""

import asyncio

from parley.engine.turn_queue import Place, TurnQueue
from tests.fakes.virtual_loop import on_virtual_time


class Hall:
    """Lets turns come and go, and notes who is in."""

    def __init__(self) -> None:
        self.queue = TurnQueue()
        self.inside: list[str] = []
        self.most: list[tuple[str, ...]] = []

    def comes(self, name: str, owner: str = "owner", *, needed: bool = True) -> asyncio.Task[None]:
        """Let a turn stay for a second; those with a capital are blind."""
        place = self.queue.place(owner, alone=name.isupper(), needed=needed)
        return asyncio.create_task(self._stay(name, place))

    async def _stay(self, name: str, place: Place) -> None:
        async with place:
            self.inside.append(name)
            self.most.append(tuple(self.inside))
            try:
                await asyncio.sleep(1)
            finally:
                self.inside.remove(name)


@on_virtual_time
async def test_blind_turns_run_alone_and_others_together_in_order_of_arrival() -> None:
    hall = Hall()
    await asyncio.gather(*map(hall.comes, ("a", "b", "X", "c", "Y", "Z", "d", "e")))
    assert hall.most == [("a",), ("a", "b"), ("X",), ("c",), ("Y",), ("Z",), ("d",), ("d", "e")]


@on_virtual_time
async def test_nobody_waits_for_another_person_or_without_need() -> None:
    hall = Hall()
    came = [hall.comes("X"), hall.comes("Y", "other"), hall.comes("a", needed=False)]
    await asyncio.sleep(0.5)
    assert hall.inside == ["X", "Y", "a"]
    await asyncio.gather(*came)


@on_virtual_time
async def test_who_gives_up_waiting_keeps_nobody_out() -> None:
    hall = Hall()
    first, second, third = hall.comes("a"), hall.comes("X"), hall.comes("b")
    await asyncio.sleep(0.1)
    second.cancel()
    await asyncio.sleep(0.1)
    assert hall.inside == ["a", "b"]
    first.cancel()
    await asyncio.gather(first, second, third, return_exceptions=True)
    await hall.comes("Y")
    assert hall.most[-1] == ("Y",)


@on_virtual_time
async def test_who_is_called_and_gives_up_in_the_same_moment_lets_the_next_one_in() -> None:
    hall = Hall()
    first = hall.queue.place("owner", alone=True)
    await first.take()
    second, third = hall.comes("X"), hall.comes("b")
    await asyncio.sleep(0.1)
    first.leave()
    first.leave()
    second.cancel()
    await asyncio.gather(second, third, return_exceptions=True)
    assert hall.most == [("b",)]
