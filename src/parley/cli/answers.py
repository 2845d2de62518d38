"""The answers of a turn as far as they have come, and what they took in words."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from parley.cli.turns import Unfinished
from parley.text.controls import in_one_line

Metrics = dict[str, Any]


@dataclass
class SeatReply:
    """One seat's reply so far. `status` is "waiting", then that of the reply.

    `files` are the names of its pictures and files, known once it has ended.
    """

    seat: str
    name: str
    reply_id: str = ""
    attempt: int = 0
    text: str = ""
    status: str = "waiting"
    finish_reason: str | None = None
    metrics: Metrics | None = None
    error: dict[str, Any] | None = None
    files: tuple[str, ...] = ()

    @property
    def ended(self) -> bool:
        """True if nothing more comes."""
        return self.status not in ("waiting", "streaming")

    @property
    def problem(self) -> tuple[str, str | None] | None:
        """The problem and its advice; None if the answer is complete or still comes."""
        if self.status == "completed" or not self.ended:
            return None
        error = self.error or {}
        title = {"stopped": "The answer was stopped.", "incomplete": "The answer is incomplete."}
        return error.get("title") or title.get(self.status, "The answer failed."), error.get("detail")

    @property
    def files_note(self) -> str:
        """The names of its pictures and files, for the terminal; empty without any."""
        names = in_one_line(", ".join(self.files))
        return f"The page shows what came with it: {names}." if names else ""

    @property
    def facts(self) -> str:
        """Time, tokens and cost of the answer; empty while they are unknown or hidden."""
        return metrics_text(self.metrics) if self.metrics else ""


class SeatReplies:
    """The answers of a turn in the order of their seats, kept up to date by its events."""

    def __init__(self) -> None:
        self.all: list[SeatReply] = []

    def take(self, event: dict[str, Any]) -> None:
        """Apply an event."""
        match event["kind"]:
            case "turn.snapshot":
                self._replace(event)
            case "reply.started" if answer := self._seat(event["seat"]):
                if event["attempt"] > answer.attempt:
                    answer.reply_id, answer.attempt = event["reply_id"], event["attempt"]
                    answer.text, answer.status, answer.error = "", "streaming", None
            case "reply.delta" if event["channel"] == "text" and (answer := self._reply(event)):
                if event["end"] > len(answer.text):
                    answer.text += event["text"][max(0, len(answer.text) - event["offset"]) :]
            case "reply.completed" | "reply.failed" if answer := self._reply(event):
                answer.status = event.get("status", "completed")
                answer.metrics, answer.error = event["metrics"], event.get("error")
                answer.finish_reason, answer.files = event.get("finish_reason"), _files(event)
            case "turn.completed" | "turn.failed" | "turn.stopped":
                self.stop()
            case _:
                pass

    def stop(self) -> None:
        """Say of what has not ended that it was stopped."""
        for answer in self.all:
            answer.status = answer.status if answer.ended else "stopped"

    def _replace(self, snapshot: dict[str, Any]) -> None:
        seats: list[dict[str, Any]] = snapshot["match"]["seats"]
        names = seat_names(seats)
        self.all = [SeatReply(seat["name"], name) for seat, name in zip(seats, names, strict=True)]
        for reply in snapshot["turn"]["replies"]:
            if answer := self._seat(reply["seat"]):
                answer.reply_id, answer.attempt = reply["id"], reply["attempt"]
                answer.text, answer.status = reply["text"], reply["status"]
                answer.metrics, answer.error = reply["metrics"], reply["error"]
                answer.finish_reason, answer.files = reply["finish_reason"], _files(reply)

    def _seat(self, seat: str) -> SeatReply | None:
        return next((each for each in self.all if each.seat == seat), None)

    def _reply(self, event: dict[str, Any]) -> SeatReply | None:
        """Return the answer that an event is about, unless a later attempt has replaced it."""
        answer = next((each for each in self.all if each.reply_id == event["reply_id"]), None)
        return answer if answer is not None and answer.attempt == event["attempt"] else None


def _files(reply: dict[str, Any]) -> tuple[str, ...]:
    return tuple(part["attached"]["name"] for part in reply.get("parts", ()))


def seat_names(seats: Sequence[dict[str, Any]], *, revealed: bool = False) -> list[str]:
    """Return the seats' names: those of their models, while a match is blind letters."""
    return numbered(
        [seat["model"]["name"] if revealed and seat["model"] else seat["label"] for seat in seats]
    )


