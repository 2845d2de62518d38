"""Hostile files, uploaded and opened, and said by models and previewed: nothing runs with the page's rights."""

import re
import time
from collections.abc import Sequence

from playwright.sync_api import Error, Route

from prove.campaign import Batch, Campaign, Tally
from prove.hostile_files import HostileFile, hostile_files
from prove.hostile_markdown import Payload
from prove.hostile_page import Watched, watched

FILES = hostile_files()
SETTLED_MS = 400
LONGEST_UPLOAD_S = 60.0
TOGETHER = 6

OF_THE_FRAME = re.compile(
    r'an error that nobody caught:|it went to chrome-error:|the page holds <iframe [^>]*sandbox="allow-scripts"'
)
"""The frame of a preview; in it a script complains that it may not do what it tries, and stays where it is."""
READS = "Object.keys(localStorage).filter((name) => name.startsWith('read-'))"
KEEPS = """() => { localStorage.setItem('canary', 'kept'); document.cookie = 'canary=kept'; }"""


class HostileFiles:
    name = "hostile-files"
    guarantee = (
        "No file that is uploaded and opened, or that a model says and a person previews, asks for an address, runs "
        "with the page's rights or reads what it keeps; none that is large once unpacked is unpacked."
    )
    trials = len(FILES)
    batch = 60
    sample = 2

    def run(self, batch: Batch) -> Tally:
        return _attack(batch, _chosen(batch))

    def control(self, batch: Batch) -> Tally:
        """Serve uploads as pages: what they ask for and read must be caught."""
        with watched(batch.folder / "control", []) as view:
            view.page.route(re.compile("/api/library/.*/content"), _as_page)
            view.page.goto(f"{view.url}/library")
            view.page.evaluate(KEEPS)
            tally = Tally(trials=1)
            tally.failures += _opened(view, FILES[0])
            return tally

    def summary(self, tally: Tally) -> str:
        slowest = max(tally.figures.get("upload_s", [0.0]))
        bombs = sum(file.bomb for file in FILES)
        return f"{bombs} of them bombs, the slowest of all refused or stored in {slowest:.1f} s"


def _chosen(batch: Batch) -> list[int]:
    """Return the numbers of a batch's files; a sample takes them from all over the list."""
    if batch.count < HostileFiles.batch and batch.first + batch.count < len(FILES):
        spread = len(FILES) // batch.count
        return [(batch.first + trial) * spread % len(FILES) for trial in range(batch.count)]
    return list(range(batch.first, min(batch.first + batch.count, len(FILES))))


def _attack(batch: Batch, numbers: Sequence[int]) -> Tally:
    tally = Tally()
    texts = [FILES[number].text or "" for number in numbers]
    said = [Payload("file", text) for text in texts]
    said += [Payload("code", f"```html\n{text}\n```") for text in texts]
    with watched(batch.folder / f"{batch.first}", said) as view:
        view.page.goto(f"{view.url}/library")
        view.page.evaluate(KEEPS)
        for number in numbers:
            begun = time.monotonic()
            tally.failures += _opened(view, FILES[number])
            tally.note("upload_s", time.monotonic() - begun)
            tally.trials += 1
            batch.step()
        spoken = [at for at, number in enumerate(numbers) if FILES[number].text]
        for start in range(0, len(spoken), TOGETHER):
            group = spoken[start : start + TOGETHER]
            names = ", ".join(FILES[numbers[at]].name for at in group)
            tally.failures += _said(view, group, f"said: {names}")
            tally.failures += _said(view, [at + len(numbers) for at in group], f"previewed: {names}")
    return tally


def _opened(view: Watched, file: HostileFile) -> list[str]:
    """Upload a file, look at it in the library, and go to its address."""
    begun = time.monotonic()
    answer = view.context.request.post(
        f"{view.url}/api/library?name=x.html",
        data=file.data,
        headers={"Content-Type": "application/octet-stream"},
        timeout=LONGEST_UPLOAD_S * 1000,
    )
    found = [f"answered {answer.status}"] if answer.status >= 500 else []
    if file.bomb and time.monotonic() - begun > LONGEST_UPLOAD_S / 2:
        found.append("kept the server busy")
    if answer.ok:
        asset = answer.json()["id"]
        view.page.goto(f"{view.url}/library?open={asset}")
        view.page.get_by_role("complementary", name="Asset").get_by_role("button").first.wait_for()
        _preview(view)
        try:
            view.page.goto(f"{view.url}/api/library/{asset}/content")
            view.page.wait_for_timeout(SETTLED_MS)
        except Error as error:
            if "Download is starting" not in str(error) and "ERR_ABORTED" not in str(error):
                found.append(str(error).splitlines()[0])
    return [f"opened: {file.name}: {each}" for each in (*found, *_caught(view))]


def _said(view: Watched, numbers: Sequence[int], what: str) -> list[str]:
    """Have a model say files, one in each turn, and press each preview."""
    first = {"mode": "chat", "prompt": f"Say it #{numbers[0]}a#", "seats": {"assistant": "ada"}}
    begun = view.post("/api/sessions", first)
    for number in numbers[1:]:
        turn = {"input": {"type": "prompt", "text": f"Say it #{number}a#"}}
        view.post(f"/api/matches/{begun['match_id']}/turns", turn)
    view.open(f"/s/{begun['session_id']}", len(numbers))
    _preview(view)
    wrong, _ = view.look()
    wrong = [each for each in wrong if not OF_THE_FRAME.match(each)]
    return [f"{what}: {each}" for each in (*wrong, *_caught(view))]


def _preview(view: Watched) -> None:
    for button in view.page.get_by_role("button", name="Preview", exact=True).all():
        button.click()
    view.page.wait_for_timeout(SETTLED_MS)


def _caught(view: Watched) -> list[str]:
    """Return what a file has asked for, read or opened, in words; forget it."""
    wrong = [f"it asked for {asked[:120]}" for asked in view.trap.caught()] + view.problems
    wrong = [each for each in wrong if not OF_THE_FRAME.match(each)]
    view.problems.clear()
    if not view.page.url.startswith(view.url):
        wrong.append(f"it led to {view.page.url[:120]}")
    view.page.goto(f"{view.url}/library")
    reads = view.page.evaluate(READS)
    if reads:
        wrong.append(f"it wrote into what the page keeps: {reads}")
        view.page.evaluate("for (const name of Object.keys(localStorage)) localStorage.removeItem(name)")
    return wrong


def _as_page(route: Route) -> None:
    """Serve a file as no Parley does: as a page, without a policy."""
    route.fulfill(body=route.fetch().body(), content_type="text/html")


CAMPAIGNS: list[Campaign] = [HostileFiles()]
