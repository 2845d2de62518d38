"""Thorough: headings, steps, a table, and what to keep in mind."""

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.styles.manner import Manner


def thorough(finding: Finding, manner: Manner) -> str:
    """Return a structured answer; a short one keeps the summary and the steps."""
    if finding.talk:
        return f"{finding.answer}\n\n{_bullets(finding.points)}".strip()
    if manner.size == "short":
        code = finding.code.markdown() if finding.code is not None else None
        parts = (finding.work, code, finding.answer, _numbered(finding.steps[:3]))
        return "\n\n".join(part for part in parts if part)
    sections = [f"## {_title(finding)}"]
    if finding.work is not None:
        sections += [finding.work, f"*{finding.answer}*"]
    else:
        sections.append(finding.answer)
    if manner.doubt:
        sections.append(
            "I worked it out a second time and came to the same result."
            if finding.confident
            else "I am not certain of it."
        )
    if finding.code is not None:
        sections.append(finding.code.markdown())
    if finding.steps:
        sections += ["### Steps", _numbered(finding.steps)]
    if finding.points:
        sections += ["### Details", _bullets(finding.points)]
    if table := finding.table or _facts(finding):
        sections += ["### Overview", table.markdown()]
    if finding.example:
        sections += ["### Example", finding.example]
    if finding.caveat:
        sections += ["### Keep in mind", finding.caveat]
    if finding.related:
        heading = "### What I can do instead" if not finding.confident else "### See also"
        sections += [heading, _bullets(finding.related)]
    if manner.size == "long" and finding.method:
        sections += [
            "### Method",
            finding.method,
            *([f"A check for yourself: {finding.check}"] if finding.check else []),
        ]
    return "\n\n".join(sections)


def _title(finding: Finding) -> str:
    return finding.topic[:1].upper() + finding.topic[1:]


def _bullets(items: tuple[str, ...]) -> str:
    return "\n".join(f"- {item}" for item in items)


def _numbered(steps: tuple[str, ...]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def _facts(finding: Finding) -> Table | None:
    return Table(("What", "Value"), finding.facts) if len(finding.facts) > 1 else None
