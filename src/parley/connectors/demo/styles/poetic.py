"""Poetic: says what is true in verse, and keeps the numbers right."""

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.styles.manner import Manner

_OPENINGS = (
    ("A question came in, light as rain,", "and asked for {topic}; I count it plain:"),
    ("You ask of {topic}, and I", "hold up the pieces to the sky:"),
    ("Sit down a while, let evening go:", "on {topic} this much I know:"),
    ("The page is white, the lamp is low,", "and {topic} wants to show:"),
)
_CLOSINGS = (
    ("So much is sure, the rest is air,", "and what is missing was not there."),
    ("Now close the book, the sum is done;", "the next begins where this has run."),
    ("Keep what is useful, leave the rhyme;", "the truth takes up but little time."),
    ("What can be counted has been told;", "the rest is not for me to hold."),
)


def poetic(finding: Finding, manner: Manner) -> str:
    """Return verses around the answer; a work stands alone."""
    if finding.talk:
        return f"{finding.answer}\n\n*{_closing(manner)}*"
    if finding.work is not None:
        return finding.work if manner.size == "short" else f"{finding.work}\n\n*{_closing(manner)}*"
    if manner.size == "short":
        said = finding.code.markdown() if finding.code is not None else finding.answer
        return f"{said}\n\n*{_closing(manner)}*"
    first, second = manner.rng.choice(_OPENINGS)
    parts = [f"{first.format(topic=finding.topic)}  \n{second.format(topic=finding.topic)}"]
    lines = finding.steps or finding.points
    if lines:
        most = len(lines) if manner.explain or manner.size == "long" else 3
        parts.append("  \n".join(f"— {line.rstrip('.')}," for line in lines[:most]).rstrip(",") + ".")
    if finding.code is not None:
        parts.append(finding.code.markdown())
    parts.append(f"> {finding.answer}")
    if manner.doubt:
        parts.append(
            "I walked the way a second time  \nand found no step was out of rhyme."
            if finding.confident
            else "No, I am not sure."
        )
    if (manner.example or manner.size == "long") and finding.example:
        parts.append(f"As when {finding.example[:1].lower()}{finding.example[1:]}")
    if not finding.confident and finding.related:
        parts.append(f"But I could sing of {'; of '.join(finding.related[:3])}.")
    return "\n\n".join([*parts, _closing(manner)])


def _closing(manner: Manner) -> str:
    return "  \n".join(manner.rng.choice(_CLOSINGS))
