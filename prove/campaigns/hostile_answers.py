"""Hostile texts at every place of the page that shows other people's texts."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count, groupby, islice

from playwright.sync_api import Error

from prove.campaign import Batch, Campaign, Tally, share
from prove.hostile_markdown import payloads
from prove.hostile_page import LONGEST_MS, PLANTED, PLANTED_MS, Watched, watched

PAYLOADS = payloads()
SMALL = [number for number, payload in enumerate(PAYLOADS) if not payload.big]
BIG = [number for number, payload in enumerate(PAYLOADS) if payload.big]
SEATS = {"arbiter": "judge", "a": "ada", "b": "bob"}
NAMED = 120
TRIED = count()
TRIES = 3
"""A task is too long if it is so each time."""

Show = Callable[[Watched, Sequence[int]], None]


@dataclass(frozen=True)
class Place:
    """Where texts of others stand: how they are brought there, and how many at a time."""

    name: str
    show: Show
    numbers: Sequence[int]
    together: int = 1


def _chat(view: Watched, numbers: Sequence[int], part: str = "a", prompt: str = "Say it") -> str:
    """Have a model send payloads, one per turn; return the session's path."""
    first = {"mode": "chat", "prompt": f"{prompt} #{numbers[0]}{part}#", "seats": {"assistant": "ada"}}
    begun = view.post("/api/sessions", first)
    for number in numbers[1:]:
        said = {"input": {"type": "prompt", "text": f"{prompt} #{number}{part}#"}}
        view.post(f"/api/matches/{begun['match_id']}/turns", said)
    return f"/s/{begun['session_id']}"


def stored_answer(view: Watched, numbers: Sequence[int]) -> None:
    view.open(_chat(view, numbers), len(numbers))


def thought(view: Watched, numbers: Sequence[int]) -> None:
    view.open(_chat(view, numbers, "r"), len(numbers))
    for fold in view.page.get_by_role("button", name=re.compile("^Thought")).all():
        fold.click()
    view.settle(2 * len(numbers))


def live_answer(view: Watched, numbers: Sequence[int]) -> None:
    view.open("/?mode=chat")
    for turn, number in enumerate(numbers, 1):
        _ask(view, f"Say it #{number}a#")
        view.page.wait_for_function(ANSWERED, arg=turn)
        view.settle(turn)


def _shown(number: int) -> int:
    """Return how many answers there are to wait for: who says nothing but blanks has not answered."""
    return 1 if PAYLOADS[number].text.strip() else 0


def live_battle(view: Watched, numbers: Sequence[int]) -> None:
    for number in numbers:
        view.open("/?mode=battle")
        _ask(view, f"Say it #{number}a#")
        view.page.wait_for_function(ENDED)
        view.settle(_shown(number))


def consortium(view: Watched, numbers: Sequence[int]) -> None:
    for number in numbers:
        brief = {"max_iterations": 1}
        asked = {"mode": "consortium", "prompt": f"Say it #{number}c#", "seats": SEATS, "brief": brief}
        begun = view.post("/api/sessions", asked)
        view.open(f"/s/{begun['session_id']}", _shown(number))


def prompt(view: Watched, numbers: Sequence[int]) -> None:
    for number in numbers:
        view.open(_chat(view, [number], "t", _line(number, 20_000)), 1)


def titles(view: Watched, numbers: Sequence[int]) -> None:
    for number in numbers:
        _chat(view, [number], "t", _line(number, 200))
    view.open("/")
    view.page.get_by_role("navigation").first.wait_for()
    search = view.page.get_by_role("searchbox").or_(
        view.page.get_by_placeholder(re.compile("Search", re.IGNORECASE))
    )
    if search.count():
        search.first.fill("a")
    view.page.keyboard.press("Control+k")
    view.settle()
    view.page.keyboard.press("Escape")


def reason(view: Watched, numbers: Sequence[int]) -> None:
    for number in numbers:
        begun = view.post(
            "/api/sessions", {"mode": "battle", "prompt": f"{_line(number, 1_000)} #{number}a#"}
        )
        vote = {"vote": "tie", "reason": PAYLOADS[number].text.replace("\0", "")[:1_900]}
        view.post(f"/api/matches/{begun['match_id']}/vote", vote)
    view.page.goto(f"{view.url}/votes")
    view.page.get_by_role("listitem").first.wait_for()


def presets(view: Watched, numbers: Sequence[int]) -> None:
    for number in numbers:
        # A name of its own each time: a group that is tried again finds the names of the first try.
        name = f"{next(TRIED)} {_line(number, 60)}"
        body = {"mode": "consortium", "name": name, "seats": SEATS, "brief": {}}
        view.post("/api/presets", {**body, "description": _line(number, 1_000)})
    view.open("/?mode=consortium")
    view.page.get_by_role("button", name="Saved consortia").click()
    saved = view.page.get_by_role("dialog").get_by_role("listitem")
    saved.nth(len(numbers) - 1).wait_for()


def models(view: Watched, numbers: Sequence[int]) -> None:
    view.page.goto(f"{view.url}/models")
    view.page.get_by_text("Ada Labs").first.wait_for()
    for number in numbers[:1]:
        view.page.goto(f"{view.url}/models/named-{number}")
        view.page.get_by_role("heading").first.wait_for()
    view.open("/?mode=chat")
    view.page.get_by_role("button", name=re.compile("^Model")).first.click()
    view.page.get_by_role("option").first.wait_for()


