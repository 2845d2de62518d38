"""A Parley whose models send hostile texts, watched in a real Chromium."""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, BrowserContext, Dialog, Error, Page, sync_playwright

from bench.processes import ROOT, Process, free_port
from prove.campaign import Skipped
from prove.hostile_markdown import Payload
from prove.trap import Trap, trapping
from tests.fakes.consortium_talk import arbiter, member
from tests.fakes.running import ModelSpec, write_models
from tests.fakes.upstream import Request, Script, ScriptedUpstream, delta, event
from tools.ensure_chromium import find_chromium

FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
LONGEST_MS = 200.0
WITHIN_MS, USABLE_MS = 60_000, 15_000
SEATED = ("ada", "bob", "cid", "judge")
MARK = re.compile(rb"#(\d+)([artc])#")
PIECE = 16_000

WATCH = """
window.__tasks = [];
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) window.__tasks.push({ startTime, duration });
}).observe({ type: "longtask", buffered: true });
"""

SETTLED = """(answers) => {
  const pending = (text) => !text.closest(".code-block")
    && text.previousElementSibling?.getAttribute("role") !== "note";
  return document.querySelector("[data-composer]") !== null
    && document.querySelectorAll("main .reading").length >= answers
    && ![...document.querySelectorAll("main .plain-text")].some(pending)
    && !document.querySelector("main .writing, main .writing-plain");
}"""

LOOK = """() => {
  const inside = [...document.querySelectorAll("body *")];
  const wrong = inside.filter((element) =>
    element.matches("main :is(script, style, object, embed, link, base, meta, video, audio, iframe, template)")
    || [...element.attributes].some(({ name }) => name.startsWith("on"))
    || (element.matches("a[href]") && !/^(https?:|mailto:|#|[/])/i.test(element.getAttribute("href")))
    || (element.matches("img[src]") && !/^(data:image[/]svg|[/])/.test(element.getAttribute("src")))
    || (element.matches("iframe") && element.getAttribute("sandbox") !== "allow-scripts"));
  return {
    pwned: window.__pwned === 1 || Object.prototype.pwned === 1,
    wrong: wrong.map((element) => element.outerHTML.slice(0, 120)),
    words: document.body.innerText.trim().length,
    longest: Math.max(0, ...window.__tasks.map(({ duration }) => duration)),
  };
}"""

PLANTED: Mapping[str, str] = {
    "markup": """new MutationObserver(() => {
      for (const text of document.querySelectorAll("main .reading:not([data-planted])")) {
        text.setAttribute("data-planted", "");
        const twin = document.createElement("div");
        twin.innerHTML = text.textContent;
        text.after(twin);
      }
    }).observe(document, { childList: true, subtree: true });""",
    "blank": """addEventListener("load", () => setTimeout(() => { document.body.innerHTML = ""; }, 800));""",
    "busy": """addEventListener("load", () => setTimeout(() => {
      for (const end = performance.now() + 2500; performance.now() < end; );
    }, 100));""",
    "loads": """addEventListener("load", () => { new Image().src = "http://192.0.2.1/planted.png"; });""",
}
"""Faults of a page: it parses an answer's HTML, loses all it shows, works for long on end, loads a picture.

Work is counted in processor time, of which a busy machine gives a page a tenth.
"""
PLANTED_MS = 4_000
"""A planted fault shows within so long of a load, on a busy machine too."""


class Speaker(ScriptedUpstream):
    """Says the payload whose number stands in the prompt, in the part that the letter names."""

    def __init__(self, said: Sequence[Payload], **options: Any) -> None:
        super().__init__(**options)
        self._said = said

    def _script_for(self, request: Request) -> Script:
        marks = MARK.findall(request.body)
        if not marks:
            return super()._script_for(request)
        number, part = int(marks[-1][0]), marks[-1][1].decode()
        text = self._said[number].text if part != "t" else "Nothing of note."
        if part == "c":
            text = (
                arbiter(text, dissent=text[:500])
                if request.model == "judge"
                else member(text, thoughts=text[:500])
            )
        pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
        steps = [
            event(delta(reasoning_content=piece) if part == "r" else delta(content=piece)) for piece in pieces
        ]
        if part == "r":
            steps.append(event(delta(content="Done.")))
        return Script((*steps, event(delta(finish="stop")), event("[DONE]")))


