"""Hostile pages, drawings and scripts in the frame for what models make: no request leaves it."""

import contextlib
import socket
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import msgspec
import pytest
from playwright.sync_api import Browser, Page

from parley.api.page import SANDBOX_HEADERS
from tests.browser.servers import Served

AT_ONCE = 60
SETTLED_MS = 2_500

REQUESTS = (
    '<img src="{u}">',
    '<img srcset="{u} 1x">',
    '<link rel=stylesheet href="{u}">',
    '<link rel=preload as=image href="{u}">',
    '<link rel=prefetch href="{u}">',
    '<link rel=icon href="{u}">',
    '<script src="{u}"></script>',
    '<script type=module src="{u}"></script>',
    '<iframe src="{u}"></iframe>',
    '<object data="{u}"></object>',
    '<embed src="{u}">',
    '<video src="{u}" autoplay></video>',
    '<audio src="{u}" autoplay></audio>',
    '<video poster="{u}"></video>',
    '<body background="{u}">',
    "<style>@import '{u}';</style>",
    "<style>*{{background:url({u})}}</style>",
    "<style>@font-face{{font-family:x;src:url({u})}}*{{font-family:x}}</style>x",
    '<meta http-equiv=refresh content="0;url={u}">',
    '<base href="{u}/"><img src=a>',
    '<form action="{u}" method=post id=f></form><script>f.submit()</script>',
    '<form action="{u}" id=g></form><script>g.requestSubmit()</script>',
    '<a href="{u}" id=a>x</a><script>a.click()</script>',
    '<a href="{u}" target=_top id=t>x</a><script>t.click()</script>',
    '<a href="{u}" ping="{u}" id=p>x</a><script>p.click()</script>',
    "<script>fetch('{u}')</script>",
    "<script>fetch('{u}',{{mode:'no-cors',credentials:'include'}})</script>",
    "<script>x=new XMLHttpRequest;x.open('GET','{u}');x.send()</script>",
    "<script>navigator.sendBeacon('{u}','x')</script>",
    "<script>new Image().src='{u}'</script>",
    "<script>new EventSource('{u}')</script>",
    "<script>new WebSocket('{u}'.replace('http','ws'))</script>",
    "<script>location='{u}'</script>",
    "<script>location.replace('{u}')</script>",
    "<script>parent.location='{u}'</script>",
    "<script>top.location='{u}'</script>",
    "<script>window.open('{u}')</script>",
    "<script>import('{u}')</script>",
    "<script>new Worker('{u}')</script>",
    "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('{u}')\"])))</script>",
    "<script>new Worker(\"data:text/javascript,fetch('{u}')\")</script>",
    "<script>navigator.serviceWorker.register('{u}')</script>",
    "<script>eval(\"fetch('{u}')\")</script>",
    "<script>setTimeout(\"fetch('{u}')\")</script>",
    "<iframe srcdoc=\"<img src='{u}'><script>fetch('{u}')</script>\"></iframe>",
    "<iframe src=\"data:text/html,<script>fetch('{u}')</script>\"></iframe>",
    "<iframe src=\"javascript:fetch('{u}')\"></iframe>",
    "<script>f=document.createElement('iframe');document.body.append(f);f.contentWindow.fetch('{u}')</script>",
    "<script>document.write('<img src=\"{u}\">')</script>",
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="{u}"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><use href="{u}#a"/></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="fetch(\'{u}\')"></svg>',
    '<svg xmlns="http://www.w3.org/2000/svg"><script href="{u}"></script></svg>',
    "<svg><foreignObject><body><script>fetch('{u}')</script></body></foreignObject></svg>",
    '<svg><a href="{u}"><animate attributeName=href values="{u}"/></a><feImage href="{u}"/></svg>',
    "<svg><style>*{{fill:url({u}#a)}}</style><rect width=9 height=9 /></svg>",
    "<img src=x onerror=\"fetch('{u}')\">",
    "<details open ontoggle=\"fetch('{u}')\">x</details>",
    "<input autofocus onfocus=\"fetch('{u}')\">",
    '<math href="{u}"><mi>x</mi></math><table background="{u}"><tr><td>x</table>',
)
"""Ways of sending a request to {u}."""

