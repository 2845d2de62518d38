"""A person of whims before the page: writes, presses keys and clicks at random moments, and keeps count."""

import re
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import msgspec
from playwright.sync_api import Browser, Error, Frame, Page, Request, sync_playwright

from bench.processes import ROOT, Process, free_port
from prove.campaign import Skipped
from prove.hostile_page import FLAGS
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.running import ModelSpec, write_models
from tests.fakes.upstream import Pause, Script, ScriptedUpstream, delta, event
from tests.fakes.upstream import Request as Asked
from tools.ensure_chromium import find_chromium

MODES = ("battle", "chat", "consortium", "compare", "team")
SENTENCES = (
    "3 examples please",
    "no, shorter: 2 lines at most",
    "1. why? 2. how? 3. and then?",
    "let me see both / all of them",
    "4 or 5 words will do",
    "what is new in it?",
    "compare A and B, then say which",
)
SHORTCUTS = "nl/?c"
"""What a person who has just clicked elsewhere means as a command, where it comes first."""

ACTS = 18
WITHIN_MS = 20_000
FEWEST_LETTERS = 40

PLANTED = {
    "votes": """addEventListener("keydown", ({ key }) => {
      const choices = document.querySelectorAll('section[aria-label="Your vote"] button');
      if (/^[1-4]$/.test(key)) choices[Number(key) - 1]?.click();
    }, true);""",
    "wanders": """addEventListener("keydown", ({ key }) => {
      if (key === "l") document.querySelector('a[href^="/leaderboard"]')?.click();
    }, true);""",
    "loses": """let letters = 0; addEventListener("keydown", (event) => {
      if (event.key.length === 1 && ++letters % 20 === 0) event.preventDefault();
    }, true);""",
    "blank": """addEventListener("keydown", ({ key }) => {
      if (key === "Enter") setTimeout(() => document.getElementById("root").replaceChildren(), 500);
    }, true);""",
}
"""Faults of a page: digits vote wherever they are typed, a letter leads away, letters are lost, all is lost."""

KEPT = """() => [
  ...Object.values(JSON.parse(localStorage.getItem("parley.composer") || "{}").state?.drafts ?? {}),
  ...Object.values(JSON.parse(localStorage.getItem("parley.composer") || "{}").state?.sent ?? {}),
]"""
ON_BALLOT = """() => document.activeElement?.closest('section[aria-label="Your vote"]') !== null
  && document.activeElement.matches("button")"""
PLAIN = """([x, y]) => !document.elementFromPoint(x, y)?.closest(
  "a, button, input, textarea, select, summary, label, [role=button], [role=radio], [role=option], form")"""


class Talker(ScriptedUpstream):
    """Answers in a moment or two, in the form that it is asked for."""

    def __init__(self, chance: Random, **options: Any) -> None:
        super().__init__(**options)
        self._chance = chance

    def _script_for(self, request: Asked) -> Script:
        text = f"Well, {request.model} says this. " * self._chance.randint(1, 6)
        if request.model == "judge":
            text = arbiter(text)
        elif b"thought_process" in request.body:
            text = member(text)
        steps: list[Any] = []
        for start in range(0, len(text), 60):
            steps += [Pause(self._chance.uniform(0, 0.12)), event(delta(content=text[start : start + 60]))]
        return Script((*steps, event(delta(finish="stop")), event("[DONE]")))


