"""Limits on attempts to sign in: how they are forgotten."""

import asyncio

from parley.features.accounts.attempts import Attempts

NETWORK = "192.0.2.0/24"


async def test_a_count_that_is_forgotten_while_old_ones_are_dropped_breaks_nothing() -> None:
    attempts = Attempts()
    for email in ("ana@example.org", "jonas@example.org"):
        await attempts.count(email, NETWORK, is_known=False)
    (dropping,) = asyncio.all_tasks() - {asyncio.current_task()}
    await asyncio.sleep(0)  # it has seen both, and waits on its thread for the first
    await attempts.succeeded("jonas@example.org", NETWORK)
    await dropping
