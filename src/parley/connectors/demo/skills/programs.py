"""Short programs for well-known tasks."""

import random
import re

from parley.connectors.demo.finding import Code, Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.snippets import SNIPPETS, Snippet

_ASKS = re.compile(
    r"\b(write|code|implement|function|program|script|snippet|python|javascript|sql|query|algorithm|example of|how (do|can|would|to)|show|cent(er|re))\b",
    re.IGNORECASE,
)
_LANGUAGES = {"javascript": "javascript", "js": "javascript", "typescript": "javascript", "sql": "sql", "bash": "bash",
              "shell": "bash", "python": "python", "css": "css"}  # fmt: skip
_OTHER = re.compile(
    r"\b(rust|golang|in go|java|c\+\+|c#|ruby|php|kotlin|swift|haskell|scala|perl|lua)\b", re.IGNORECASE
)
_WHAT_IS = re.compile(r"^\W*(what(’|')?s|what is|what are|define|explain|difference)\b", re.IGNORECASE)


def programs(question: Question, rng: random.Random) -> Finding | None:
    """Write one of the programs that are known."""
    del rng
    text = question.instruction
    if (
        len(text) > 300
        or not _ASKS.search(text)
        or (_WHAT_IS.search(text) and not re.search(r"\bcode\b", text, re.IGNORECASE))
    ):
        return None
    snippet = next((snippet for snippet in SNIPPETS if re.search(snippet.pattern, text, re.IGNORECASE)), None)
    if snippet is None:
        return None
    wanted = next(
        (name for word, name in _LANGUAGES.items() if re.search(rf"\b{word}\b", text, re.IGNORECASE)), None
    )
    language = wanted if wanted in snippet.sources else next(iter(snippet.sources))
    return _finding(snippet, language, asked_for=wanted or _other(text))


def _finding(snippet: Snippet, language: str, asked_for: str | None) -> Finding:
    elsewhere = asked_for is not None and asked_for != language
    names = {"python": "Python", "javascript": "JavaScript", "sql": "SQL", "bash": "Bash", "css": "CSS"}
    note = f" You asked for {asked_for}; I only have it in {names[language]}." if elsewhere else ""
    return Finding(
        topic=snippet.title,
        answer=f"{snippet.idea}{note}",
        rough=snippet.idea,
        code=Code(language, snippet.sources[language]),
        points=snippet.points,
        example=snippet.example,
        caveat=snippet.caveat,
        check=snippet.check,
        method="The program is from a small collection that was tried out by hand.",
        related=tuple(
            other.title for other in SNIPPETS if other.family == snippet.family and other is not snippet
        )[:3],
    )


def _other(text: str) -> str | None:
    match = _OTHER.search(text)
    return match[1].removeprefix("in ").capitalize() if match else None