class Person:
    """Someone at a page, who knows what they meant to do; `wrong` says what happened besides."""

    def __init__(self, page: Page, url: str, chance: Random, mode: str) -> None:
        self.page = page
        self.chance = chance
        self.wrong: list[str] = []
        self._typed: Counter[str] = Counter()
        self._sent: list[str] = []
        self._did: list[str] = []
        self._begun = self._meant_moves = self._meant_votes = self._votes = 0
        self._in_text = False
        self._tabbed = False
        self._path = "/"
        self._reloading: str | None = None
        page.on("request", self._note_request)
        page.on(
            "pageerror", lambda error: self.wrong.append(f"an error that nobody caught: {str(error)[:200]}")
        )
        page.goto(f"{url}/?mode={mode}")
        self._composer.click()
        page.on("framenavigated", self._note_move)
        self._in_text = True

    def live(self) -> None:
        """Do so many things as they come to mind, and see whether all is as it was meant."""
        whims = (
            *[self._write_and_send] * 6,
            *[self._write] * 4,
            *[self._click_somewhere] * 3,
            *[self._press] * 3,
            self._vote,
            self._use_shortcut,
            self._look_at_palette,
            self._reload,
        )
        self._write_and_send()
        for _ in range(ACTS):
            self.page.wait_for_timeout(self.chance.choice((0, 0, 20, 100, 400)))
            whim = self.chance.choice(whims)
            self._did.append(whim.__name__.strip("_"))
            whim()
            self._look()
            if self.wrong:
                return
        self.page.wait_for_timeout(200)
        self._look()
        self._count_letters()

    # ── what comes to mind ───────────────────────────────────────────────────────────────────────

    def _write(self) -> None:
        sentence = self.chance.choice(SENTENCES)
        if self._tabbed or (not self._in_text and sentence[0] in SHORTCUTS):
            self._go_to_composer()
        self._typed.update(sentence)
        self._in_text, self._tabbed = True, False
        self.page.keyboard.type(f"{sentence} ", delay=self.chance.choice((0, 0, 5, 25)))

    def _write_and_send(self) -> None:
        self._write()
        self.page.keyboard.press("Enter")

    def _click_somewhere(self) -> None:
        """Click where nothing but text or nothing at all stands."""
        at = [self.chance.uniform(290, 1260), self.chance.uniform(70, 600)]
        if self.page.evaluate(PLAIN, at):
            self.page.mouse.click(*at)
            self._in_text = self._tabbed = False

    def _press(self) -> None:
        key = self.chance.choice(("Escape", "Tab", "Shift+Tab", "PageDown", "ArrowDown", "ArrowLeft", "Home"))
        if key == "ArrowLeft" and self.page.evaluate(ON_BALLOT):
            self._meant_votes += 1
        self.page.keyboard.press(key)
        if key.endswith("Tab"):
            self._tabbed, self._in_text = True, False

    def _vote(self) -> None:
        ballot = self.page.get_by_role("region", name="Your vote").get_by_role("button")
        preferences = self.page.get_by_role(
            "button", name=re.compile("^(I prefer this|Your preference)"), disabled=False
        )
        choices = ballot if ballot.count() else preferences
        # Counted once: buttons go away while they are looked at.
        if (number := choices.count()) == 0:
            return
        before = self._votes
        self._meant_votes += 1
        try:
            choices.nth(self.chance.randrange(number)).click(timeout=1000)
        except Error:
            # On a busy machine a click may be given up on after it was made: its vote is then still on its way.
            self.page.wait_for_timeout(1000)
            if self._votes == before:
                self._meant_votes -= 1
        self._in_text = self._tabbed = False

    def _use_shortcut(self) -> None:
        """Click beside everything, and go to a new session by its key."""
        title = self.page.locator("header").first
        box = title.bounding_box()
        at = [box["x"] + box["width"] * 0.6, box["y"] + 20] if box else [0, 0]
        if not self.page.evaluate(PLAIN, at):
            return
        self.page.mouse.click(*at)
        self._meant_moves += 1
        self.page.keyboard.press("n")
        self._go_to_composer()

    def _look_at_palette(self) -> None:
        self.page.keyboard.press("Control+k")
        self.page.get_by_role("dialog", name="Command palette").get_by_role("combobox").wait_for()
        self.page.keyboard.type("ann 3")
        self.page.keyboard.press("Escape")
        self.page.get_by_role("dialog").wait_for(state="detached")
        self._in_text = True

    def _reload(self) -> None:
        self._reloading = self._path
        self.page.reload()
        self._reloading = None
        self._go_to_composer()

    # ── what is seen ─────────────────────────────────────────────────────────────────────────────

    @property
    def _composer(self) -> Any:
        return self.page.get_by_role("textbox", name="Message")

    def _go_to_composer(self) -> None:
        self._composer.click()
        self._in_text, self._tabbed = True, False

    def _note_request(self, request: Request) -> None:
        path = urlsplit(request.url).path
        if request.method == "DELETE":
            self.wrong.append(f"something was deleted: {path}")
        if request.method != "POST":
            return
        body = msgspec.json.decode(request.post_data or "{}")
        if path.endswith("/vote"):
            self._sent.append(body.get("reason") or "")
            self._votes += 1
            if self._votes > self._meant_votes:
                self.wrong.append("it voted, and nobody had meant to")
            return
        if path == "/api/sessions":
            self._begun += 1
        self._sent.append(body.get("prompt") or body.get("input", {}).get("text") or "")

    def _note_move(self, frame: Frame) -> None:
        path = urlsplit(frame.url).path
        if frame.parent_frame or path == self._path:
            return
        if path == self._reloading:
            # The page may have gone on while its reload was under way; the browser then goes back to what it reloads.
            pass
        elif path == "/" and self._meant_moves:
            self._meant_moves -= 1
        elif self._path == "/" and path.startswith("/s/") and self._begun:
            self._begun -= 1
        else:
            self.wrong.append(f"it went from {self._path[:3]} to {path[:20]}, and nobody had meant to")
        self._path = path

    def _look(self) -> None:
        if len(self.page.locator("body").inner_text()) < FEWEST_LETTERS:
            self.wrong.append("the page is blank")
        elif self.page.locator("[data-composer], [data-awaits-composer]").count() == 0:
            self.wrong.append("there is no composer")

    def _count_letters(self) -> None:
        """Every letter that was typed was sent, or still stands in a draft."""
        found: Counter[str] = Counter("".join([*self._sent, *self.page.evaluate(KEPT)]))
        lost = {letter: count for letter, count in (self._typed - found).items() if letter.strip()}
        if lost:
            letters = "".join(letter * count for letter, count in lost.items())
            self.wrong.append(
                f"{len(letters)} of {self._typed.total()} typed characters are lost ({letters[:40]}) "
                f"after {', '.join(self._did)}"
            )


