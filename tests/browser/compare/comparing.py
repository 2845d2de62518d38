"""Answers side by side on the page: their panels, their ballot, and what their models were asked."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.fakes.upstream import ScriptedUpstream

MODELS = ("ada", "bob", "cid", "dee")


def panel(page: Page, turn: int, name: str) -> Locator:
    return page.get_by_role("region", name=f"Turn {turn}").get_by_role("group", name=name, exact=True)


def prefer(page: Page, turn: int, name: str) -> Locator:
    said = re.compile(rf"^(I prefer this|Your preference): {re.escape(name)}")
    return page.get_by_role("region", name=f"Turn {turn}").get_by_role("button", name=said)


def compared(page: Page, turn: int = 1, name: str = "Ada") -> None:
    expect(prefer(page, turn, name)).to_be_enabled(timeout=30_000)


def settled(button: Locator) -> None:
    expect(button).to_have_attribute("aria-pressed", "true")


def asked_of(upstream: ScriptedUpstream, model: str) -> list[list[str]]:
    """What a model was sent, request by request."""
    return [
        [message["content"] for message in chat.json["messages"]]
        for chat in upstream.chats
        if chat.json["model"] == model
    ]
