"""Thorough: headings, steps, a table, and what to keep in mind."""

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.styles.manner import Manner


def thorough(finding: Finding, manner: Manner) -> str:
    """Return a structured answer; a short one keeps the summary and the steps."""
    if finding.talk:
        return f"{finding.answer}\n\n{_bullets(finding.points)}".strip()
    if manner.size == "short":
        return "\n\n".join(
            part for part in (finding.work, finding.answer, _numbered(finding.steps[:3])) if part
        )
    parts = [f"## {_title(finding)}"]
    if finding.work is not None:
        parts += [finding.work, f"*{finding.answer}*"]
    else:
        parts.append(finding.answer)
    if manner.doubt:
        parts.append(
            "I worked it out a second time and came to the same result."
            if finding.confident
            else "I am not certain of it."
        )
    if finding.code is not None:
        parts.append(finding.code.markdown())
    if finding.steps:
        parts += ["### Steps", _numbered(finding.steps)]
    if finding.points:
        parts += ["### Details", _bullets(finding.points)]
    if table := finding.table or _facts(finding):
        parts += ["### Overview", table.markdown()]
    if finding.example:
        parts += ["### Example", finding.example]
    if finding.caveat:
        parts += ["### Keep in mind", finding.caveat]
    if finding.related:
        heading = "### What I can do instead" if not finding.confident else "### See also"
        parts += [heading, _bullets(finding.related)]
    if manner.size == "long" and finding.method:
        parts += [
            "### Method",
            finding.method,
            *([f"A check for yourself: {finding.check}"] if finding.check else []),
        ]
    return "\n\n".join(parts)


def _title(finding: Finding) -> str:
    return finding.topic[:1].upper() + finding.topic[1:]


def _bullets(items: tuple[str, ...]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _numbered(steps: tuple[str, ...]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def _facts(finding: Finding) -> Table | None:
    return Table(("What", "Value"), finding.facts) if len(finding.facts) > 1 else None
