"""The arbiter: writes what the members know together, from nothing but their answers."""

import random
from dataclasses import dataclass

from parley.connectors.demo.consortium.analysis import analyse
from parley.connectors.demo.consortium.material import Material, gather
from parley.connectors.demo.consortium.phrases import PHRASES, Phrases
from parley.connectors.demo.consortium.prompt_reading import Answer, ArbiterTask
from parley.connectors.demo.consortium.ranking import rank
from parley.connectors.demo.consortium.sayings import same_meaning
from parley.connectors.demo.consortium.tags import tagged
from parley.connectors.demo.consortium.temperaments import temperament_of
from parley.connectors.demo.consortium.topic import STANCES, Stance
from parley.connectors.demo.consortium.weighing import Statement, Weighed, weigh
from parley.connectors.demo.question import follow_up_kind
from parley.connectors.demo.skills.numbers import listed
from parley.kernel.messages import Message

ENOUGH = 0.8
"""From this agreement on another round is not asked for."""
MOST_SENTENCES = 7
MOST_AREAS = 4


@dataclass(frozen=True)
class Verdict:
    """What an arbiter says of a round."""

    impression: str
    analysis: str
    dissent: tuple[str, ...]
    synthesis: str
    confidence: float
    areas: tuple[str, ...]
    needs_iteration: bool
    ranking: tuple[str, ...]

    def text(self) -> str:
        """Return the verdict in the tags that were asked for."""
        areas = "\n".join(tagged("area", area).replace("\n", "") for area in self.areas)
        ranks = "\n".join(
            f'<rank position="{place}">{id_}</rank>' for place, id_ in enumerate(self.ranking, 1)
        )
        inner = "\n".join(
            (
                tagged("first_impression", self.impression),
                tagged("analysis", self.analysis),
                tagged("dissent", _lines(self.dissent)),
                tagged("synthesis", self.synthesis),
                f"<confidence>{self.confidence:.2f}</confidence>",
                tagged("refinement_areas", areas),
                f"<needs_iteration>{'true' if self.needs_iteration else 'false'}</needs_iteration>",
                f"<ranking>\n{ranks}\n</ranking>",
            )
        )  # fmt: skip
        return f"<synthesis_output>\n{inner}\n</synthesis_output>"


def judge_round(character_id: str, task: ArbiterTask, rng: random.Random) -> Verdict:
    """Return the verdict on a round."""
    temperament = temperament_of(character_id, "")
    material = gather([Message("user", task.question)], temperament, rng)
    says = PHRASES[material.tongue]
    weighed = weigh(task.answers, material.tongue)
    gaps = _gaps(weighed, material, says)
    needs = _needs_iteration(weighed, task.round)
    areas = (
        (*_differences(weighed, says), *gaps[: 2 if task.round == 1 else 1])[:MOST_AREAS]
        if needs
        else gaps[:1]
    )
    return Verdict(
        impression=_impression(weighed, says),
        analysis=analyse(weighed, material),
        dissent=_dissent(weighed, says),
        synthesis=_synthesis(weighed, 2 if follow_up_kind(task.question) == "shorter" else MOST_SENTENCES),
        confidence=weighed.confidence,
        areas=areas,
        needs_iteration=needs,
        ranking=rank(weighed),
    )


def _needs_iteration(weighed: Weighed, number: int) -> bool:
    if len(weighed.answers) < 2:
        return False
    if weighed.is_contested or (
        number == 1 and weighed.alone and weighed.figure is None and not weighed.block
    ):
        return True
    return weighed.agreement < (ENOUGH if number < 3 else 0.55)


def _synthesis(weighed: Weighed, most: int) -> str:
    lead, *rest = [one.text for one in _chosen(weighed)[:most]] or [""]
    listing = "\n".join(f"- {text}" for text in rest) if len(rest) > 1 else " ".join(rest)
    is_quoted = weighed.block.startswith(">")
    parts = (weighed.block, lead, listing) if is_quoted else (lead, weighed.block, listing)
    return "\n\n".join(part for part in parts if part)


