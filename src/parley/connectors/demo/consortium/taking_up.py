"""Taking up the arbiter's areas: what a member keeps, adopts, adds or gives up in a later round."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from parley.connectors.demo.consortium.decisions import side_of
from parley.connectors.demo.consortium.material import Material, without_reason
from parley.connectors.demo.consortium.phrases import PHRASES, Phrases
from parley.connectors.demo.consortium.prompt_reading import MemberTask
from parley.connectors.demo.consortium.sayings import Saying, compared, groups_of, quoted, same_meaning, split
from parley.connectors.demo.consortium.temperaments import Temperament
from parley.connectors.demo.consortium.topic import Stance, Tongue

MOST_ADOPTED = 6
SHOWN_WORDS = 7

Way: TypeAlias = Literal[
    "took", "kept_point", "gave_way", "stayed", "exact", "nothing_to_add", "too_long", "added"
]
"""How an area is met."""
_ABOUT: tuple[tuple[Stance, str], ...] = (
    ("risk", r"risk|wrong|danger|caveat|limit\w*|fail\w*|objection|schief|risiko|gefahr|échouer|risque"),
    ("learn", r"example|case|learn|illustrat\w*|beispiel|lernen|exemple|apprend"),
    ("speed", r"at once|quick\w*|first step|cost|time|sofort|schnell|kosten|tout de suite|rapide|coût"),
    (
        "order",
        r"order|steps?|sequence|first|detail\w*|structure|reihenfolge|schritt\w*|zuerst|d'abord|ordre|étapes?",
    ),
    ("people", r"people|who\b|team|users?|customers?|betroffen\w*|wer\b|personnes?|qui\b"),
    ("goal", r"goal|success|measure\w*|criteri\w*|defin\w*|why|ziel|erfolg|warum|but\b|succès|critères?"),
)


@dataclass(frozen=True)
class Taken:
    """A later answer: its sentences, what stays whole, what was thought, and the share of areas taken up."""

    sentences: tuple[str, ...]
    block: str
    thoughts: tuple[str, ...]
    share: float


@dataclass(frozen=True)
class Met:
    """How an area was met, and the sentence of the answer that this concerns."""

    way: Way
    text: str | None = None


def take_up(task: MemberTask, material: Material, temperament: Temperament) -> Taken:
    """Return the member's next answer: its own wording where it agrees, the synthesis where that goes further."""
    says = PHRASES[material.tongue]
    own = task.own.answer if task.own is not None else "\n\n".join((material.lead, *material.extras))
    own_prose, own_block = split(own)
    their_prose, their_block = split(task.synthesis)
    both = compared({"own": own_prose, "theirs": their_prose}).sayings
    mine, theirs = both["own"], both["theirs"]
    stays = temperament.firm and task.round == 2
    kept = _merged(mine, theirs, material, stays=stays)
    met: list[Met] = []
    for area in task.areas:
        met.append(_meet(area, kept, mine, theirs, material))
        if (added := met[-1].text) is not None and added not in kept:
            kept.append(added)
    kept = _decided_once(kept, material.tongue)
    kept = [without_reason(material, text) for text in kept] if temperament.brief else kept
    sentences = tuple(kept[: temperament.most]) or (material.lead,)
    same = len(groups_of(theirs) & groups_of(mine))
    thoughts = [says.round.format(number=task.round, same=same, count=len(theirs))]
    for number, (area, one) in enumerate(zip(task.areas, met, strict=True), 1):
        is_said = one.text is None or one.text in sentences or without_reason(material, one.text) in sentences
        way = one.way if is_said else "too_long"
        thoughts.append(_thought(way, _shown(number, one.text or area, says), says))
    share = sum(one.way not in ("nothing_to_add", "stayed") for one in met) / len(met) if met else 1.0
    return Taken(
        sentences, _block(own_block or material.block, their_block, material), tuple(thoughts), share
    )


