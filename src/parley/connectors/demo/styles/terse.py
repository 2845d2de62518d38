"""Terse: the answer, nothing else. Rounds where a hasty person would."""

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.styles.manner import Manner


def terse(finding: Finding, manner: Manner) -> str:
    """Return one line, or one block where the answer is a work or code."""
    if finding.work is not None:
        return finding.work
    if finding.code is not None:
        return finding.code.markdown()
    if manner.as_table and finding.table is not None:
        return finding.table.markdown()
    said = (
        finding.answer
        if manner.explain or manner.doubt or manner.size == "long"
        else finding.rough or finding.answer
    )
    said = said.replace("**", "")
    if manner.explain and finding.steps:
        return "; ".join(step.rstrip(".") for step in finding.steps) + "."
    if manner.doubt:
        return f"Recomputed: {said}" if finding.confident else f"No. {said}"
    if manner.example and finding.example:
        return finding.example
    if manner.size == "long":
        return " ".join((said, *finding.points[:2]))
    return said if manner.size == "usual" else said.split(". ")[0].rstrip(".") + "."
