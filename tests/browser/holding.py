"""Holds requests of a page back, to see what it does until their answers come."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route


def hold_back(page: Page, address: str | re.Pattern[str]) -> Callable[[], None]:
    """Hold back the requests to an address; return what lets them through, and those that come later."""
    held: list[Route] = []
    is_open = False

    def hold(route: Route) -> None:
        if is_open:
            route.continue_()
        else:
            held.append(route)

    def let_through() -> None:
        nonlocal is_open
        is_open = True
        for route in held:
            route.continue_()

    page.route(address, hold)
    return let_through
