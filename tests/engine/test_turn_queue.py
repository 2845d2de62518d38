"""Tests of the turn queue: where a limit can bind, blind turns run alone, all others side by side, in order."""

import asyncio

from parley.engine.demand import Pool
from parley.engine.turn_queue import QueuePlace, TurnQueue
from tests.fakes.virtual_loop import on_virtual_time


class Hall:
    """Lets turns come and go, and notes who is in."""

    def __init__(self) -> None:
        self.queue = TurnQueue()
        self.inside: list[str] = []
        self.most: list[tuple[str, ...]] = []

    def comes(
        self, name: str, owner: str = "owner", *, calls: int = 1, at: str = "small", size: int = 1
    ) -> asyncio.Task[None]:
        """Let a turn stay for a second, with calls to a model of limited size; those with a capital are blind."""
        demand = {Pool(at, size): calls} if calls else {}
        place = self.queue.place(owner, alone=name.isupper(), demand=demand)
        return asyncio.create_task(self._stay(name, place))

    async def _stay(self, name: str, place: QueuePlace) -> None:
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
    came = [hall.comes("X"), hall.comes("Y", "other"), hall.comes("a", calls=0)]
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
    first = hall.queue.place("owner", alone=True, demand={Pool("small", 1): 1})
    await first.take()
    second, third = hall.comes("X"), hall.comes("b")
    await asyncio.sleep(0.1)
    first.leave()
    first.leave()
    second.cancel()
    await asyncio.gather(second, third, return_exceptions=True)
    assert hall.most == [("b",)]


@on_virtual_time
async def test_turns_that_fit_together_run_together_and_the_first_too_many_waits() -> None:
    hall = Hall()
    await asyncio.gather(*(hall.comes(name, size=3) for name in ("X", "a", "Y", "b")))
    assert hall.most == [("X",), ("X", "a"), ("X", "a", "Y"), ("b",)]


@on_virtual_time
async def test_a_turn_counts_all_the_calls_that_it_may_make_at_once() -> None:
    hall = Hall()
    await asyncio.gather(hall.comes("X", calls=3, size=4), hall.comes("a", calls=2, size=4))
    assert hall.most == [("X",), ("a",)]


@on_virtual_time
async def test_a_full_model_keeps_nobody_from_another_one() -> None:
    hall = Hall()
    await asyncio.gather(hall.comes("X"), hall.comes("Y"), hall.comes("a", at="other"))
    assert hall.most[:2] == [("X",), ("X", "a")]


@on_virtual_time
async def test_others_who_fill_a_model_do_not_queue_a_person_without_a_rival_turn() -> None:
    hall = Hall()
    owners = ("one", "two", "three")
    came = [hall.comes("X", owner, size=2) for owner in owners]
    await asyncio.sleep(0.5)
    assert hall.inside == ["X", "X", "X"]
    await asyncio.gather(*came)


@on_virtual_time
async def test_a_battle_that_shares_a_model_with_a_chat_goes_on_to_have_a_slot_there() -> None:
    """Else the calls of the chat could come to wait for those of the battle."""
    hall = Hall()
    came = [hall.comes("X", size=2), hall.comes("a", size=2)]
    await asyncio.sleep(0.5)
    came += [hall.comes("b", "other", size=2), hall.comes("c", size=2)]
    await asyncio.sleep(0.4)
    assert hall.inside == ["X", "a"]
    await asyncio.gather(*came)
    assert hall.most[-2:] == [("b",), ("b", "c")]


@on_virtual_time
async def test_a_large_turn_is_not_overtaken_for_ever() -> None:
    hall = Hall()
    came = [hall.comes("a", size=2)]
    await asyncio.sleep(0.5)
    came += [hall.comes("X", calls=2, size=2), *(hall.comes(name, size=2) for name in "bcd")]
    await asyncio.gather(*came)
    assert hall.most[:2] == [("a",), ("X",)]
