"""The rows of a large library: how soon filters and searches are answered, and whether its grid scrolls smoothly."""

import asyncio
import io
import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection  # noqa: TID251 - asks the server that is measured
from pathlib import Path

import msgspec
from PIL import Image
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright
from sqlalchemy import insert, select

from bench import seeding, servers
from bench.bar import Row, failed, judged, quantile, skipped
from bench.panels import FLAGS
from parley.features.accounts.service import OWNER_ID
from parley.kernel.ids import ordered_id
from parley.storage.database import Database, Transaction
from parley.storage.tables.assets import AssetRow, AssetTagRow
from parley.storage.tables.conversations import ReplyRow, TurnRow
from parley.text.folding import folded
from tools.ensure_chromium import find_chromium

ASSETS, SESSIONS, PICTURES, TIMES = 50_000, 2_000, 24, 15
TILES = 10_000
WHAT = f"a library of {ASSETS:,}: a filter or a search, slowest of nine kinds"
GRID = f"a library of {ASSETS:,}: longest task while {TILES:,} tiles load and scroll"
KINDS = ("picture", "picture", "picture", "code", "table", "file")
MODELS = ("mira", "otto", "t200r50-0")
SUBJECTS = (
    "fox",
    "lighthouse",
    "harbour",
    "bicycle",
    "orchard",
    "kettle",
    "glacier",
    "violin",
    "market",
    "owl",
)
RARE_WORD = "quokka"
QUERIES = {
    "everything": "",
    "a kind": "kind=code",
    "a model": "model=mira",
    "a tag": "tag=cover",
    "a month": "since=2026-02-01T00:00:00Z&until=2026-03-01T00:00:00Z",
    "a common word": "search=lighthouse",
    "two words": "search=lighthouse%20evening",
    "a rare word": f"search={RARE_WORD}",
    "no such word": "search=zzyzx",
}
OBSERVE = """() => {
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
  }).observe({ type: "longtask", buffered: false });
}"""
SCROLL = """async (tiles) => {
  const area = [...document.querySelectorAll("[data-scroll-area]")].find((each) => each.querySelector("ul li"));
  const frame = () => new Promise(requestAnimationFrame);
  // Only tiles in view are drawn; each says how many there are.
  const loaded = () => Number([...area.querySelectorAll("li")].at(-1)?.getAttribute("aria-setsize"));
  for (let step = 0; step < 6000 && loaded() < tiles; step++) {
    area.scrollTop += 600;
    await frame();
  }
  for (let step = 0; step < 120; step++) {
    area.scrollTop -= 300;
    await frame();
  }
  return [loaded(), window.longest];
}"""


def library_rows(folder: Path, *, quick: bool = False) -> Iterator[Row]:
    """Fill a library, ask it by HTTP, and scroll it in a real Chromium."""
    data = folder / "library" / "data"
    seeding.seed(data, sessions=SESSIONS, battles=0, models=("mira", "otto"))
    with servers.parley(folder / "library") as parley:
        pictures = _upload(parley.port)
    asyncio.run(fill(data, ASSETS, pictures))
    with servers.parley(folder / "library") as parley:
        slowest = max(_asked(parley.port, query, 5 if quick else TIMES) for query in QUERIES.values())
        yield judged(WHAT, f"{slowest:.0f} ms (p95)", [slowest], must=(100,), unit="ms")
        yield _scrolled(f"http://127.0.0.1:{parley.port}")