ANSWERED = """(turns) => document.querySelectorAll("main article").length >= turns
  && ![...document.querySelectorAll("button")].some((button) => button.textContent.trim() === "Stop")
  && !document.querySelector("main .writing, main .writing-plain")"""
ENDED = """() => [...document.querySelectorAll("main button")].some(
  (button) => /Both are bad|Retry|Draw again/.test(button.textContent))"""


def _ask(view: Watched, text: str) -> None:
    view.page.get_by_role("textbox", name="Message").fill(text)
    view.page.get_by_role("button", name="Send", exact=True).click()


def _line(number: int, most: int) -> str:
    text = PAYLOADS[number].text.replace("\0", "")
    return text.encode("utf-8", "ignore").decode()[:most].strip() or "empty"


PLACES = (
    Place("stored answer", stored_answer, SMALL, 8),
    Place("stored answer", stored_answer, BIG),
    Place("live answer", live_answer, SMALL, 6),
    Place("live answer", live_answer, BIG),
    Place("battle", live_battle, [*SMALL, *BIG]),
    Place("thought", thought, SMALL, 8),
    Place("thought", thought, BIG),
    Place("member and synthesis", consortium, [*SMALL, *BIG]),
    Place("prompt", prompt, [*SMALL, *BIG]),
    Place("title and search", titles, SMALL, 40),
    Place("reason of a vote", reason, SMALL, 30),
    Place("name of a preset", presets, SMALL, 40),
    Place("name of a model", models, SMALL[:NAMED], 40),
)
PAIRS = [(place, number) for place in PLACES for number in place.numbers]


class HostileAnswers:
    name = "hostile-answers"
    guarantee = (
        "No text of others, wherever it stands, runs a script, loads anything, blanks the page, makes it unusable, "
        f"or keeps it busy for more than {LONGEST_MS:.0f} ms at a time."
    )
    trials = len(PAIRS)
    batch = 300
    sample = 4

    def run(self, batch: Batch) -> Tally:
        return _attack(batch, _pairs(batch))

    def control(self, batch: Batch) -> Tally:
        """Plant each fault; if one of them is missed, return no failure."""
        [(place, number)], total = _pairs(batch)[:1], Tally()
        with watched(batch.folder, PAYLOADS) as view:
            for fault in PLANTED:
                tally = Tally(trials=1)
                _try(view.planted(fault), place, [number], tally, PLANTED_MS)
                if not tally.failures:
                    return Tally(trials=total.trials)
                total.add(tally)
        return total

    def summary(self, tally: Tally) -> str:
        tasks = tally.figures.get("longest_ms", [])
        return (
            f"{len(PAYLOADS)} texts at {len({place.name for place in PLACES})} places in Chromium; the longest task of "
            f"a page: {share(tasks, 0.5):.0f} ms (median), {share(tasks, 1.0):.0f} ms (all)"
        )


def _pairs(batch: Batch) -> list[tuple[Place, int]]:
    """Return a batch's pairs; a sample takes them from all over the list."""
    if batch.count < HostileAnswers.batch and batch.count + batch.first < HostileAnswers.trials:
        spread = len(PAIRS) // batch.count
        return [PAIRS[(batch.first + trial) * spread % len(PAIRS)] for trial in range(batch.count)]
    return list(islice(PAIRS, batch.first, batch.first + batch.count))


def _attack(batch: Batch, pairs: Sequence[tuple[Place, int]]) -> Tally:
    tally = Tally()
    named = NAMED if any(place.show is models for place, _ in pairs) else 0
    with watched(batch.folder / f"{batch.first}", PAYLOADS, named=named) as view:
        for place, numbers in _together(pairs):
            _try(view, place, numbers, tally)
            tally.trials += len(numbers)
            for _ in numbers:
                batch.step()
    return tally


def _together(pairs: Sequence[tuple[Place, int]]) -> Iterator[tuple[Place, list[int]]]:
    for place, group in groupby(pairs, key=lambda pair: pair[0]):
        numbers = [number for _, number in group]
        for start in range(0, len(numbers), place.together):
            yield place, numbers[start : start + place.together]


def _try(view: Watched, place: Place, numbers: Sequence[int], tally: Tally, settle_ms: int = 0) -> None:
    longest = 0.0
    names = f"{place.name}: {', '.join(PAYLOADS[number].name for number in numbers)}"
    for attempt in range(TRIES):
        try:
            # A busy machine lengthens tasks: one that seems too long is tried again by processor time.
            show = partial(_show, view, place, numbers, settle_ms)
            busy = view.busy_ms(show) if attempt else 0.0
            if not attempt:
                show()
            wrong, longest = view.look()
        except (Error, RuntimeError) as error:
            wrong, busy, longest = [str(error).splitlines()[0], *view.problems], 0.0, 0.0
            view.problems.clear()
        if not wrong and place.show is not reason and not view.is_usable():
            wrong = ["nobody can go on writing"]
        if wrong:
            tally.failures += [f"{names}: {each}" for each in wrong]
            return
        longest = busy if attempt else longest
        if longest <= LONGEST_MS:
            break
    tally.note("longest_ms", longest)
    if longest > LONGEST_MS:
        tally.failures.append(f"{names}: busy for {longest:.0f} ms at a time")


def _show(view: Watched, place: Place, numbers: Sequence[int], settle_ms: int) -> None:
    place.show(view, numbers)
    if settle_ms:
        view.page.wait_for_timeout(settle_ms)


CAMPAIGNS: list[Campaign] = [HostileAnswers()]