@dataclass
class Watched:
    """A page, and everything that happened in it that no answer may cause."""

    page: Page
    url: str
    context: BrowserContext
    trap: Trap
    problems: list[str] = field(default_factory=list)

    def planted(self, fault: str) -> "Watched":
        """Return another page on the same Parley, with a planted fault."""
        browser = self.context.browser
        assert browser
        return _new_page(browser, self.url, self.trap, PLANTED[fault])

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send a request; wait for the end of what it starts."""
        answer = self.context.request.post(f"{self.url}{path}", data=dict(body), timeout=WITHIN_MS)
        if not answer.ok:
            raise RuntimeError(f"{path} answered {answer.status}: {answer.text()[:300]}")
        return answer.json()

    def session(self, session_id: str) -> Any:
        """Return a session with everything in it."""
        return self.context.request.get(f"{self.url}/api/sessions/{session_id}", timeout=WITHIN_MS).json()

    def open(self, path: str, answers: int = 0) -> None:
        """Reload a page and wait until this many answers are laid out."""
        self.page.goto(f"{self.url}{path}", wait_until="domcontentloaded")
        self.settle(answers)

    def settle(self, answers: int = 0) -> None:
        """Wait until what is shown is laid out."""
        self.page.wait_for_function(SETTLED, arg=answers, timeout=WITHIN_MS)
        self.page.wait_for_timeout(120)

    def look(self) -> tuple[list[str], float]:
        """Return what is wrong, in words, and how long the longest task took (ms)."""
        found = self.page.evaluate(LOOK)
        wrong = [f"the page holds {element}" for element in found["wrong"]]
        if found["pwned"]:
            wrong.append("a script ran")
        if found["words"] < 40:
            wrong.append("the page is blank")
        wrong += [f"it asked for {asked[:120]}" for asked in self.trap.caught()] + self.problems
        self.problems.clear()
        return wrong, float(found["longest"])

    def busy_ms(self, show: Callable[[], None]) -> float:
        """Return the processor time of the longest task of the page's main thread while something is shown."""
        self.page.goto("about:blank")
        browser = self.context.browser
        assert browser
        browser.start_tracing(
            page=self.page, categories=["disabled-by-default-devtools.timeline", "__metadata"]
        )
        try:
            show()
        finally:
            events = msgspec.json.decode(browser.stop_tracing())["traceEvents"]
        main = {
            (event["pid"], event["tid"])
            for event in events
            if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
        }
        tasks = (
            event for event in events if event["name"] == "RunTask" and (event["pid"], event["tid"]) in main
        )
        return max((event.get("tdur", event.get("dur", 0)) / 1000 for event in tasks), default=0.0)

    def is_usable(self) -> bool:
        """Return whether a person can continue writing, after closing what is open."""
        try:
            self.page.keyboard.press("Escape")
            self.page.locator("[data-composer]").fill("Still here?", timeout=USABLE_MS)
            written = self.page.locator("[data-composer]").input_value(timeout=USABLE_MS)
            self.page.locator("[data-composer]").fill("", timeout=USABLE_MS)
        except Error:
            return False
        return written == "Still here?"


@contextmanager
def watched(folder: Path, said: list[Payload], *, named: int = 0) -> Generator[Watched]:
    """Open a page on a Parley whose models say these payloads. `named`: so many models have payloads as names.

    Battles come as fast as models say them: at the even pace a long answer takes minutes.
    """
    chromium = find_chromium()
    if chromium is None:
        raise Skipped("there is no Chromium here")
    if not (ROOT / "src" / "parley" / "web_dist" / "index.html").is_file():
        raise Skipped("the page is not built: make setup")
    speaker = Speaker.start_in_thread(said=said)
    folder.mkdir(parents=True, exist_ok=True)
    models = [ModelSpec(name, tags=("battle",) if name in ("ada", "bob") else ("x",)) for name in SEATED]
    models += [_named(number, payload) for number, payload in enumerate(said[:named])]
    path = write_models(folder / "models.json", speaker.url, models)
    port = free_port()
    command = [str(ROOT / ".venv" / "bin" / "parley"), "serve", "--no-open", "--port", str(port)]
    command += ["--data-dir", str(folder / "data"), "--models", str(path)]
    try:
        with (
            Process(command, port, folder / "parley.log", {"PARLEY_BATTLE_PACING": "natural"}),
            trapping() as trap,
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(
                executable_path=chromium, args=FLAGS, proxy={"server": trap.url, "bypass": "127.0.0.1"}
            )
            yield _new_page(browser, f"http://127.0.0.1:{port}", trap)
            browser.close()
    finally:
        speaker.stop_thread()


def _new_page(browser: Browser, url: str, trap: Trap, planted: str = "") -> Watched:
    # The browser's own guard would stop a planted fault as it stops others.
    context = browser.new_context(
        service_workers="block",
        viewport={"width": 1280, "height": 800},
        reduced_motion="reduce",
        bypass_csp=bool(planted),
    )
    context.set_default_timeout(WITHIN_MS)
    context.add_init_script(WATCH + planted)
    view = Watched(context.new_page(), url, context, trap)
    _watch(view)
    return view


def _named(number: int, payload: Payload) -> ModelSpec:
    name = (
        re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff$]", " ", payload.text)[:200].strip() or "empty"
    )
    return ModelSpec(f"named-{number}", name=name, organization=name, tags=("x",))


def _watch(view: Watched) -> None:
    page, problems = view.page, view.problems
    ours = (view.url, "data:", "blob:", "about:")

    def note(error: Error) -> None:
        ours = " in the page" if "/assets/" in (error.stack or "") else ""
        problems.append(f"an error that nobody caught{ours}: {str(error)[:200]}")

    page.on("pageerror", note)

    def dismiss(dialog: Dialog) -> None:
        problems.append("a dialog opened")
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.on("popup", lambda _: problems.append("a window opened"))
    page.on(
        "framenavigated",
        lambda frame: (
            None if frame.url.startswith(ours) else problems.append(f"it went to {frame.url[:120]}")
        ),
    )
