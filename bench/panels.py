"""The row of the page under load: six panels that are written at once, in a real Chromium.

Six members of a consortium speak Markdown at 100 tokens/s each. From Chromium's own trace comes what the page's main
thread did: a frame's work is that of all tasks since the frame before it was handed on to be drawn. The same six
streams on a bare page tell how much of it the browser and the machine take whatever a page does.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from playwright.sync_api import Error, Page, expect, sync_playwright

from bench import servers
from bench.bar import Row, failed, judged, median, quantile, skipped
from tools.ensure_chromium import find_chromium

WHAT = "six panels at 100 tokens/s each: work per frame p95, longest task"
BARE = "the same on a bare page that appends the texts to six areas"
BARE_PAGE = Path(__file__).with_name("bare_page.html")
MEMBERS = 6
SPEAKER = "m1200r100-0"
ARBITER = "t8r50-0"
SETTLE_S, WATCHED_S = 2.0, 7.0
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
CATEGORIES = ["toplevel", "benchmark", "__metadata"]
"""Tasks and frames alone: the developer tools' timeline adds about a fifth to the work of the thread it traces."""
TASK, FRAME = "ThreadControllerImpl::RunTask", "ProxyMain::BeginMainFrame"
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
Show = Callable[[Page, str, str], None]


class Unwritten(Exception):
    """The panels that were watched did not grow."""


class Frames(NamedTuple):
    """What the main thread did in a run, in milliseconds: a frame's work, the longest task, the time between frames."""

    p95: float
    middle: float
    longest: float
    between: float


def panel_rows(folder: Path, upstream_port: int, *, runs: int) -> Iterator[Row]:
    """Measure a consortium's first round for some seconds, in turn on Parley's page and on a bare one."""
    path = find_chromium()
    if path is None:
        yield skipped(WHAT, "no Chromium here")
        return
    pages: dict[str, list[Frames]] = {"ours": [], "bare": []}
    try:
        for run in range(runs):
            for name, show in (("ours", _our_page), ("bare", _bare_page)):
                with servers.parley(folder / f"{name}{run}", upstream_port) as parley:
                    url = f"http://127.0.0.1:{parley.port}"
                    pages[name].append(_watched(path, url, show))
    except (Error, AssertionError, Unwritten) as error:
        yield failed(WHAT, str(error).splitlines()[0])
        return
    p95, longest, words = _middle(pages["ours"])
    yield judged(WHAT, words, (p95, longest), must=(8, 50), unit="ms")
    yield Row(what=BARE, figure=_middle(pages["bare"])[2])


def _middle(runs: Sequence[Frames]) -> tuple[float, float, str]:
    """Return the median p95 and longest task of several runs, and all of it in words."""
    p95s = sorted(run.p95 for run in runs)
    p95, longest = median(p95s), median([run.longest for run in runs])
    middle, between = (median([getattr(run, name) for run in runs]) for name in ("middle", "between"))
    spread = f"; p95 of {len(runs)} runs {p95s[0]:.1f} to {p95s[-1]:.1f}" if len(runs) > 1 else ""
    about = f"a frame’s work p50 {middle:.1f} ms, {between:.0f} ms between frames{spread}"
    return p95, longest, f"{p95:.1f} ms, {longest:.0f} ms ({about})"


def _watched(path: str, url: str, show: Show) -> Frames:
    """Trace a page that six answers are written on. Raises Unwritten where they were not."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(url)
            show(page, url, _let_six_speak(page))
            page.wait_for_timeout(SETTLE_S * 1000)
            before = _shown(page)
            browser.start_tracing(page=page, categories=CATEGORIES)
            page.wait_for_timeout(WATCHED_S * 1000)
            trace = browser.stop_tracing()
            return _frames(msgspec.json.decode(trace)["traceEvents"], _shown(page) - before)
        finally:
            browser.close()


def _our_page(page: Page, url: str, session: str) -> None:
    page.goto(f"{url}/s/{session}")
    expect(page.get_by_role("region", name="Round 1")).to_be_visible(timeout=20_000)


def _bare_page(page: Page, url: str, session: str) -> None:
    """Show the same six answers as plain text on a page of the same origin."""
    view: Any = page.evaluate("async (id) => (await fetch(`/api/sessions/${id}`)).json()", session)
    turn = view["matches"][0]["turns"][0]["id"]
    page.route("**/bare", lambda route: route.fulfill(body=BARE_PAGE.read_text(), content_type="text/html"))
    page.goto(f"{url}/bare#{turn}")
    expect(page.locator("pre")).to_have_count(MEMBERS, timeout=20_000)


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


def longest_task(events: Sequence[Event]) -> float:
    """Return the milliseconds of the longest task of the page's main thread."""
    main = _main_thread(events)
    return max(event.get("dur", 0) / 1000 for event in events if _is_task(event, main))


def _is_task(event: Event, thread: tuple[int, int]) -> bool:
    return event["name"] == TASK and _place(event) == thread


def _is_frame(event: Event) -> bool:
    # "X" is the frame itself; events of the same name mark where it was requested.
    return event["name"] == FRAME and event["ph"] == "X"


def _frames(events: Sequence[Event], grown: int) -> Frames:
    main = _main_thread(events)
    tasks = [event for event in events if _is_task(event, main)]
    frames = sorted(
        event["ts"] + event["dur"] for event in events if _is_frame(event) and _place(event) == main
    )
    if grown < 100 * MEMBERS or len(frames) < 30:
        raise Unwritten(f"{grown} characters in {len(frames)} frames: the panels were not written")
    work = [0.0] * len(frames)
    for task in tasks:
        frame = bisect_left(frames, task["ts"])
        if frame < len(frames):
            work[frame] += task.get("dur", 0) / 1000
    return Frames(
        p95=quantile(work, 0.95),
        middle=median(work),
        longest=max(task.get("dur", 0) / 1000 for task in tasks),
        between=median([(after - before) / 1000 for before, after in pairwise(frames)]),
    )


def _main_thread(events: Sequence[Event]) -> tuple[int, int]:
    """Return the page's main thread: of all renderers' that which handed on most frames."""
    named = {
        _place(event)
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    begun = [_place(event) for event in events if _is_frame(event)]
    return max(named, key=begun.count)


def _place(event: Event) -> tuple[int, int]:
    return event["pid"], event["tid"]