async def fill(data: Path, number: int, pictures: list[str]) -> None:
    """Put things into the library of a Parley that does not run: of its turns' replies, with these pictures."""
    database = Database(f"sqlite:///{data / 'parley.db'}")
    chance = random.Random(5)

    def store(transaction: Transaction) -> None:
        turns = select(TurnRow.c.id, TurnRow.c.match_id, TurnRow.c.session_id, ReplyRow.c.id)
        places = transaction.execute(turns.join(ReplyRow.table, ReplyRow.c.turn_id == TurnRow.c.id)).all()
        rows = [_asset(chance, each, places[each % len(places)], pictures) for each in range(number)]
        for start in range(0, number, seeding.BATCH):
            transaction.execute(insert(AssetRow.table), rows[start : start + seeding.BATCH])
        tagged = [{"asset_id": row["id"], "name": "cover"} for row in rows[::50]]
        transaction.execute(insert(AssetTagRow.table), tagged)

    try:
        await database.write(store)
    finally:
        await database.close()


def _asset(
    chance: random.Random, number: int, place: tuple[str, ...], pictures: list[str]
) -> dict[str, object]:
    turn_id, match_id, session_id, reply_id = place
    kind = KINDS[number % len(KINDS)]
    subject = f"{chance.choice(SUBJECTS)} and {chance.choice(SUBJECTS)} in the {'evening' if number % 3 else 'rain'}"
    title = f"A {subject}, {number}" + (f" {RARE_WORD}" if number % (ASSETS // 10) == 7 else "")
    prompt = " ".join(chance.choices(SUBJECTS, k=40))
    return {
        "id": ordered_id(),
        "owner_id": OWNER_ID,
        "space_id": OWNER_ID,
        "origin": "reply",
        "kind": kind,
        "title": title,
        "words": folded(f"{title} {prompt}"),
        "media_type": "image/png" if kind == "picture" else "text/plain",
        "size": 1000 + number % 5000,
        "sha256": pictures[number % len(pictures)],
        "width": 512 if kind == "picture" else None,
        "height": 512 if kind == "picture" else None,
        "session_id": session_id,
        "match_id": match_id,
        "turn_id": turn_id,
        "reply_id": reply_id,
        "part": number,
        "model_id": chance.choice(MODELS),
        "veiled": number % 4 == 0,
        "created_at": datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number * 200),
        "deleted_at": None,
    }


def _upload(port: int) -> list[str]:
    """Upload pictures; return the SHA-256 of each."""
    chance = random.Random(3)
    made: list[str] = []
    for number in range(PICTURES):
        file = io.BytesIO()
        Image.effect_noise((320, 240), 20 + number).convert("RGB").save(file, "PNG")
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request(
            "POST",
            f"/api/library?name={chance.random()}.png",
            file.getvalue(),
            {"Content-Type": "application/octet-stream"},
        )
        made.append(msgspec.json.decode(connection.getresponse().read())["sha256"])
        connection.close()
    return made


def _asked(port: int, query: str, times: int) -> float:
    """Return the milliseconds in which 95% of the answers to a query have come."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    taken: list[float] = []
    for _ in range(times):
        begun = time.perf_counter()
        connection.request("GET", f"/api/library?{query}")
        response = connection.getresponse()
        response.read()
        if response.status != 200:
            raise RuntimeError(f"{query}: {response.status}")
        taken.append((time.perf_counter() - begun) * 1000)
    connection.close()
    return quantile(taken, 0.95)


def _scrolled(url: str) -> Row:
    path = find_chromium()
    if path is None:
        return skipped(GRID, "no Chromium here")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            tiles, longest = _longest(browser, url)
        except (Error, AssertionError) as error:
            return failed(GRID, str(error).splitlines()[0])
        finally:
            browser.close()
    if tiles < TILES:
        return failed(GRID, f"only {tiles} tiles came while it scrolled")
    return judged(GRID, f"{longest:.0f} ms", [longest], must=(50,), unit="ms")


def _longest(browser: Browser, url: str) -> tuple[int, float]:
    page: Page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{url}/library")
    expect(page.locator("[data-scroll-area] li img").first).to_be_visible(timeout=20_000)
    page.wait_for_timeout(3000)
    page.evaluate(OBSERVE)
    tiles, longest = page.evaluate(SCROLL, TILES)
    return int(tiles), float(longest)
