"""Socratic: leads to the answer by questions, and gives it away at the end."""

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.styles.manner import Manner


def socratic(finding: Finding, manner: Manner) -> str:
    """Return questions and hints, the answer, and one more question back."""
    if finding.talk:
        more = finding.check if finding.check and finding.check not in finding.answer else ""
        return f"{finding.answer} {more}".strip()
    opening = manner.pick(
        f"Before I answer: what would you say yourself about {finding.topic}?",
        f"Let us start with what we know about {finding.topic}.",
        f"What exactly are we asking when we ask about {finding.topic}?",
    )
    back = finding.check or manner.pick(
        "How would you convince somebody who doubts it?", "Where would this stop being true?"
    )
    parts = [opening]
    if manner.size != "short":
        parts += [*_hints(finding, manner)]
    if finding.work is not None:
        parts.append(finding.work)
    if finding.code is not None:
        parts.append(
            f"Read this line by line, and say aloud what each line is for:\n\n{finding.code.markdown()}"
        )
    if finding.work is None or manner.size != "short":
        parts.append(f"{manner.pick('So', 'Then', 'It follows')}: {finding.answer}")
    if manner.doubt:
        parts.append("You doubt it, and rightly so. Which step would you test first?")
    if manner.example and finding.example:
        parts.append(f"Take a case: {finding.example}")
    if not finding.confident and finding.related:
        parts.append(f"Would one of these bring us further? {'; '.join(finding.related[:3])}.")
    return "\n\n".join([*parts, f"And now a question back: {back}"])


def _hints(finding: Finding, manner: Manner) -> list[str]:
    steps = finding.steps[:5] if manner.size == "long" or manner.explain else finding.steps[:3]
    asked = (
        "What comes first?",
        "And what follows from that?",
        "What is still missing?",
        "What does that leave?",
        "And then?",
    )
    hints = [f"- *{question}* {step}" for question, step in zip(asked, steps, strict=False)]
    if not hints:
        hints = [f"- *Is it so?* {point}" for point in finding.points[: 3 if manner.size == "long" else 2]]
    return ["\n".join(hints)] if hints else []
