"""Runs a turn for the terminal: starts it, hands on its events, and stops it with the command."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from parley.cli.terminal import say
from parley.kernel.errors import ParleyError, UpstreamError

if TYPE_CHECKING:
    from parley.cli.client import ApiClient

SAVED = "What was answered so far is saved in the session."
ENDS = frozenset({"turn.completed", "turn.failed", "turn.stopped"})


class Unfinished(ParleyError):
    """The turn failed or was stopped; the title says why."""

    code = "turn_unfinished"


async def run_turn(
    client: "ApiClient",
    body: dict[str, Any],
    take: Callable[[dict[str, Any]], None],
    path: str = "/api/sessions",
    *,
    quiet: bool = False,
) -> dict[str, Any]:
    """Start a turn, by default with its session; pass each event to `take`, and return the last one.

    Cancelling stops the turn, which is said unless `quiet`, and so does an output that is closed. Raises Unfinished if
    the server stops before the end, ParleyError if the turn could not start.
    """
    turn_id, end = "", None
    try:
        async for event in client.stream(path, body):
            if event["kind"] == "turn.snapshot":
                turn_id = event["turn"]["id"]
            take(event)
            end = event if event["kind"] in ENDS else end
    except asyncio.CancelledError:
        if turn_id:
            await asyncio.shield(_stop(client, turn_id))
            if not quiet:
                say(f"Stopped. {SAVED}", err=True)
        raise
    except OSError:  # nobody reads on, as with `| head`
        await _stop(client, turn_id)
        raise
    except UpstreamError:
        if not turn_id:
            raise
    if end is None:
        raise Unfinished(
            "Parley stopped before the turn finished.",
            f"{SAVED} Parley resumes the rest when it starts again.",
        )
    return end


async def _stop(client: "ApiClient", turn_id: str) -> None:
    await client.send("POST", f"/api/turns/{turn_id}/stop")


def check_finished(end: dict[str, Any]) -> None:
    """Raise Unfinished if a turn's last event is not its completion."""
    if end["kind"] != "turn.completed":
        problem: dict[str, Any] = end.get("error") or {}
        title = "The turn was stopped." if end["kind"] == "turn.stopped" else "The turn did not finish."
        raise Unfinished(problem.get("title") or title, problem.get("detail") or SAVED)
