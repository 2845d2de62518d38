"""Runs a consortium for the terminal: prints its rounds as they come, and returns its result."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from parley.cli.answers import seat_names
from parley.cli.terminal import say
from parley.cli.turns import SAVED, Unfinished, check_finished, run_turn

if TYPE_CHECKING:
    from parley.cli.client import ApiClient


async def run_consortium(client: "ApiClient", body: dict[str, Any]) -> dict[str, Any]:
    """Run one turn and return its result; print progress to stderr. Cancelling stops the turn.

    Raises Unfinished if the turn failed or was stopped, ParleyError if it could not start.
    """
    result: dict[str, Any] | None = None
    names: dict[str, str] = {}

    def take(event: dict[str, Any]) -> None:
        nonlocal result
        if event["kind"] == "turn.snapshot":
            seats = event["match"]["seats"]
            names.update(zip((seat["name"] for seat in seats), seat_names(seats), strict=True))
        elif event["kind"] == "round.started":
            say(f"Round {event['round']}", err=True)
        elif event["kind"] == "note.added" and event["note"]["name"] == "consortium.result/1":
            result = event["note"]["data"]
        elif event["kind"] == "note.added":
            _print_note(event["note"], names)

    check_finished(await run_turn(client, body, take))
    if result is None:
        raise Unfinished("The turn did not finish.", SAVED)
    return result


def result_text(result: dict[str, Any]) -> str:
    """Describe a result: rounds, confidence, time, cost, dissent and open questions."""
    synthesis, worth, rounds = result["synthesis"], result["worth"], result["metadata"]["iteration_count"]
    state = "settled" if result["settled"] else "not settled"
    count = f"{rounds} {'round' if rounds == 1 else 'rounds'}"
    lines = [f"{state} after {count}, {_confidence(synthesis['confidence'])}, {_time_and_cost(worth)}"]
    if synthesis["dissent"]:
        lines.append(f"Dissent: {synthesis['dissent']}")
    lines += [f"Still open: {area}" for area in synthesis["refinement_areas"]]
    return "\n".join([*lines, *result["warnings"]])


def _time_and_cost(worth: dict[str, Any]) -> str:
    seconds = f"{worth['duration_ms'] / 1000:.1f} s"
    if worth["cost_usd"] is None:
        return seconds
    unpriced = f", without {', '.join(worth['unpriced'])} (no prices)" if worth["unpriced"] else ""
    return f"{seconds}, ${worth['cost_usd']:.4f}{unpriced}"


def _print_note(note: dict[str, Any], names: Mapping[str, str]) -> None:
    data: dict[str, Any] = note["data"]
    match note["name"]:
        case "consortium.answer/1":
            say(f"  {names.get(data['seat'], data['seat'])}: {_confidence(data['confidence'])}", err=True)
        case "consortium.left_out/1":
            say(f"  {names.get(data['seat'], data['seat'])}: left out. {data['problem']['title']}", err=True)
        case "consortium.verdict/1":
            settled = ", settled" if data["settled"] else ""
            say(f"  arbiter: {_confidence(data['confidence'])}{settled}", err=True)
        case _:
            pass


def _confidence(confidence: float | None) -> str:
    return "no confidence given" if confidence is None else f"confidence {confidence:.2f}"
