"""A consortium in the terminal: its rounds as they come, and its synthesis at the end."""

import asyncio
from typing import TYPE_CHECKING, Any

from parley.cli.terminal import say
from parley.kernel.errors import ParleyError

if TYPE_CHECKING:
    from parley.cli.visit import Visit


class Unfinished(ParleyError):
    """The turn did not come to its end; the title says why."""

    code = "turn_unfinished"


def quote_text(quote: dict[str, Any]) -> str:
    """Return what a run would take, in one line."""
    least, most = quote["calls_least"], quote["calls_most"]
    calls = f"{least} calls" if least == most else f"{least} to {most} calls"
    low, high = quote["cost_usd_least"], quote["cost_usd_most"]
    if low is None or high is None:
        return f"This takes {calls}; the models have no prices."
    cost = f"about ${low:.4f}" if low == high else f"about ${low:.4f} to ${high:.4f}"
    unpriced = f", beside the unpriced {', '.join(quote['unpriced'])}" if quote["unpriced"] else ""
    return f"This takes {calls}, {cost}{unpriced}."


async def run_consortium(visit: "Visit", asked: dict[str, Any]) -> dict[str, Any]:
    """Run one turn and return its result. Progress goes to the error output; cancelling stops the turn.

    Raises Unfinished where the turn failed or was stopped, ParleyError where it could not begin.
    """
    turn_id, result, end = "", None, None
    try:
        async for event in visit.follow("/api/sessions", asked):
            kind = event["kind"]
            if kind == "turn.snapshot":
                turn_id = event["turn"]["id"]
            elif kind == "round.started":
                _tell(f"Round {event['round']}")
            elif kind == "note.added":
                result = _heard(event["note"]) or result
            elif kind in ("turn.completed", "turn.failed", "turn.stopped"):
                end = event
    except asyncio.CancelledError:
        if turn_id:
            await asyncio.shield(visit.send("POST", f"/api/turns/{turn_id}/stop"))
            _tell("Stopped. What had come is kept in its session.")
        raise
    if result is None or end is None or end["kind"] != "turn.completed":
        problem: dict[str, Any] = (end or {}).get("error") or {}
        title = problem.get("title") or "The turn did not come to its end."
        raise Unfinished(title, problem.get("detail") or "What had come is kept in its session.")
    return result


def result_text(result: dict[str, Any]) -> str:
    """Return what a person reads at the end, beside the synthesis."""
    synthesis, worth = result["synthesis"], result["worth"]
    sure = synthesis["confidence"]
    state = "settled" if result["settled"] else "not settled"
    confidence = "no confidence given" if sure is None else f"confidence {sure:.2f}"
    rounds = result["metadata"]["iteration_count"]
    lines = [f"{state} after {rounds} {'round' if rounds == 1 else 'rounds'}, {confidence}, {_took(worth)}"]
    if synthesis["dissent"]:
        lines.append(f"Dissent: {synthesis['dissent']}")
    lines += [f"Still open: {area}" for area in synthesis["refinement_areas"]]
    return "\n".join([*lines, *result["warnings"]])


def _took(worth: dict[str, Any]) -> str:
    seconds = f"{worth['duration_ms'] / 1000:.1f} s"
    if worth["cost_usd"] is None:
        return seconds
    missing = f" and what {', '.join(worth['unpriced'])} cost" if worth["unpriced"] else ""
    return f"{seconds}, ${worth['cost_usd']:.4f}{missing}"


def _heard(note: dict[str, Any]) -> dict[str, Any] | None:
    """Tell what a note says; returns the result once it is there."""
    data: dict[str, Any] = note["data"]
    match note["name"]:
        case "consortium.answer/1":
            _tell(f"  {data['seat']}: {_sure(data['confidence'])}")
        case "consortium.left_out/1":
            _tell(f"  {data['seat']}: left out. {data['problem']['title']}")
        case "consortium.verdict/1":
            _tell(f"  arbiter: {_sure(data['confidence'])}{', settled' if data['settled'] else ''}")
        case "consortium.result/1":
            return data
        case _:
            pass
    return None


def _sure(confidence: float | None) -> str:
    return "confidence not given" if confidence is None else f"confidence {confidence:.2f}"


def _tell(text: str) -> None:
    say(text, err=True)