@contextmanager
def at_the_page(folder: Path, chance: Random) -> Generator[tuple[Browser, str]]:
    """Run a Parley whose models answer at once, and a Chromium."""
    chromium = find_chromium()
    if chromium is None:
        raise Skipped("there is no Chromium here")
    if not (ROOT / "src" / "parley" / "web_dist" / "index.html").is_file():
        raise Skipped("the page is not built: make setup")
    talker = Talker.start_in_thread(chance=chance)
    folder.mkdir(parents=True, exist_ok=True)
    models = [
        ModelSpec("ada", tags=("battle",)),
        ModelSpec("bob", tags=("battle",)),
        ModelSpec("judge", tags=("x",)),
    ]
    path = write_models(folder / "models.json", talker.url, models)
    port = free_port()
    command = [str(ROOT / ".venv" / "bin" / "parley"), "serve", "--no-open", "--port", str(port)]
    command += ["--data-dir", str(folder / "data"), "--models", str(path)]
    try:
        with (
            Process(command, port, folder / "parley.log", {"PARLEY_BATTLE_PACING": "natural"}),
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            yield browser, f"http://127.0.0.1:{port}"
            browser.close()
    finally:
        talker.stop_thread()


def one_sitting(browser: Browser, url: str, chance: Random, mode: str, planted: str = "") -> list[str]:
    """Return what went wrong while a person of whims sat at the page, in words."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(WITHIN_MS)
    if planted:
        context.add_init_script(PLANTED[planted])
    person: Person | None = None
    try:
        person = Person(context.new_page(), url, chance, mode)
        person.live()
    except Error as error:
        return [*(person.wrong if person else []), str(error).splitlines()[0]]
    finally:
        context.close()
    return person.wrong
