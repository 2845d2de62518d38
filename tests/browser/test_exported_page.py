"""A session exported by the page: formulas, colours and diagrams in one file that asks nobody and runs nothing."""

from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.screens import check_screen
from tests.browser.servers import Served
from tests.browser.test_battle import ask
from tests.fakes.upstream import ScriptedUpstream

ANSWER = r"""
Euler wrote $e^{i\pi} + 1 = 0$, and

$$
\int_0^1 x^2\,dx = \frac{1}{3}
$$

```python
def half(number: int) -> float:
    return number / 2
```

```mermaid
graph LR
  A[Ask] --> B[Answer]
```

| left | right |
|---|---:|
| ~~old~~ | [site](https://example.org/) |

<script>document.title = "run"</script> <img src="https://example.org/p.png" onerror="document.title = 'run'">
[bad](javascript:document.title='run') ![p](https://example.org/p.png)

$\href{javascript:alert(1)}{x}$ $\text{</math><script>document.title = "run"</script>}$
"""


def exporting(page: Page, session: str) -> Locator:
    """Open the dialog that exports a session, and choose a web page."""
    sidebar = page.get_by_role("complementary", name="Sessions")
    sidebar.get_by_role("button", name=f"More actions for {session}").click()
    page.get_by_role("menuitem", name="Export").click()
    dialog = page.get_by_role("dialog", name="Export 1 session")
    dialog.get_by_role("radio", name="Web page").check()
    return dialog


def export(page: Page, session: str, path: Path) -> None:
    """Save a session as a web page."""
    dialog = exporting(page, session)
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Export", exact=True).click()
    download.value.save_as(path)


def test_an_exported_page_is_rendered_and_stands_alone(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path
) -> None:
    upstream.reply(ANSWER)
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "Show all")
    expect(page.get_by_role("button", name="Copy answer").first).to_be_visible(timeout=30_000)
    path = tmp_path / "page.html"
    export(page, "Show all", path)
    alone = page.context.new_page()
    alone.context.set_offline(True)
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(path.as_uri())
    expect(alone.get_by_role("heading", name="Show all")).to_be_visible()
    assert alone.locator("math[display=block] mfrac").count() == 1
    assert alone.locator("math").count() >= 3
    assert alone.locator(".tok", has_text="def").count() > 0
    assert (
        alone.locator("figure img").evaluate("async image => (await image.decode(), image.naturalWidth)") > 50
    )
    assert (
        alone.locator("td", has_text="site").evaluate("cell => getComputedStyle(cell).textAlign") == "right"
    )
    expect(alone.get_by_text("Image: p")).to_have_attribute("href", "https://example.org/p.png")
    check_screen(alone, "exported page")
    hrefs = alone.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert all(href.startswith("https:") for href in hrefs)
    assert alone.locator("script, iframe, [onerror], [src^=http], [style*=url]").count() == 0
    assert alone.title() == "Show all"
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_the_library_gets_the_same_page_from_a_dialog_that_outlives_the_sidebar(
    connected: Served, upstream: ScriptedUpstream, new_page: NewPage, tmp_path: Path
) -> None:
    upstream.reply(ANSWER)
    page = new_page(f"{connected.url}/?mode=chat")
    ask(page, "Keep all")
    expect(page.get_by_role("button", name="Copy answer").first).to_be_visible(timeout=30_000)
    saved = tmp_path / "page.html"
    export(page, "Keep all", saved)
    dialog = exporting(page, "Keep all")
    page.set_viewport_size({"width": 390, "height": 800})
    expect(page.get_by_role("complementary", name="Sessions")).to_have_count(0)
    expect(dialog.get_by_role("radio", name="Web page")).to_be_checked()
    dialog.get_by_role("button", name="Export to library").click()
    expect(page.get_by_text("1 session exported to the library.")).to_be_visible(timeout=30_000)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{connected.url}/library")
    page.get_by_role("button", name=".html").click()
    panel = page.get_by_role("complementary", name="Asset")
    with page.expect_download() as download:
        panel.get_by_role("link", name="Download").click()
    assert download.value.path().read_text() == saved.read_text()
