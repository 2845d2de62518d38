"""Preferences in Compare over a connection that fails: a real browser shows nothing as saved that is not stored."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from random import Random

import msgspec
from playwright.sync_api import Browser, Error, Page, Route, expect

from prove.campaign import Batch, Campaign, Tally
from prove.monkey import at_the_page

WITHIN_MS = 20_000
PROMPT = "Tea or coffee?"
CHOICES = ("Ada", "Bob", "About the same", "None are good")
VOTE = re.compile(r"/api/matches/\w+/vote$")
SESSION = re.compile(r"/api/sessions/[0-9a-f]{32}$")
PRESSED = "buttons => buttons.filter((one) => one.ariaPressed === 'true').map((one) => one.ariaLabel ?? one.innerText)"

Spoil = Callable[[Route], None]


class Preferences:
    name = "preferences"
    guarantee = (
        "Every preference that the page shows as saved is stored, however often requests or answers are lost."
    )
    trials = 1000
    batch = 250
    sample = 12

    def run(self, batch: Batch) -> Tally:
        return _try(batch, lambda chance: lambda route: _lose(route, chance))

    def control(self, batch: Batch) -> Tally:
        """A page that shows what was clicked, not what was stored."""
        return _try(batch, lambda chance: _wishful(), until_caught=True)

    def summary(self, tally: Tally) -> str:
        saved, lost = (int(sum(tally.figures.get(name, ()))) for name in ("saved", "lost"))
        return f"{saved} shown as saved, {lost} requests or answers lost on the way"


def _try(batch: Batch, spoil: Callable[[Random], Spoil], *, until_caught: bool = False) -> Tally:
    tally = Tally()
    chance = batch.chance(batch.first)
    with (
        at_the_page(batch.folder / f"{batch.first}", chance) as (browser, url),
        _compared(browser, url) as page,
    ):
        lost = _count(page, spoil(chance))
        for trial in range(batch.first, batch.first + batch.count):
            shown = _prefer(page, chance)
            if shown is None:
                tally.failures.append(f"preference {trial}: never shown as saved")
            elif (stored := _stored(url, page)) != shown:
                tally.failures.append(f"preference {trial}: shown {shown!r}, stored {stored!r}")
            else:
                tally.note("saved", 1)
            tally.trials += 1
            batch.step()
            if until_caught and tally.failures:
                break
        tally.note("lost", lost())
    return tally


@contextmanager
def _compared(browser: Browser, url: str) -> Generator[Page]:
    """A page with one turn of Compare, in which every answer is done."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(WITHIN_MS)
    page = context.new_page()
    page.goto(f"{url}/?mode=compare")
    page.get_by_role("textbox", name="Message").fill(PROMPT)
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=_named(CHOICES[0]))).to_be_enabled(timeout=WITHIN_MS)
    yield page
    context.close()


def _count(page: Page, spoil: Spoil) -> Callable[[], int]:
    """Put all votes and all readings of the session through `spoil`; returns how many were lost so far."""
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.route(VOTE, spoil)
    page.route(SESSION, spoil)
    return lambda: len(failed)


def _lose(route: Route, chance: Random) -> None:
    """Let a request through, or lose it or its answer."""
    fate = chance.random()
    try:
        if fate < 0.15:
            route.abort("connectionreset")
        elif fate < 0.3:
            route.fetch()  # the server has it, the page does not learn of it
            route.abort("connectionreset")
        elif fate < 0.4:
            route.fulfill(status=502, body="bad gateway")
        else:
            route.continue_()
    except Error:
        pass  # the page no longer waits for it


def _wishful() -> Spoil:
    """Store the first vote only, and answer as if all were stored."""
    votes: list[str] = []

    def spoil(route: Route) -> None:
        if VOTE.search(route.request.url):
            vote = msgspec.json.decode(route.request.post_data or "{}")["vote"]
            if votes:
                route.fulfill(status=200, json={"vote_id": "0" * 32})
            else:
                route.fulfill(response=route.fetch())
            votes.append(vote)
            return
        answer = route.fetch()
        body = answer.json()
        stored = body["matches"][-1]["match"]["votes"]
        if stored and votes:
            stored[-1]["vote"] = votes[-1]
        route.fulfill(response=answer, json=body)

    return spoil


def _prefer(page: Page, chance: Random) -> str | None:
    """Choose what is not chosen yet, again and again until the page shows it as saved; returns what it shows."""
    before = _shown(page)
    wanted = chance.choice([choice for choice in CHOICES if choice != before])
    if wanted not in CHOICES[:2] and before in CHOICES[:2]:
        wanted = CHOICES[1 - CHOICES.index(before)]
    button = page.get_by_role("button", name=_named(wanted))
    for _ in range(40):
        try:
            button.click(timeout=2000)
            expect(button).to_have_attribute("aria-pressed", "true", timeout=1500)
            return _shown(page)
        except (Error, AssertionError):
            continue
    return None


def _shown(page: Page) -> str | None:
    pressed = page.get_by_role("button", pressed=True).evaluate_all(PRESSED)
    return next((choice for choice in CHOICES if any(_named(choice).search(name) for name in pressed)), None)


def _named(choice: str) -> re.Pattern[str]:
    """Return what a choice's button is called, chosen or not."""
    return re.compile(rf"^((I prefer this|Your preference): )?{re.escape(choice)}$")


def _stored(url: str, page: Page) -> str | None:
    """Return what the server has, as the page's buttons call it."""
    session = page.url.split("?")[0].rsplit("/", 1)[1]
    match = page.request.get(f"{url}/api/sessions/{session}").json()["matches"][-1]["match"]
    names = dict(zip([seat["name"] for seat in match["seats"]], CHOICES[:2], strict=False))
    words = {"tie": "About the same", "none": "None are good", **names}
    return words.get(match["votes"][-1]["vote"]) if match["votes"] else None


CAMPAIGNS: list[Campaign] = [Preferences()]
