"""The row of the page under load: six panels that are written at once, in a real Chromium.

Six members of a consortium speak Markdown at 100 tokens/s each. From Chromium's own trace comes what the page's main
thread did: a frame's work is that of all tasks since the frame before it was handed on to be drawn.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Error, Page, expect, sync_playwright

from bench import servers
from bench.bar import Row, failed, judged, quantile, skipped
from tools.ensure_chromium import find_chromium

WHAT = "six panels at 100 tokens/s each: work per frame p95, longest task"
MEMBERS = 6
SPEAKER = "m1200r100-0"
ARBITER = "t8r50-0"
SETTLE_S, WATCHED_S = 2.0, 7.0
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
CATEGORIES = ["disabled-by-default-devtools.timeline", "devtools.timeline", "__metadata"]
BEGIN = """async (body) => {
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
  const answer = await fetch("/api/sessions", { method: "POST", headers, body: JSON.stringify(body) });
  const reader = answer.body.getReader();
  for (let text = "", decoder = new TextDecoder(); ; ) {
    const { value, done } = await reader.read();
    text += decoder.decode(value);
    const found = /"session_id":"([0-9a-f]{32})"/.exec(text);
    if (found) { await reader.cancel(); return found[1]; }
    if (done) throw new Error(text);
  }
}"""
Event = dict[str, Any]


def panel_rows(folder: Path, upstream_port: int) -> Iterator[Row]:
    """Measure a consortium's first round for some seconds."""
    path = find_chromium()
    if path is None:
        yield skipped(WHAT, "no Chromium here")
        return
    with servers.parley(folder, upstream_port) as parley, sync_playwright() as playwright:
        url = f"http://127.0.0.1:{parley.port}"
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        try:
            page.goto(url)
            page.goto(f"{url}/s/{_let_six_speak(page)}")
            expect(page.get_by_role("region", name="Round 1")).to_be_visible(timeout=20_000)
            page.wait_for_timeout(SETTLE_S * 1000)
            before = _shown(page)
            browser.start_tracing(page=page, categories=CATEGORIES)
            page.wait_for_timeout(WATCHED_S * 1000)
            trace = browser.stop_tracing()
            grown = _shown(page) - before
        except (Error, AssertionError) as error:
            yield failed(WHAT, str(error).splitlines()[0])
            return
        finally:
            browser.close()
    events: list[Event] = msgspec.json.decode(trace)["traceEvents"]
    yield _judged(events, grown)


def _let_six_speak(page: Page) -> str:
    """Start a consortium from the page, and return its session's id; it continues without a reader."""
    seats = {"arbiter": ARBITER, **{"abcdefghij"[member]: SPEAKER for member in range(MEMBERS)}}
    asked = {
        "mode": "consortium",
        "prompt": "How do we move?",
        "seats": seats,
        "brief": {"max_iterations": 1},
    }
    return str(page.evaluate(BEGIN, asked))


def _shown(page: Page) -> int:
    return int(page.evaluate("document.querySelector('main').innerText.length"))


def _judged(events: Sequence[Event], grown: int) -> Row:
    main = _main_thread(events)
    tasks = [event for event in events if event["name"] == "RunTask" and _place(event) == main]
    frames = sorted(event["ts"] for event in events if event["name"] == "Commit" and _place(event) == main)
    if grown < 100 * MEMBERS or len(frames) < 30:
        return failed(WHAT, f"{grown} characters in {len(frames)} frames: the panels were not written")
    work = [0.0] * len(frames)
    for task in tasks:
        frame = bisect_left(frames, task["ts"])
        if frame < len(frames):
            work[frame] += task.get("dur", 0) / 1000
    longest = max(task.get("dur", 0) / 1000 for task in tasks)
    p95, middle = quantile(work, 0.95), quantile(work, 0.5)
    between = quantile([(after - before) / 1000 for before, after in pairwise(frames)], 0.5)
    figure = f"{p95:.1f} ms, {longest:.0f} ms (a frame’s work p50 {middle:.1f} ms, {between:.0f} ms between frames)"
    return judged(WHAT, figure, (p95, longest), must=(8, 50), unit="ms")


def _main_thread(events: Sequence[Event]) -> tuple[int, int]:
    """Return the page's main thread: of all renderers' that which handed on most frames."""
    named = {
        _place(event)
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    begun = [_place(event) for event in events if event["name"] == "Commit"]
    return max(named, key=begun.count)


def _place(event: Event) -> tuple[int, int]:
    return event["pid"], event["tid"]
