"""The row of a long session: how soon one of 200 turns is shown after a click, and the longest task while it scrolls.

It is opened from the sidebar of a page that has been loaded, as a person does, in a real Chromium.
"""

from collections.abc import Iterator
from http.client import HTTPConnection  # noqa: TID251 - fills the server that is measured
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from bench import servers
from bench.bar import Row, failed, judged, median, skipped
from bench.panels import CATEGORIES, FLAGS, longest_task
from bench.upstream import MARKDOWN
from tools.ensure_chromium import find_chromium

TURNS = 200
TITLE = "A long session"
WHAT = f"a session of {TURNS} turns: shown after the click, longest task while it opens and scrolls"
OPEN = """async (title) => {
  const link = [...document.querySelectorAll("aside a, nav a")].find((each) => each.textContent.includes(title));
  const begun = performance.now();
  link.click();
  const frame = () => new Promise(requestAnimationFrame);
  for (;;) {
    await frame();
    const last = [...document.querySelectorAll("[data-turn]")].at(-1);
    const box = last?.querySelector(".reading")?.getBoundingClientRect();
    if (box && box.height > 100 && box.top < innerHeight && box.bottom > 0) break;
  }
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - begun;
}"""
SCROLL_STEPS = 60
SETTLE_S = 6.0
"""By then the parts of the page are loaded."""


def long_session_rows(folder: Path, *, runs: int) -> Iterator[Row]:
    """Open a session of 200 answered questions several times, each in a new page."""
    path = find_chromium()
    if path is None:
        yield skipped(WHAT, "no Chromium here")
        return
    with servers.parley(folder / "long") as parley, sync_playwright() as playwright:
        _fill(parley.port)
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            found = [_opened(browser, f"http://127.0.0.1:{parley.port}") for _ in range(runs)]
        except (Error, AssertionError) as error:
            yield failed(WHAT, str(error).splitlines()[0])
            return
        finally:
            browser.close()
    shown = median([ms for ms, _ in found])
    longest = median([task for _, task in found])
    spread = f" ({min(found)[0]:.0f} to {max(found)[0]:.0f} in {runs} runs)" if runs > 1 else ""
    yield judged(
        WHAT, f"{shown:.0f} ms{spread}, {longest:.0f} ms", (shown, longest), must=(300, 50), unit="ms"
    )


def _opened(browser: Browser, url: str) -> tuple[float, float]:
    """Return the milliseconds until the newest answer is shown, and the longest task until the scrolling ends."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    try:
        page.goto(url)
        expect(page.get_by_role("link", name=TITLE)).to_be_visible()
        page.wait_for_timeout(SETTLE_S * 1000)
        browser.start_tracing(page=page, categories=CATEGORIES)
        shown = float(page.evaluate(OPEN, TITLE))
        _scroll(page)
        trace: Any = msgspec.json.decode(browser.stop_tracing())
        return shown, longest_task(trace["traceEvents"])
    finally:
        page.close()


def _scroll(page: Page) -> None:
    page.mouse.move(800, 450)
    for step in range(SCROLL_STEPS):
        page.mouse.wheel(0, -900 if step < SCROLL_STEPS / 2 else 900)
        page.wait_for_timeout(33)


def _fill(port: int) -> None:
    """Import the session as a file."""
    messages: list[dict[str, str]] = []
    for turn in range(TURNS):
        messages.append({"role": "user", "content": f"Question {turn}: what now?"})
        messages.append({"role": "assistant", "content": f"Answer {turn}.\n\n{MARKDOWN[:1200]}"})
    body = msgspec.json.encode({"title": TITLE, "messages": messages})
    host = f"127.0.0.1:{port}"
    headers = {"Content-Type": "application/octet-stream", "Origin": f"http://{host}"}
    connection = HTTPConnection(host, timeout=60)
    connection.request("POST", "/api/sessions/import?name=long.json", body, headers)
    answer = connection.getresponse()
    if answer.status != 200:
        raise SystemExit(answer.read().decode())
    connection.close()
