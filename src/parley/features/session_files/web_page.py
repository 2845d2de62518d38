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
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def write_html(transcripts: Sequence[Transcript], are_sources: bool = False) -> str:
    """Return one page with all transcripts. `are_sources`: texts as they were written, in `pre[data-markdown]`."""
    text = _source if are_sources else _rendered
    title = transcripts[0].title if len(transcripts) == 1 else f"{len(transcripts)} sessions"
    return _page(title, "".join(_article(each, text) for each in transcripts))


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


def _article(transcript: Transcript, text: Callable[[str], str]) -> str:
    about = " · ".join((transcript.created_at[:10], *transcript.tags))
    lines = "".join(_section(line, text) for line in transcript.lines)
    for each in transcript.branches:
        rest = "".join(_section(line, text) for line in each.lines[each.shared :])
        lines += f'<section>\n<h2 class="branch">{escape(branch_title(each))}</h2>\n{rest}</section>\n'
    title, about = escape(transcript.title), escape(about)
    return f'<article>\n<h1>{title}</h1>\n<p class="about">{about}</p>\n{lines}</article>\n'


def _section(line: TranscriptLine, shown: Callable[[str], str]) -> str:
    if line.kind == "vote":
        return f'<p class="about">{escape(line.text)}</p>\n'
    if line.kind == "rules":
        text = line.text or "None from here."
        return f'<section>\n<h2>System prompt</h2>\n<pre class="plain">{escape(text)}</pre>\n</section>\n'
    kind = "question" if line.name is None else "answer"
    name = escape(line.name or "Question")
    return f'<section>\n<h2>{name}</h2>\n<div class="{kind}">\n{shown(line.text)}</div>\n</section>\n'


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
