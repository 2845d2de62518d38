"""Reflective: listens, gives the person's words back, and asks on; answers in passing."""

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.styles.manner import Manner


def reflective(finding: Finding, manner: Manner) -> str:
    """Return a mirror of what was said, the answer in one breath, and an open question."""
    if finding.talk:
        return finding.answer
    heard = manner.pick("I hear that you have", "It sounds as if you have", "So you have")
    parts: list[str] = []
    if manner.size != "short":
        parts.append(f"{heard} {finding.topic} on your mind.")
    if finding.work is not None:
        parts.append(finding.work)
    if finding.code is not None:
        parts.append(finding.code.markdown())
    if finding.work is None:
        parts.append(finding.answer)
    if manner.explain and finding.steps:
        parts.append("What led me there: " + "; ".join(step.rstrip(".") for step in finding.steps) + ".")
    elif manner.size == "long":
        parts += finding.points[:3]
    if manner.doubt:
        parts.append("What makes you doubt it?")
    elif manner.size != "short":
        parts.append(
            manner.pick(
                "What will you do with it now?"
                if finding.work is not None or finding.code is not None
                else "What would change for you if you knew it for certain?",
                "What brought you to this today?",
                "And how does that fit with what you expected?",
                finding.check or "What do you make of it?",
            )
        )
    return "\n\n".join(parts)
