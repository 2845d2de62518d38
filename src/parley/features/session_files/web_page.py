"""Transcripts as a web page that opens alone: no script, no request, light and dark as the reader prefers.

What people and models wrote is read as Markdown with HTML shown as text; pictures become links, so that nothing is
loaded from elsewhere. A renderer may put its own in place of the texts as they were written, with pictures in the
page itself.
"""

from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from parley.features.session_files.transcript import Transcript, TranscriptLine, branch_title

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

RENDERED_CHARS = 200_000
"""A longer text is shown as it is: reading Markdown takes more than its length."""

NESTING = 20

READ_CHARS_S = 60
"""The pace of a replayed answer of which it is not known how long it took."""

REPLAYED_S, QUESTION_S = 12.0, 1.2
"""The seconds that a replay gives to a line: to an answer at most so many, to anything else so many."""

_STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #16181d; --quiet: #5b6270; --line: #d9dce3; --soft: #f3f4f7; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d0e11; --ink: #e8eaef; --quiet: #9aa1af; --line: #2b2f38; --soft: #17191f; }
}
body { margin: 0 auto; max-width: 46rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--ink);
  font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
article + article { margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 2rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; }
.about, section > h2 { color: var(--quiet); font-size: .875rem; }
section > h2 { font-weight: 600; margin: 2rem 0 .5rem; }
section > h2.branch { border-top: 1px solid var(--line); color: var(--ink); font-size: 1.125rem; padding-top: 2rem; }
.question h1, .answer h1, .answer h2 { font-size: 1.25rem; }
.question { background: var(--soft); border-radius: .75rem; padding: .1rem 1rem; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; overflow-x: auto;
  padding: .75rem 1rem; }
pre.plain { white-space: pre-wrap; }
code { font: .875em ui-monospace, monospace; }
table { border-collapse: collapse; display: block; overflow-x: auto; overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; }
blockquote { border-left: 3px solid var(--line); color: var(--quiet); margin-inline: 0; padding-left: 1rem; }
a { color: inherit; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; font-size: .875rem; margin-bottom: 1.5rem; }
@keyframes there { from { display: none; } }
@keyframes said { from { display: none; clip-path: inset(0 0 100% 0); } to { clip-path: inset(0); } }
#replay:target [style] { animation: said var(--for) linear var(--at) both; }
@media (prefers-reduced-motion: reduce) { #replay:target [style] { animation-name: there; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def write_html(transcripts: Sequence[Transcript], are_sources: bool = False) -> str:
    """Return one page with all transcripts. `are_sources`: texts as they were written, in `pre[data-markdown]`."""
    text = _source if are_sources else _rendered
    title = transcripts[0].title if len(transcripts) == 1 else f"{len(transcripts)} sessions"
    return _page(title, "".join(_article(each, text) for each in transcripts))


def write_shared(transcript: Transcript, copies_at: str) -> str:
    """Return a page that can be replayed, with a link to where a reader makes a copy of their own."""
    bar = (
        f'<nav><a href="#replay">Replay</a> <a href="#">Show everything</a> <a href="{escape(copies_at)}">'
        "Copy into my sessions</a></nav>\n"
    )
    return _page(
        transcript.title, f'<div id="replay">\n{bar}{_article(transcript, _rendered, _Pace())}</div>\n'
    )


def write_notice(title: str, text: str) -> str:
    """Return a page with a heading and a sentence."""
    return _page(title, f"<h1>{escape(title)}</h1>\n<p>{escape(text)}</p>\n")


def _page(title: str, body: str) -> str:
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n{body}</main>\n</body>\n</html>\n"
    )


class _Pace:
    """Gives each line its time in a replay: one after the other, answers as long as they took, up to a limit."""

    def __init__(self) -> None:
        self._at = 0.0

    def __call__(self, line: TranscriptLine) -> str:
        """Return the style of the line's section."""
        took = line.ms / 1000 if line.ms is not None else len(line.text) / READ_CHARS_S
        lasts = min(took, REPLAYED_S) if line.name else QUESTION_S
        style = f' style="--at:{self._at:.1f}s;--for:{lasts:.1f}s"'
        self._at += lasts
        return style


def _article(
    transcript: Transcript, text: Callable[[str], str], pace: Callable[[TranscriptLine], str] = lambda _: ""
) -> str:
    about = " · ".join((transcript.created_at[:10], *transcript.tags))
    lines = "".join(_section(line, text, pace(line)) for line in transcript.lines)
    for each in transcript.branches:
        rest = "".join(_section(line, text) for line in each.lines[each.shared :])
        lines += f'<section>\n<h2 class="branch">{escape(branch_title(each))}</h2>\n{rest}</section>\n'
    title, about = escape(transcript.title), escape(about)
    return f'<article>\n<h1>{title}</h1>\n<p class="about">{about}</p>\n{lines}</article>\n'


def _section(line: TranscriptLine, shown: Callable[[str], str], style: str = "") -> str:
    if line.kind == "vote":
        return f'<p class="about"{style}>{escape(line.text)}</p>\n'
    if line.kind == "rules":
        text = line.text or "None from here."
        return (
            f'<section{style}>\n<h2>System prompt</h2>\n<pre class="plain">{escape(text)}</pre>\n</section>\n'
        )
    kind = "question" if line.name is None else "answer"
    name = escape(line.name or "Question")
    return f'<section{style}>\n<h2>{name}</h2>\n<div class="{kind}">\n{shown(line.text)}</div>\n</section>\n'


def _source(text: str) -> str:
    # The first line break after the tag is none of the text's.
    return f'<pre class="plain" data-markdown>\n{escape(text)}</pre>\n'


def _rendered(text: str) -> str:
    if len(text) > RENDERED_CHARS:
        return f'<pre class="plain">{escape(text)}</pre>\n'
    return _markdown().render(text)


@cache
def _markdown() -> "MarkdownIt":
    # Slow to load, and few runs export.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING}).enable("table").disable("image")