WRAPPED = (
    "{it}",
    "<!doctype html><html><head><title>x</title></head><body>{it}</body></html>",
    '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e "x">]>{it}',
    "GIF89a/*{it}*/=1;",
    "{it}" + "<div>" * 3_000 + "x",
)
"""Forms of a file: a part, a page, a document with entities, a picture as well, and a bomb."""

READS = """<script>
const shown = [];
for (const read of [() => document.cookie, () => localStorage.length, () => sessionStorage.length,
  () => indexedDB.open("x"), () => parent.document, () => top.document.title, () => parent.parent.localStorage,
  () => caches.keys])
  try { read(); shown.push(String(read)); } catch {}
top.postMessage({ read: shown, origin: self.origin }, "*");
</script>"""
"""Tells the page what could be read of it."""


class Canary:
    """A server that counts what reaches it, and serves a page where anything may run."""

    def __init__(self) -> None:
        self.reached: set[str] = set()
        canary = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path.startswith("/hit"):
                    canary.reached.add(self.path.split("/")[2])
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                self.wfile.write(b"<!doctype html><body>")

            do_POST = do_GET  # noqa: N815

            def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def canary() -> Generator[Canary]:
    canary = Canary()
    yield canary
    canary.server.shutdown()
    canary.server.server_close()


def files(target: str) -> list[str]:
    """Return 300 hostile files; each has its number in the address that it asks for."""
    both = ((way, form) for form in WRAPPED for way in REQUESTS)
    return [form.format(it=way.format(u=f"{target}/{number}/x")) for number, (way, form) in enumerate(both)]


SHOW = """async ([files, sandboxed, settled]) => {
  const frames = files.map((html) => {
    const frame = document.createElement("iframe");
    if (sandboxed) {
      frame.sandbox = "allow-scripts";
      frame.src = "/sandbox.html";
      addEventListener("message", function tell(event) {
        if (event.source !== frame.contentWindow || event.data !== "ready") return;
        removeEventListener("message", tell);
        frame.contentWindow.postMessage(html, "*");
      });
    } else frame.srcdoc = html;
    document.body.append(frame);
    return frame;
  });
  await new Promise((done) => setTimeout(done, settled));
  for (const frame of frames) frame.remove();
}"""


def show(page: Page, hostile: list[str], *, sandboxed: bool) -> None:
    for start in range(0, len(hostile), AT_ONCE):
        page.evaluate(SHOW, [hostile[start : start + AT_ONCE], sandboxed, SETTLED_MS])


@pytest.mark.timeout(180)
@pytest.mark.slow
def test_no_hostile_file_sends_a_request_or_reaches_our_origin(
    demo: Served, browser: Browser, canary: Canary
) -> None:
    page = browser.new_page()
    page.goto(f"{demo.url}/library")
    ours: list[str] = []
    page.on("request", lambda request: ours.append(request.url) if "/hit/" in request.url else None)
    answered: list[str] = []
    page.on("response", lambda response: answered.append(response.url) if "/hit/" in response.url else None)
    assert len(files("")) == 300
    show(page, files(f"{canary.url}/hit"), sandboxed=True)
    assert canary.reached == set()
    show(page, files(f"{demo.url}/hit"), sandboxed=True)
    assert answered == []
    assert page.url.startswith(demo.url), "the page stays"
    assert len(page.context.pages) == 1, "no window opens"
    page.close()


@pytest.mark.timeout(120)
def test_the_same_files_do_send_requests_where_they_may(browser: Browser, canary: Canary) -> None:
    """The positive control: without the frame most of them reach the server."""
    context = browser.new_context()
    page = context.new_page()
    # Those that leave the page would end the control.
    staying = [file for file in files(f"{canary.url}/hit") if "top" not in file and "parent." not in file]
    for start in range(0, len(staying), 20):
        page.goto(canary.url)
        page.evaluate(SHOW, [staying[start : start + 20], False, 700])
    assert len(canary.reached) > 150
    context.close()


