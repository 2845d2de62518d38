"""Short programs for well-known tasks."""

import random
import re

from parley.connectors.demo.finding import Code, Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import listed
from parley.connectors.demo.skills.snippets import SNIPPETS, Snippet

_ASKS = re.compile(
    r"\b(write|code|implement|function|program|script|snippet|python|javascript|sql|query|algorithm|example of|how (do|can|would|to)|show|cent(er|re))\b",
    re.IGNORECASE,
)
_NAMES = {"python": "Python", "javascript": "JavaScript", "sql": "SQL", "bash": "Bash", "css": "CSS"}
_WHAT_IS = re.compile(r"^\W*(what(’|')?s|what is|what are|define|explain|difference)\b", re.IGNORECASE)


def programs(question: Question, rng: random.Random) -> Finding | None:
    """Write one of the programs that are known."""
    del rng
    text = question.instruction
    if len(text) > 300:
        return None
    wanted = question.language
    if not (wanted or _ASKS.search(text)) or (
        _WHAT_IS.search(text) and not re.search(r"\bcode\b", text, re.IGNORECASE)
    ):
        return None
    snippet = next((snippet for snippet in SNIPPETS if re.search(snippet.pattern, text, re.IGNORECASE)), None)
    return _finding(snippet, wanted) if snippet is not None else None


def _finding(snippet: Snippet, wanted: str | None) -> Finding:
    close = "JavaScript" if wanted == "TypeScript" else wanted
    language = next((name for name in snippet.sources if _NAMES[name] == close), next(iter(snippet.sources)))
    there = listed([_NAMES[name] for name in snippet.sources])
    missing = wanted is not None and _NAMES[language] != wanted
    return Finding(
        topic=snippet.title,
        answer=snippet.idea,
        note=f"I have this only in {there}, not in {wanted}." if missing else None,
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
