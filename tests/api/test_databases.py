"""What is seen does not depend on the database: texts, times, order and search."""

import asyncio
from datetime import datetime
from typing import Any

from tests.fakes.databases import ON_EVERY_KIND
from tests.fakes.running import RunningParley

pytestmark = ON_EVERY_KIND

TITLES = [
    "Zebra",
    "apple",
    "Äpfel",
    "äpfel 2",
    "éclair",
    "Eclair",
    "_under",
    "10",
    "9",
    "中文",
    "🙂",
    "İstanbul",
    "straße",
]


async def listed(parley: RunningParley, **asked: Any) -> list[str]:
    """Return the titles of all pages."""
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = await parley.get("/api/sessions", params={**asked, **({"cursor": cursor} if cursor else {})})
        seen += [card["title"] for card in page["sessions"]]
        if (cursor := page["next_cursor"]) is None:
            return seen


async def test_pages_of_one_session_each_show_every_title_once_and_the_latest_first(
    parley: RunningParley,
) -> None:
    for title in TITLES:
        await parley.chat(title)
    assert await listed(parley, limit=1) == TITLES[::-1]
    assert await listed(parley, limit=5) == TITLES[::-1]


async def test_sessions_of_one_moment_are_each_on_one_page(parley: RunningParley) -> None:
    await asyncio.gather(*(parley.chat(f"{number}") for number in range(12)))
    for limit in (1, 5, 12):
        assert sorted(await listed(parley, limit=limit), key=int) == [f"{number}" for number in range(12)]


FOUND: dict[str, list[str]] = {
    "APPLE": ["apple"],
    "zEb": ["Zebra"],
    "%": [],
    "_": ["_under"],
    "\\": [],
    "中": ["中文"],
    "🙂": ["🙂"],
    "äpfel": ["Äpfel", "äpfel 2"],
    "ÄPFEL": ["Äpfel", "äpfel 2"],
    "ÉCLAIR": ["éclair"],
    "Straße": ["straße"],
}


async def test_search_does_not_mind_case_in_any_language(parley: RunningParley) -> None:
    for title in TITLES:
        await parley.chat(title)
    titles = {search: sorted(await listed(parley, search=search)) for search in FOUND}
    assert titles == {search: sorted(titles) for search, titles in FOUND.items()}


ODD_TEXTS = (
    "nul\x00nul",
    "\x00",
    "\ud800",
    "tab\tline\nreturn\r",
    "\u2028",
    "\ufeffbom",
    "a\u0300",
    "\U0010ffff",
)


async def test_a_prompt_is_kept_letter_by_letter_where_it_can_be(parley: RunningParley) -> None:
    for text in ODD_TEXTS:
        answer = await parley.client.post(
            "/api/sessions",
            content=b'{"prompt": "x %s", "mode": "chat", "seats": {"assistant": "ada"}}'
            % "".join(
                f"\\u{ord(unit):04x}" if ord(unit) < 0x10000 else "\\udbff\\udfff" for unit in text
            ).encode(),
            headers={"Content-Type": "application/json"},
        )
        assert answer.status_code == 200, answer.text
        view = await parley.get(f"/api/sessions/{answer.json()['session_id']}")
        kept = view["matches"][0]["turns"][0]["input"]["text"]
        assert kept.rstrip() == f"x {text}".replace("\x00", "\ufffd").replace("\ud800", "\ufffd").rstrip()


async def test_times_are_in_utc_and_in_order(parley: RunningParley) -> None:
    made = [(await parley.chat(f"{number}"))["session_id"] for number in range(3)]
    cards = {card["id"]: card for card in (await parley.get("/api/sessions"))["sessions"]}
    times = [cards[session_id]["created_at"] for session_id in made]
    moments = [datetime.fromisoformat(time) for time in times]
    assert moments == sorted(moments)
    assert {moment.utcoffset() for moment in moments} == {moments[0].utcoffset()}
    assert all(time.endswith(("Z", "+00:00")) for time in times)