def test_what_runs_in_the_frame_has_no_origin_and_reads_nothing(demo: Served, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{demo.url}/library")
    page.evaluate("() => addEventListener('message', ({ data }) => { if (data.read) window.shown = data; })")
    page.evaluate(SHOW, [[READS], True, 0])
    page.evaluate(SHOW, [[READS], True, SETTLED_MS])
    shown = page.evaluate("window.shown")
    assert shown == {"read": [], "origin": "null"}
    headers = page.request.get(f"{demo.url}/sandbox.html").headers
    assert headers["content-security-policy"] == SANDBOX_HEADERS["Content-Security-Policy"]
    page.close()


CALLS = """(async () => {
  const call = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:PORT" }] });
  call.createDataChannel("x");
  await call.setLocalDescription(await call.createOffer());
})()"""
"""Sends a packet past any policy."""

CALLING = (
    "<script>{it}</script>",
    '<iframe srcdoc="<script>{quoted}</script>"></iframe>',
    "<IFRAME/SRCDOC='<iframe srcdoc=\"<script>{twice}</script>\">'></IFRAME>",
    '<svg><foreignObject><iframe srcdoc="<script>{quoted}</script>"></iframe></foreignObject></svg>',
    "<script>f=document.createElement('iframe');f.srcdoc={page};{add}</script>",
    (
        "<script>f=document.createElement('iframe');a=document.createAttribute('srcdoc');f.setAttributeNode(a);"
        "a.value={page};{add}</script>"
    ),
    "<script>f=new Document().createElementNS('http://www.w3.org/1999/xhtml','iframe');f.srcdoc={page};{add}</script>",
    "<script>f=document.createElement('iframe');f.src='javascript:'+JSON.stringify({page});{add}</script>",
    "<script>for(const c of {framed})document.write(c)</script>",
    (
        "<body><script>String.prototype.replace=function(){{return this}};RegExp.prototype.exec=()=>null;"
        "document.body.insertAdjacentHTML('beforeend',{framed})</script>"
    ),
)
"""Ways to a window that has WebRTC: this one, and those of frames that are parsed, built or written."""


def calling(port: int) -> list[str]:
    it = CALLS.replace("PORT", str(port))
    page = msgspec.json.encode(f"<script>{it}</script>").decode().replace("</", "<\\/")
    parts = {
        "it": it,
        "quoted": it.replace('"', "&quot;"),
        "twice": it.replace('"', "&amp;quot;"),
        "page": page,
        "framed": f"""'<ifr'+'ame srcdoc="'+{page}.replaceAll('"','&quot;')+'"></ifr'+'ame>'""",
        "add": "document.documentElement.append(f)",
    }
    return [way.format(**parts) for way in CALLING]


@pytest.mark.timeout(120)
def test_no_frame_within_the_frame_calls_out_past_the_policy(demo: Served, browser: Browser) -> None:
    """WebRTC obeys no policy of content: whoever could open a frame further in would reach any address."""
    page = browser.new_page()
    page.goto(f"{demo.url}/library")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as canary:
        canary.bind(("127.0.0.1", 0))
        canary.setblocking(False)
        hostile = calling(canary.getsockname()[1])
        show(page, hostile, sandboxed=True)
        with pytest.raises(BlockingIOError):
            canary.recv(2000)
        # The positive control: anywhere else it arrives.
        page.goto("about:blank")
        for number, way in enumerate(hostile):
            page.evaluate(SHOW, [[way], False, 1_000])
            try:
                canary.recv(2000)
            except BlockingIOError:
                pytest.fail(f"way {number} would not call out anywhere")
            with contextlib.suppress(BlockingIOError):
                while canary.recv(2000):
                    pass
    page.close()


WORKS = """<button onclick="document.body.insertAdjacentHTML('beforeend', '<p id=done>Done</p>')">Go</button>
<script>const made = document.createElement("script"); made.text = "document.title = 'ran'"; document.body.append(made);
document.querySelector("button").click();
top.postMessage({ works: [document.title, document.getElementById("done")?.textContent] }, "*");</script>"""


def test_an_ordinary_page_works_in_the_frame(demo: Served, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{demo.url}/library")
    page.evaluate(
        "() => addEventListener('message', ({ data }) => { if (data.works) window.works = data.works; })"
    )
    page.evaluate(SHOW, [[WORKS], True, 0])
    page.evaluate(SHOW, [[WORKS], True, SETTLED_MS])
    assert page.evaluate("window.works") == ["ran", "Done"]
    page.close()
