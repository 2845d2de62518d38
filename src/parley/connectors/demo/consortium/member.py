"""A member of a consortium: answers from its own material, and takes up what the others found."""

import random
from dataclasses import dataclass

from parley.connectors.demo.consortium.layout import Draft, set_out
from parley.connectors.demo.consortium.material import Material, gather
from parley.connectors.demo.consortium.phrases import PHRASES, Phrases
from parley.connectors.demo.consortium.prompt_reading import MemberTask
from parley.connectors.demo.consortium.tags import tagged
from parley.connectors.demo.consortium.taking_up import Taken, take_up
from parley.connectors.demo.consortium.temperaments import Temperament, as_wished, temperament_of
from parley.connectors.demo.question import follow_up_kind

MOST_THOUGHTS = 7


@dataclass(frozen=True)
class Said:
    """A member's answer with what it thought and how sure it is."""

    thoughts: tuple[str, ...]
    answer: str
    confidence: float

    def text(self) -> str:
        """Return the reply in the tags that were asked for."""
        return "\n\n".join(
            (
                tagged("thought_process", "\n".join(self.thoughts[:MOST_THOUGHTS])),
                tagged("answer", self.answer),
                f"<confidence>{self.confidence:.2f}</confidence>",
            )
        )


def answer_as_member(character_id: str, task: MemberTask, rng: random.Random) -> Said:
    """Return a member's reply. `rng` must be the same for the same character and question in every round."""
    follow_up = follow_up_kind(task.question) if len(task.talk) > 1 else None
    temperament = as_wished(temperament_of(character_id, task.role), follow_up)
    material = gather(task.talk, temperament, rng)
    if task.own is None and not task.synthesis:
        return _first(character_id, material, temperament, rng)
    taken = take_up(task, material, temperament)
    draft = _draft(material, taken.sentences, taken.block, first=False)
    return Said(taken.thoughts, set_out(character_id, draft, rng), _surer(task, material, temperament, taken))


def _first(character_id: str, material: Material, temperament: Temperament, rng: random.Random) -> Said:
    sentences = (material.lead, *material.extras)[: temperament.most]
    draft = _draft(material, sentences, material.block, first=True)
    return Said(material.thoughts, set_out(character_id, draft, rng), material.confidence)


def _draft(material: Material, sentences: tuple[str, ...], block: str, *, first: bool) -> Draft:
    says: Phrases = PHRASES[material.tongue]
    risk, example = material.reserve.get("risk"), material.reserve.get("learn")
    return Draft(
        sentences=sentences,
        block=block,
        subject=material.subject,
        says=says,
        first=first,
        bare=material.basis in ("computed", "rounded", "made"),
        back=material.check or (says.asks_back if material.basis == "rules" else ""),
        objection=next((text for text in sentences if risk and text[:40] == risk[:40]), None),
        example=example if material.basis == "looked up" else None,
    )


def _surer(task: MemberTask, material: Material, temperament: Temperament, taken: Taken) -> float:
    """Return the confidence of a later round: it goes towards a ceiling by the share of areas taken up."""
    before = task.own.confidence if task.own and task.own.confidence is not None else material.confidence
    ceiling = 0.95 + min(temperament.shift, 0.0) * 0.4 - (0.0 if material.knows else 0.04)
    if material.basis in ("computed", "rounded"):
        ceiling = 0.97
    return round(min(before + max(ceiling - before, 0.0) * (0.25 + 0.4 * taken.share), 0.98), 2)