def numbered(names: Sequence[str]) -> list[str]:
    """Return names of which each is there once: the second “Ada” is “Ada 2”."""
    several, seen = Counter(names), Counter[str]()
    result: list[str] = []
    for name in names:
        seen[name] += 1
        result.append(f"{name} {seen[name]}" if several[name] > 1 else name)
    return result


def check_answered(turn: dict[str, Any], answers: Iterable[SeatReply]) -> None:
    """Raise Unfinished with the first problem if a turn failed, was stopped, or has no complete answer."""
    each = list(answers)
    if turn["status"] == "completed" and any(answer.status == "completed" for answer in each):
        return
    problems = [(error["title"], error.get("detail")) for error in [turn["error"]] if error]
    problems += [answer.problem for answer in each if answer.problem]
    title, detail = problems[0] if problems else ("The turn did not finish.", None)
    raise Unfinished(title, detail)


def metrics_text(metrics: Metrics) -> str:
    """Describe what an answer took, as in "1.4 s · 66 tokens · 74 tokens/s · $0.0002"."""
    first, queued = metrics["ttft_ms"], metrics.get("queued_ms", 0)
    about = "about " if metrics["estimated"] else ""
    tokens = metrics["output_tokens"]
    parts = [
        seconds_text(metrics["duration_ms"]),
        None if first is None else f"first token {seconds_text(first)}",
        f"{about}{tokens:,} {'token' if tokens == 1 else 'tokens'}",
        f"{metrics['tokens_per_second']:.0f} tokens/s" if metrics["tokens_per_second"] else None,
        "no price" if metrics["cost_micros"] is None else cost_text(metrics["cost_micros"]),
        "from the cache" if metrics["cached"] else None,
        f"waited {seconds_text(queued)} for a free place" if queued > 500 else None,
        f"answered by {metrics['answered_by']}" if metrics["answered_by"] else None,
    ]
    return " · ".join(part for part in parts if part)


def summary_text(answers: Sequence[SeatReply]) -> str:
    """Describe who was fastest and cheapest, and the total; empty if no answer has metrics."""
    taken = [(each, each.metrics) for each in answers if each.metrics]
    if not taken:
        return ""
    whole = [(each.name, metrics) for each, metrics in taken if each.status == "completed"]
    lines: list[str] = []
    if name := _least(whole, "duration_ms"):
        lines.append(f"Fastest: {name[0]}, {seconds_text(name[1])}")
    if name := _least(whole, "cost_micros"):
        lines.append(f"Cheapest: {name[0]}, {cost_text(name[1])}")
    costs = [metrics["cost_micros"] for _, metrics in taken]
    priced = [cost for cost in costs if cost is not None]
    # What was refused costs nothing; beside an answer without a price that is no sum.
    known = len(priced) == len(costs)
    least = "" if known else "at least "
    total = [f"{least}{cost_text(sum(priced))}"] if known or sum(priced) else ["no prices"]
    total.append(f"{sum(metrics['input_tokens'] for _, metrics in taken):,} input tokens")
    total.append(f"{sum(metrics['output_tokens'] for _, metrics in taken):,} output tokens")
    return "\n".join([*lines, f"Total: {', '.join(total)}"])


def _least(whole: Sequence[tuple[str, Metrics]], field: str) -> tuple[str, int] | None:
    """Return who has the least of something; None unless all have it, and not all the same."""
    values = [metrics[field] for _, metrics in whole]
    if len(values) < 2 or None in values or min(values) == max(values):
        return None
    return whole[values.index(min(values))][0], min(values)


def seconds_text(milliseconds: int) -> str:
    """Return a duration in seconds."""
    return f"{milliseconds / 1000:.1f} s"


def cost_text(micros: int) -> str:
    """Return micro-dollars as dollars; small amounts in full."""
    return f"${micros / 1e6:.{4 if micros >= 10_000 else 6}f}" if micros else "$0"