def _chosen(weighed: Weighed) -> list[Statement]:
    """Return the lead, the shared statements, and the best that one member alone says."""
    if weighed.block and weighed.other_blocks:
        return [one for one in weighed.statements if len(one.by) > 1]
    lead = weighed.statements[:1]
    shared = [one for one in weighed.shared if one not in lead]
    alone = [one for one in weighed.alone if one not in lead]
    spared = max(0, 4 - len(shared))
    return [*lead, *shared, *alone[:spared]]


def _differences(weighed: Weighed, says: Phrases) -> list[str]:
    """Return what another round should settle."""
    areas: list[str] = []
    if weighed.figure is not None:
        for value in list(dict.fromkeys(figure.shown for _, figure in weighed.figures))[:2]:
            by = tuple(answer for answer, figure in weighed.figures if figure.shown == value)
            shown = f"{value} ({_names(by, says)})"
            areas.append(says.area_figure.format(best=weighed.figure.shown, value=shown))
    if weighed.other_blocks:
        areas.append(says.area_block)
    lead = weighed.statements[:1]
    ways = [*weighed.ways, *(one for one in weighed.alone if one.leads and one not in lead)]
    for way in ways[:2] if lead and weighed.figure is None and not weighed.block else ():
        best, text = says.quoted(_bare(lead[0].text)), says.quoted(_bare(way.text))
        asks = says.area_way if way in weighed.ways else says.area_first
        areas.append(
            asks.format(
                best=best,
                others=_names(lead[0].leads or lead[0].by, says),
                text=text,
                who=_names(way.leads or way.by, says),
            )
        )
    others = [one for one in weighed.alone if one not in lead and one not in ways]
    areas += [
        says.area_only.format(who=_names(one.by, says), text=says.quoted(one.text)) for one in others[:2]
    ]
    return areas[: MOST_AREAS - 1]


def _gaps(weighed: Weighed, material: Material, says: Phrases) -> tuple[str, ...]:
    """Return what nobody speaks of yet, by the arbiter's own material."""
    if weighed.figure is not None:
        return ()
    said = [one.text for one in weighed.statements]
    missing: list[Stance] = [
        stance
        for stance in STANCES
        if (text := material.reserve.get(stance)) and same_meaning(text, said) is None
    ]
    return tuple(says.area_gap[stance] for stance in missing)


def _dissent(weighed: Weighed, says: Phrases) -> tuple[str, ...]:
    lines: list[str] = []
    if weighed.figure is not None:
        agreed = [
            answer for answer in weighed.answers if all(answer is not other for other, _ in weighed.figures)
        ]
        for answer, figure in weighed.figures:
            lines.append(
                f"{_name(answer, says)}: {figure.shown}; {_names(tuple(agreed), says)}: {weighed.figure.shown}."
            )
    if weighed.other_blocks:
        lines.append(says.dissent_block.format(who=_names(weighed.other_blocks, says)))
    lines += [
        says.dissent_way.format(who=_names(way.leads or way.by, says), text=says.quoted(way.text))
        for way in weighed.ways[:3]
    ]
    others = [one for one in weighed.alone if one.leads and one is not weighed.statements[0]]
    if weighed.figure is None and not weighed.block:
        lines += [
            says.dissent_first.format(who=_names(one.by, says), text=says.quoted(one.text))
            for one in others[:3]
        ]
    return tuple(lines)


def _impression(weighed: Weighed, says: Phrases) -> str:
    if len(weighed.answers) < 2:
        return says.impression_one
    near, partly, far = says.common
    common = far if weighed.agreement < 0.45 else partly if weighed.agreement < ENOUGH else near
    given = [answer.confidence for answer in weighed.answers if answer.confidence is not None]
    mean = sum(given) / len(given) if given else 0.0
    return says.impression.format(count=len(weighed.answers), common=common, confidence=says.number(mean))


def _lines(dissent: tuple[str, ...]) -> str:
    return "\n".join(f"- {line}" for line in dissent) if len(dissent) > 1 else "".join(dissent)


def _names(answers: tuple[Answer, ...], says: Phrases) -> str:
    return listed([_name(answer, says) for answer in answers], says.listed_and)


def _name(answer: Answer, says: Phrases) -> str:
    if answer.name and not answer.name.lower().startswith("member"):
        return answer.name
    return says.member.format(id=answer.name.split()[-1] if answer.name else answer.id)


def _bare(text: str) -> str:
    return text.rstrip(".")
