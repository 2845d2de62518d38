"""Decisions: the sides that a question names, and towards which a temperament leans."""

import random
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from parley.connectors.demo.consortium.phrases import PHRASES
from parley.connectors.demo.consortium.topic import Tongue

Temper: TypeAlias = Literal["careful", "bold", "kind"]
"""Careful ones like what can be undone, bold ones what needs a decision, kind ones ask whom it concerns."""

_TWO = re.compile(
    r"\b(?:should (?:i|we|they|one|a \w+)|shall (?:i|we)|is it better to|(?:which|what) is better,?:?|would you rather|"
    r"soll(?:te)?n? (?:ich|wir|man)(?: besser| lieber)?|ist es besser,?(?: zu)?|was ist besser,?:?|"
    r"dois-je|devons-nous|devrais-je|faut-il|vaut-il mieux|est-il préférable (?:de|d')|qu'est-ce qui est mieux,?:?)\s+"
    r"(?P<a>[^,?!.]{2,70}?),? (?:or|oder|ou)(?: de| should (?:i|we))? (?P<b>[^?!.]{2,70})[?!.]*\s*$",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"^\W*(?P<a>[\w' -]{2,30}?),? (?:or|oder|ou|vs\.?) (?P<b>[\w' -]{2,30})\s*\?\s*$", re.IGNORECASE
)
_ONE = re.compile(
    r"(?:^|[.!;,:]|\b(?:so|and|und|et|alors|also))\s*\b(?:(?:should|shall) (?:i|we|they|one|our \w+|my \w+|a \w+)|is it worth|is it (?:a good|wise|a bad)|would it be (?:wise|good|better)|"
    r"soll(?:te)?n? (?:ich|wir|man|unser\w* \w+)|lohnt es sich|ist es (?:sinnvoll|klug)|"
    r"dois-je|devons-nous|devrais-je|faut-il|est-ce (?:une bonne idée|utile|raisonnable)|vaut-il la peine)\b",
    re.IGNORECASE,
)
_BINDING = re.compile(
    r"\b(buy\w*|quit\w*|move|moving|marry|migrat\w+|rewrit\w+|rebuild\w*|hire|sell\w*|switch\w*|replace|leav\w+|found|own|"
    r"microservices?|kauf\w*|kündig\w*|umzieh\w*|heirat\w*|neu schreiben|verkauf\w*|wechsel\w*|ersetzen|einstellen|gründen|"
    r"achet\w*|démission\w*|déménag\w*|marier|réécri\w+|vendre|changer|remplacer|embaucher|quitter)\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"\b(rent\w*|stay\w*|keep\w*|wait\w*|leas\w+|borrow\w*|try\w*|improve|refactor\w*|monolith|part-time|freelance\w*|"
    r"miet\w*|bleib\w*|behalten|wart\w*|leih\w*|probier\w*|verbessern|lou\w+|rester|garder|attendre|emprunt\w*|essay\w*|améliorer)\b",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(?:for|für|pour|in|at|as) .+$", re.IGNORECASE)


@dataclass(frozen=True)
class Choice:
    """A decision: two sides, or one thing that may be done or left (`b` is then None)."""

    a: str
    b: str | None


def choice_in(text: str) -> Choice | None:
    """Return the decision that a question asks for, or None."""
    if len(text) > 400:
        return None
    if match := _TWO.search(text) or _SHORT.search(text):
        a, b = match["a"].strip(), match["b"].strip()
        # "learn Rust or Go": what the second side leaves out belongs to both.
        a = " ".join(a.split()[-len(b.split()) :]) if len(a.split()) > len(b.split()) + 1 else a
        tail = _TAIL.search(b)
        return Choice(a, b[: tail.start()] if tail and not _TAIL.search(a) else b)
    return Choice(text.strip(), None) if _ONE.search(text) else None


def lean(choice: Choice, temper: Temper, tongue: Tongue, rng: random.Random) -> str:
    """Return towards which side a temperament leans, and why; by the words of the sides alone."""
    says = PHRASES[tongue]
    if choice.b is None:
        return {"careful": says.lean_trial, "bold": says.lean_yes, "kind": says.lean_ask}[temper]
    a, b = says.quoted(choice.a), says.quoted(choice.b)
    if temper == "kind" and rng.random() < 0.7:
        return says.lean_people.format(a=a, b=b)
    weight_a, weight_b = _binding(choice.a), _binding(choice.b)
    if weight_a == weight_b:
        return (says.lean_bold_unknown if temper == "bold" else says.lean_undo_unknown).format(a=a, b=b)
    safe, bold = (a, b) if weight_a < weight_b else (b, a)
    return (says.lean_bold if temper == "bold" else says.lean_undo).format(safe=safe, bold=bold)


def side_of(sentence: str, tongue: Tongue) -> str | None:
    """Return for which side a member's sentence decides, to be compared; None where it decides nothing."""
    if not sentence.startswith(PHRASES[tongue].lean):
        return None
    return " ".join(re.findall(r"\w+", sentence.split(":", 1)[0].lower()))


def _binding(side: str) -> int:
    return len(_BINDING.findall(side)) - len(_LOOSE.findall(side))