def _merged(
    mine: tuple[Saying, ...], theirs: tuple[Saying, ...], material: Material, *, stays: bool
) -> list[str]:
    """Return the synthesis in its order, in the member's own words where it had said the same.

    Computed results are not given up: a synthesis that names another number is not adopted. Where the member
    `stays` with its decision, that takes the place of the other one.
    """
    if material.basis in ("computed", "rounded"):
        return [material.exact or material.lead]
    tongue = material.tongue
    own_words = {
        said.group: said.text for said in mine if not said.asks and side_of(said.text, tongue) is None
    }
    own_choice = next((said.text for said in mine if side_of(said.text, tongue) is not None), None)
    merged: list[str] = []
    for said in theirs[: MOST_ADOPTED + 1]:
        if side_of(said.text, tongue) is not None:
            merged.append(own_choice if own_choice is not None and stays else said.text)
        elif not said.asks:
            merged.append(own_words.get(said.group, said.text))
    return list(dict.fromkeys(merged)) or [said.text for said in mine if not said.asks]


def _meet(
    area: str, kept: list[str], mine: tuple[Saying, ...], theirs: tuple[Saying, ...], material: Material
) -> Met:
    """Return how the member meets an area, and the sentence of its answer that this concerns."""
    if material.exact is not None and re.search(r"\d", area):
        return Met("exact")
    if material.basis in ("computed", "rounded"):
        return Met("kept_point")
    own = [said.text for said in mine]
    named = [text for text in quoted(area) if len(text.split()) > 2]
    sides = [text for text in named if side_of(text, material.tongue) is not None]
    if sides:
        return _meet_choice(sides, kept, mine, theirs, material.tongue)
    agreed = [place for text in named if (place := same_meaning(text, kept)) is not None]
    if agreed:
        text = kept[agreed[0]]
        return Met("kept_point" if same_meaning(text, own) is not None else "took", text)
    if named:
        return Met("kept_point" if same_meaning(named[0], own) is not None else "took", named[0])
    if material.basis == "made":
        return Met("took")
    added = _from_reserve(area, kept, material)
    return Met("nothing_to_add") if added is None else Met("added", added)


def _meet_choice(
    sides: list[str], kept: list[str], mine: tuple[Saying, ...], theirs: tuple[Saying, ...], tongue: Tongue
) -> Met:
    """Return how the member meets an area that asks which decision is right."""
    before = {side_of(said.text, tongue) for said in mine} - {None}
    chosen = {side_of(said.text, tongue) for said in theirs} - {None}
    asked = {side_of(text, tongue) for text in sides}
    now = next((text for text in kept if side_of(text, tongue) is not None), None)
    if now is None or side_of(now, tongue) in before:
        return Met("kept_point" if before & chosen or not chosen else "stayed", now)
    return Met("gave_way" if before & asked else "took", now)


def _thought(way: Way, shown: str, says: Phrases) -> str:
    lines: dict[Way, str] = {
        "took": says.took, "kept_point": says.kept_point, "gave_way": says.gave_way, "stayed": says.stayed, "exact": says.exact,
        "nothing_to_add": says.nothing_to_add, "too_long": says.too_long, "added": says.added,
    }  # fmt: skip
    return lines[way].format(area=shown)


def _shown(number: int, text: str, says: Phrases) -> str:
    words = re.sub(r"[“”„«»\"]", "", text).split()
    short = " ".join(words[:SHOWN_WORDS])
    return f"{number} ({says.quoted(short + ('…' if len(words) > SHOWN_WORDS else ''))})"


def _from_reserve(area: str, kept: list[str], material: Material) -> str | None:
    """Return the sentence of the reserve that an area asks for, unless it was said already."""
    for stance, pattern in _ABOUT:
        text = material.reserve.get(stance)
        if text and re.search(rf"\b(?:{pattern})", area, re.IGNORECASE) and same_meaning(text, kept) is None:
            return text
    return None


def _decided_once(kept: list[str], tongue: Tongue) -> list[str]:
    """Return the sentences with one decision among them at most, the first one."""
    decided = [text for text in kept if side_of(text, tongue) is not None]
    return [text for text in kept if text not in decided[1:]]


def _block(own: str, theirs: str, material: Material) -> str:
    """Return the piece that stays whole: the arbiter's version of what was made, the member's own of what is right."""
    return theirs if theirs and (material.basis == "made" or not own) else own
