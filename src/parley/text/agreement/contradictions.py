"""Whether two sentences about the same thing contradict each other."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from parley.text.agreement.opposites import OPPOSITE
from parley.text.agreement.quantity import Quantity, rounded, same
from parley.text.agreement.statements import Statement
from parley.text.agreement.words import stem

SAME_MATTER = 0.6
"""From this share of common concepts a negation, an opposite, or a number of something with another name counts."""
SAME_NUMBERED = 0.5
"""The share of common concepts, without numbers, from which a differing number counts."""

ORDINALS = frozenset(
    stem(word)
    for word in """first second third fourth fifth sixth last 1st 2nd 3rd 4th erste ersten zweite zweiten dritte dritten
    letzte premier première deuxième troisième dernier dernière primero primera segundo segunda tercero""".split()  # noqa: SIM905
)

Relation = Literal["agree", "contradict", "unclear"]


def relation(left: Statement, right: Statement) -> Relation:
    """Return whether two aligned sentences agree, contradict each other, or neither is clear. Symmetric.

    They contradict if a number, a negation, a pair of opposites or the only name differs. A sentence that says more
    than the other does not contradict it, and code contradicts nothing. It is unclear if such a difference is between
    sentences with too little in common, or in a language whose negations are unknown.
    """
    if left.key == right.key or left.span.form == "code":
        return "agree"
    if left.marks % 2 != right.marks % 2 or not (_is_sure(left, right) or left.concepts == right.concepts):
        return "unclear"
    if ordinals_differ(left, right):
        return "unclear"
    if (ours := left.names - right.concepts) and (theirs := right.names - left.concepts):
        return "contradict" if _one_name_differs(left, right, ours, theirs) else "unclear"
    if _ends_differ(left, right):
        return "unclear"
    if _polarities_differ(left, right):
        clear = _common(left.concepts, right.concepts) >= SAME_MATTER and not left.denied & right.denied
        return "contradict" if clear else "unclear"
    if _numbers_differ(left, right):
        alone = left.polarity.keys() or right.polarity.keys()
        same_thing = not alone or _common(left.polarity.keys(), right.polarity.keys()) >= SAME_NUMBERED
        return "contradict" if same_thing else "unclear"
    if _measure_apart(left, right):
        return "unclear"
    return "agree"


def agree_rounded(left: Statement, right: Statement) -> bool:
    """Return whether a figure of one sentence occurs in the other only within rounding."""
    return _rounds(left.quantities, right.quantities) or _rounds(right.quantities, left.quantities)


def _rounds(ours: Sequence[Quantity], theirs: Sequence[Quantity]) -> bool:
    for one in ours:
        alike = [it for it in theirs if it.dimension == one.dimension and not it.weak and same(one, it)]
        if not one.weak and alike and all(rounded(one, other) for other in alike):
            return True
    return False


def _measure_apart(left: Statement, right: Statement) -> bool:
    """Return whether each names quantities that the other lacks: in waves of 10%, in one night."""
    if not left.quantities or not right.quantities:
        return False
    apart = not any(same(one, other) for one in left.quantities for other in right.quantities)
    return apart and _common(left.concepts, right.concepts) < SAME_MATTER


def ordinals_differ(left: Statement, right: Statement) -> bool:
    """Return whether one is about the first and the other about the second."""
    ours, theirs = left.concepts & ORDINALS, right.concepts & ORDINALS
    return bool(ours and theirs and ours.isdisjoint(theirs))


def _one_name_differs(
    left: Statement, right: Statement, ours: AbstractSet[str], theirs: AbstractSet[str]
) -> bool:
    """Return whether two sentences are the same but for one name: the capital is Oslo, the capital is Bergen."""
    rest = left.concepts - ours
    return len(ours) == len(theirs) == 1 and len(rest) > 1 and rest == right.concepts - theirs


def _ends_differ(left: Statement, right: Statement) -> bool:
    """Return whether only their last words differ: caused by a virus, caused by bacteria."""
    return left.last != right.last and left.concepts - {left.last} == right.concepts - {right.last}


def _is_sure(left: Statement, right: Statement) -> bool:
    return left.sure and right.sure


def _polarities_differ(left: Statement, right: Statement) -> bool:
    shared = left.polarity.keys() & right.polarity.keys()
    if all(left.polarity[name] * right.polarity[name] != -1 for name in shared):
        return False
    words = (name for name in shared if not name.startswith(OPPOSITE))
    return not any(left.polarity[name] == right.polarity[name] == -1 for name in words)


def _numbers_differ(left: Statement, right: Statement) -> bool:
    dimensions = {one.dimension for one in left.quantities} & {one.dimension for one in right.quantities}
    return any(_dimension_differs(left, right, dimension) for dimension in dimensions)


def _dimension_differs(left: Statement, right: Statement, dimension: str) -> bool:
    """Return whether each of two sentences has a quantity of a dimension that the other one lacks."""
    ours = [one for one in left.quantities if one.dimension == dimension]
    theirs = [one for one in right.quantities if one.dimension == dimension]
    only_ours = [one for one in ours if not any(same(one, other) for other in theirs)]
    only_theirs = [one for one in theirs if not any(same(one, other) for other in ours)]
    if not only_ours or not only_theirs:
        return False
    if dimension != "count":
        return True
    single = len(ours) == len(theirs) == 1 and _common(left.concepts, right.concepts) >= SAME_MATTER
    return any(_of_one_thing(a, b, single) for a in only_ours for b in only_theirs)


def _of_one_thing(a: Quantity, b: Quantity, single: bool) -> bool:
    if a.nouns & b.nouns:
        return True
    return not (a.weak or b.weak) and (single or not (a.nouns or b.nouns))


def _common(left: AbstractSet[str], right: AbstractSet[str]) -> float:
    """Return the share of names that two sets have in common: twice the shared ones by all."""
    return 2 * len(left & right) / max(1, len(left) + len(right))
