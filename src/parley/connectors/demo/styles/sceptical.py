"""Sceptical: answers, then asks what the answer rests on, and says how sure it is."""

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.styles.manner import Manner


def sceptical(finding: Finding, manner: Manner) -> str:
    """Return the claim, its basis, the objection to it, and a verdict on both."""
    if finding.talk:
        return f"{finding.answer}\n\n*{finding.caveat or 'Whatever I say next, check it.'}*"
    parts = [finding.work] if finding.work is not None else []
    if finding.code is not None:
        parts.append(finding.code.markdown())
    parts.append(f"**{'Idea' if finding.code is not None else 'Claim'}.** {finding.answer}")
    if manner.size == "short":
        return "\n\n".join([*parts, _verdict(finding)])
    basis = [finding.method] if finding.method else []
    if finding.steps:
        basis.append(
            ("Checked: " if finding.value is not None else "In steps: ")
            + "; ".join(step.rstrip(".") for step in finding.steps)
            + "."
        )
    if manner.doubt:
        basis.append(
            "I went through it a second time, and it holds."
            if finding.confident
            else "Asking twice does not make it surer."
        )
    if basis:
        parts.append(f"**Basis.** {' '.join(basis)}")
    if manner.size == "long" and finding.points:
        parts.append("\n".join(f"- {point}" for point in finding.points))
    objection = finding.caveat or manner.pick(
        "The question may mean something else than its words say.",
        "A short answer hides the cases in which it is wrong.",
        "It depends on definitions that nobody has agreed on here.",
    )
    parts.append(f"**But.** {objection}")
    if manner.example and finding.example:
        parts.append(f"**A case.** {finding.example}")
    if manner.as_table and finding.table is not None:
        parts.append(finding.table.markdown())
    if not finding.confident and finding.related:
        parts.append(f"What I could check instead: {'; '.join(finding.related[:3])}.")
    return "\n\n".join([*parts, _verdict(finding)])


def _verdict(finding: Finding) -> str:
    if not finding.confident:
        return "*Confidence: none. Do not build on this.*"
    if finding.value is not None:
        return "*Confidence: high, because it was computed and can be repeated.*"
    return "*Confidence: fair. Ask for a second opinion before it matters.*"
