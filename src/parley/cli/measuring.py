"""Calls to models that a command makes and records: an estimate before, a cap, and no call made twice."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from parley.cli.answers import SeatReplies, check_answered
from parley.cli.asking import ask_quietly, ask_turn
from parley.cli.client import Refused
from parley.cli.measuring_record import MeasuredReply, Record, key_of
from parley.cli.saved_presets import quote_text
from parley.cli.terminal import progress_bar, say
from parley.cli.turns import Unfinished
from parley.kernel.errors import Invalid, Unavailable

if TYPE_CHECKING:
    from parley.cli.client import ApiClient
    from parley.settings import Settings

MOST_FAILURES = 3
"""The items in a row that may lack a reply before the command stops."""


class MeasuredCall(NamedTuple):
    """A call that is still to be made. `key` and `shown` name it in the record; `characters` is how long it will be."""

    key: str
    model: str
    characters: int
    prompt: Callable[[], str]
    shown: tuple[str, ...] = ()


class Work(NamedTuple):
    """The work of a command: for each item the calls that are due, the ones that need others last."""

    items: Sequence[Callable[[], Iterator[MeasuredCall]]]
    record: Record
    tag: str
    item: str
    """The word for an item, as in “question”."""
    lacking: str
    """The word for the part that it lacks if a call fails, as in “an answer”."""
    at_once: int = 1


class Budget(NamedTuple):
    """The cap in dollars, if there is one, and the least that one call to each model costs."""

    cap_usd: float | None
    least_usd: Mapping[str, float]


def carry_out(settings: "Settings", work: Work, quote: dict[str, Any], budget: Budget, *, yes: bool) -> None:
    """Show the estimate, ask whether to start, and make the calls. Does nothing if none is due."""
    if not quote["calls_most"]:
        return
    say(quote_text(quote), err=True)
    if budget.cap_usd is not None and quote["unpriced"]:
        say(f"--max-cost-usd does not count {', '.join(quote['unpriced'])} (no prices).", err=True)
    if not yes:
        _confirm()
    try:
        ask_quietly(settings, lambda client: make_calls(client, work, budget))
    except KeyboardInterrupt:
        say(f"Replies so far are in {work.record.path}. Run the command again to continue.", err=True)
        raise


def _confirm() -> None:
    """Ask whether to start. Raises Invalid where nobody can be asked, Abort for a no."""
    if not (sys.stdin and sys.stdin.isatty()):
        raise Invalid(
            "yes", "There is no terminal to confirm this in.", "Nothing was asked. Add --yes to start."
        )
    say("Start? [y/N] ", err=True, nl=False)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise typer.Abort


async def estimate(client: "ApiClient", work: Work) -> tuple[dict[str, Any], dict[str, float]]:
    """Return a quote for all that is due, and the least that one call to each model costs in dollars."""
    calls = [each for item in work.items for each in item()]
    total: dict[str, Any] = {"calls_least": 0, "calls_most": 0, "unpriced": []}
    costs: dict[str, list[float]] = {"cost_usd_least": [], "cost_usd_most": []}
    least: dict[str, float] = {}
    for model in dict.fromkeys(each.model for each in calls):
        mine = [each.characters for each in calls if each.model == model]
        body = {"mode": "chat", "seats": {"assistant": model}, "prompt": "x" * (sum(mine) // len(mine))}
        quote = await client.send("POST", "/api/quote", body)
        least[model] = quote["cost_usd_least"] or 0.0
        total["unpriced"] += (name for name in quote["unpriced"] if name not in total["unpriced"])
        for field in ("calls_least", "calls_most"):
            total[field] += len(mine) * quote[field]
        for field in costs:
            costs[field] += [len(mine) * quote[field]] if quote[field] is not None else []
    return total | {field: sum(amounts) if amounts else None for field, amounts in costs.items()}, least


async def make_calls(client: "ApiClient", work: Work, budget: Budget) -> None:
    """Make the calls that are due, `at_once` items at a time, up to the cap.

    An item that lacks a reply is left out, and its calls are made again the next time. Raises Unavailable if that
    happens to MOST_FAILURES items in a row.
    """
    with progress_bar(f"{work.item.capitalize()}s") as show:
        makers = _Makers(client, work, budget, show)
        tasks = [asyncio.create_task(makers.go()) for _ in range(work.at_once)]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                # A second cancellation would interrupt the request that stops its turn.
                if not task.cancelling():
                    task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    if makers.stopped:
        spent = work.record.spent_micros / 1e6
        say(f"Stopped at the cap: ${spent:.4f} of ${budget.cap_usd:.4f} are spent.", err=True)


class _Makers:
    """Workers that share the items, the budget and the count of failures."""

    def __init__(
        self, client: "ApiClient", work: Work, budget: Budget, show: Callable[[int, int], None]
    ) -> None:
        self._client, self._work, self._budget, self._show = client, work, budget, show
        self._items = enumerate(work.items, 1)
        self._running: list[str] = []
        self._ended = asyncio.Condition()
        self._failures = 0
        self.stopped = False
        """True if the cap is reached."""

    async def go(self) -> None:
        """Take items until none is left or the cap is reached."""
        for number, item in self._items:
            self._show(number - 1, len(self._work.items))
            try:
                for call in item():
                    if not await self._is_affordable(call):
                        return
                    await self._make(call)
                self._failures = 0
            except (Unfinished, Refused) as error:
                self._fail(number, error)

    async def _is_affordable(self, call: MeasuredCall) -> bool:
        """Return whether a call fits below the cap; wait where that depends on calls that are running."""
        async with self._ended:
            await self._ended.wait_for(lambda: self.stopped or not self._running or self._fits(call))
            self.stopped = self.stopped or not self._fits(call)
        return not self.stopped

    def _fits(self, call: MeasuredCall) -> bool:
        cap, least = self._budget
        expected = self._work.record.spent_micros / 1e6 + sum(least[model] for model in self._running)
        return cap is None or (expected < cap and expected + least[call.model] <= cap)

    async def _make(self, call: MeasuredCall) -> None:
        self._running.append(call.model)
        try:
            reply = await _ask(self._client, call, self._work.tag)
            self._work.record.add(reply)
        finally:
            self._running.remove(call.model)
            async with self._ended:
                self._ended.notify_all()
        if reply.problem:
            raise Unfinished(reply.problem)

    def _fail(self, number: int, error: Unfinished | Refused) -> None:
        self._failures += 1
        reason = " ".join(filter(None, [error.title, error.detail]))
        say(f"{self._work.item.capitalize()} {number} is left out: {reason}", err=True)
        if self._failures == MOST_FAILURES:
            raise Unavailable(
                f"{MOST_FAILURES} {self._work.item}s in a row lack {self._work.lacking}.",
                f"All replies so far are in {self._work.record.path}. Run the command again to continue.",
                code="measurement_failed",
            ) from None


async def _ask(client: "ApiClient", call: MeasuredCall, tag: str) -> MeasuredReply:
    """Make a call in a session of its own, which goes to the archive; return its reply. Raises Refused."""
    answers = SeatReplies()
    body = {"prompt": call.prompt(), "mode": "chat", "seats": {"assistant": call.model}}
    document = await ask_turn(client, body, answers, lambda: None)
    session, turn_id = document["match"]["session_id"], document["turn"]["id"]
    inner = (await client.get(f"/api/turns/{turn_id}/inner-replies"))["replies"]
    await client.send("PATCH", f"/api/sessions/{session}", {"archived": True, "tags": [tag]})
    return _read_reply(call, document["turn"], inner, answers)


def _read_reply(
    call: MeasuredCall, turn: dict[str, Any], inner: Sequence[dict[str, Any]], answers: SeatReplies
) -> MeasuredReply:
    """Return what a turn said and took, with the calls within an ensemble."""
    reply: dict[str, Any] = turn["replies"][-1] if turn["replies"] else {"text": "", "metrics": None}
    metrics: dict[str, Any] = reply["metrics"] or {}
    other = metrics.get("answered_by")
    problem = f"{other} answered instead of {call.model}." if other else None
    try:
        check_answered(turn, answers.all)
    except Unfinished as error:
        problem = " ".join(filter(None, [error.title, error.detail]))
    around = {each["parent_reply_id"] for each in inner}
    all_metrics: list[dict[str, Any]] = [each["metrics"] or {} for each in inner if each["id"] not in around]
    calls = all_metrics or [metrics]
    return MeasuredReply(
        question=key_of(call.key),
        model=call.model,
        shown=call.shown,
        text=reply["text"],
        turn_id=turn["id"],
        duration_ms=metrics.get("duration_ms", 0),
        tokens=metrics.get("input_tokens", 0) + metrics.get("output_tokens", 0),
        cost_micros=metrics.get("cost_micros"),
        paid_micros=sum(each.get("cost_micros") or 0 for each in calls),
        calls=len(calls),
        cached=any(each.get("cached") for each in calls),
        problem=problem,
    )
