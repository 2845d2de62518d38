"""Tutor: plain, friendly paragraphs, with an example and a next step."""

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.styles.manner import Manner


def tutor(finding: Finding, manner: Manner) -> str:
    """Return two or three short paragraphs."""
    if manner.size == "short":
        return finding.work or (finding.code.markdown() if finding.code else finding.answer)
    start = manner.pick("Sure! ", "Happy to. ", "Good one. ", "") if finding.confident else ""
    if manner.doubt:
        start = "I checked once more, and yes: " if finding.confident else "Honestly, no. "
    parts = [f"{start}{finding.answer}"]
    if finding.work is not None:
        parts = [f"{start}Here you go:", finding.work]
    if finding.code is not None:
        parts.append(finding.code.markdown())
    if finding.steps:
        ways = ("Here is how I got there", "In small steps", "The way there")
        steps = [
            step[:1].lower() + step[1:].rstrip(".")
            for step in finding.steps[: 6 if manner.size == "long" else 4]
        ]
        parts.append(f"{manner.pick(*ways)}: {', then '.join(steps)}.")
    elif finding.points:
        parts.append(" ".join(finding.points[: 4 if manner.size == "long" else 2]))
    if manner.as_table and finding.table is not None:
        parts.append(finding.table.markdown())
    if finding.example and (manner.example or manner.size == "long" or not finding.steps):
        parts.append(f"For example: {finding.example}")
    if not finding.confident and finding.related:
        parts.append("I can help with " + ", ".join(finding.related[:-1]) + f" or {finding.related[-1]}.")
    elif finding.related:
        parts.append(f"If you want to go on from here, have a look at {finding.related[0]}.")
    return "\n\n".join(parts)
