"""How a judgement came about, in two or three sentences."""

from parley.connectors.demo.consortium.material import Material
from parley.connectors.demo.consortium.phrases import PHRASES
from parley.connectors.demo.consortium.weighing import Weighed


def analyse(weighed: Weighed, material: Material) -> str:
    """Return what was counted, and how the confidence follows from it."""
    says = PHRASES[material.tongue]
    if len(weighed.answers) < 2:
        return says.impression_one
    if weighed.figure is not None:
        return says.analysis_figure.format(
            count=len(weighed.answers) - len(weighed.figures),
            total=len(weighed.answers),
            figure=weighed.figure.shown,
            confidence=says.number(weighed.confidence),
        )
    if weighed.other_blocks:
        return says.analysis_block.format(
            count=len(weighed.other_blocks) + 1,
            total=len(weighed.answers),
            confidence=says.number(weighed.confidence),
        )
    lead = weighed.statements[:1]
    same = bool(lead) and 2 * len(lead[0].leads) > len(weighed.answers)
    text = says.analysis.format(
        shared=len(weighed.shared),
        total=len(weighed.statements) + len(weighed.ways),
        consensus=says.percent(weighed.consensus or 0.0),
        lead=says.same_lead if same else says.other_lead,
        confidence=says.number(weighed.confidence),
    )
    return text if material.knows else f"{text} {says.analysis_unknown}"
