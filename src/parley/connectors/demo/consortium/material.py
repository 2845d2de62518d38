"""What a character has to say on a question: found by its skills, or taken from rules of thumb."""

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from parley.connectors.demo.consortium.decisions import choice_in, lean
from parley.connectors.demo.consortium.phrases import PHRASES, STANCE_NAMES
from parley.connectors.demo.consortium.temperaments import Temperament
from parley.connectors.demo.consortium.tongue import in_english, tongue_of
from parley.connectors.demo.consortium.topic import STANCES, Stance, Tongue, Topic
from parley.connectors.demo.consortium.topics_de import GERMAN
from parley.connectors.demo.consortium.topics_en import ENGLISH
from parley.connectors.demo.consortium.topics_fr import FRENCH
from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question, read_question
from parley.connectors.demo.skills import SKILLS
from parley.connectors.demo.skills.about import greeting, introduction, thanks
from parley.connectors.demo.skills.numbers import listed
from parley.kernel.messages import Message, text_of

Basis: TypeAlias = Literal["computed", "rounded", "looked up", "made", "rules"]

_TOPICS: dict[Tongue, tuple[Topic, ...]] = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH}
_CONFIDENCE: dict[Basis, float] = {
    "computed": 0.95,
    "rounded": 0.82,
    "looked up": 0.8,
    "made": 0.62,
    "rules": 0.56,
}
_COMPUTES = frozenset(
    {"units", "dates", "integers", "rates", "arithmetic", "lists", "wordplay", "prose", "facts"}
)
_MAKES = frozenset({"verse", "drafts", "mirror", "long_text"})
_EXPLAINS = re.compile(
    r"^\W*(what (is|are|was|were)|who|explain|define|describe|why|tell me about|erklär\w*|was (ist|sind)|warum|wer|"
    r"beschreib\w*|explique\w*|qu'est-ce|pourquoi|qui|décri\w+|c'est quoi)\b",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"\b(how|wie|comment|plan|organi[sz]e|prepare|steps|tips|first|zuerst|d'abord|improve|reduce)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Material:
    """What can be said: `lead` first, `extras` besides, `reserve` when it is asked for by a point of view.

    `block` stays whole: code or a text that was made. `exact`: the lead without rounding, where it rounds.
    `thoughts`: how it came about. `knows`: False where the subject itself is unknown.
    `check`: a question that tests the answer.
    """

    tongue: Tongue
    lead: str
    extras: tuple[str, ...]
    reserve: Mapping[Stance, str]
    basis: Basis
    confidence: float
    subject: str
    thoughts: tuple[str, ...]
    block: str = ""
    exact: str | None = None
    knows: bool = True
    rules: tuple[str, ...] = ()
    check: str = ""


def gather(talk: Sequence[Message], temperament: Temperament, rng: random.Random) -> Material:
    """Return what a character of this temperament has to say; the last message is the question."""
    question = read_question(talk)
    tongue = tongue_of(question.subject)
    choice = choice_in(question.subject)
    found = _found(question, talk, tongue, rng, decides=choice is not None)
    if found is not None:
        return _from_skill(*found, temperament, tongue, explains=question.follow_up == "why")
    return _from_rules(question, temperament, tongue, rng)


def topic_of(text: str, tongue: Tongue) -> Topic:
    """Return the topic that fits a question best: one with its words in it, else the general one of its kind."""
    topics = _TOPICS[tongue]
    counts = [
        len(re.findall(rf"\b(?:{topic.pattern})\b", text, re.IGNORECASE)) for topic in topics if topic.pattern
    ]
    if counts and max(counts):
        return topics[counts.index(max(counts))]
    decide, how, explain, general = [topic for topic in topics if topic.general]
    if choice_in(text):
        return decide
    if _EXPLAINS.search(text) and not re.search(
        r"\b(should|soll|faut|first|zuerst|d'abord)\b", text, re.IGNORECASE
    ):
        return explain
    return how if _HOW.search(text) else general


def _found(
    question: Question, talk: Sequence[Message], tongue: Tongue, rng: random.Random, *, decides: bool
) -> tuple[str, Finding] | None:
    if tongue != "en":
        worded = [*talk[:-1], Message("user", in_english(text_of(talk[-1]), tongue))]
        question = read_question(worded)
    if question.follow_up == "thanks":
        return "thanks", thanks(question, rng)
    if question.asks_identity:
        return "identity", introduction()
    if question.greets:
        return "greeting", greeting(question, rng)
    for name, skill in SKILLS.items():
        if decides and name != "comparison":
            continue
        if (finding := skill(question, rng)) is None:
            continue
        if _fits(name, finding, question, tongue):
            return name, finding
    return None


def _fits(name: str, finding: Finding, question: Question, tongue: Tongue) -> bool:
    if tongue != "en":
        return finding.value is not None or finding.code is not None
    if name == "drafts":
        return finding.work is not None and finding.table is None and "a plan of" not in finding.topic
    if name == "dates" and "?" not in question.text and not re.search(r"\d", question.text):
        return False
    if name == "mirror":
        return "?" not in question.text and not topic_has_rules(question.text)
    if name == "glossary":
        return len(question.instruction.split()) <= 12
    return True


def topic_has_rules(text: str) -> bool:
    """Tell whether a particular topic fits an English text."""
    return not topic_of(text, "en").general


def _from_skill(
    name: str, finding: Finding, temperament: Temperament, tongue: Tongue, *, explains: bool
) -> Material:
    says = PHRASES[tongue]
    block = finding.code.markdown() if finding.code is not None else _quoted(finding.work or "")
    rounds = temperament.brief and finding.value is not None and not _holds(finding.answer, finding.rough)
    basis: Basis = "rounded" if rounds else "computed" if name in _COMPUTES else "looked up"
    basis = "made" if name in _MAKES or finding.talk else basis
    exact = finding.answer
    extras = _extras(finding, temperament)
    if tongue != "en":
        language = finding.code.language.capitalize() if finding.code else ""
        exact, extras = says.program.format(language=language) if language else finding.answer, ()
    lead = finding.rough if temperament.brief and not block and (tongue == "en" or rounds) else None
    reserve: dict[Stance, str | None] = {
        "learn": finding.example,
        "risk": finding.caveat,
        "order": finding.points[0] if finding.points else None,
        "goal": finding.points[1] if len(finding.points) > 1 else None,
    }
    method = says.by_skill.format(skill=name, method=finding.method if tongue == "en" else "").strip()
    kept: dict[Stance, str] = {
        stance: text for stance, text in reserve.items() if text and tongue == "en" and not finding.talk
    }
    # A sum needs no remarks: what is said beside the number is left for those who ask.
    extras = () if finding.value is not None or finding.talk or basis == "made" else extras
    if explains and finding.steps:
        extras = ("; ".join(step.rstrip(".") for step in finding.steps) + ".",)
    kept = {} if finding.value is not None or basis == "made" else kept
    confidence = _clamped(_CONFIDENCE[basis] + temperament.shift * (0.4 if basis == "computed" else 1.0))
    return Material(
        tongue, lead or exact, extras, kept, basis, confidence, finding.topic, (method, says.unsure[basis]), block, exact if rounds else None,
        check=(finding.check or "") if tongue == "en" else "",
    )  # fmt: skip


def _extras(finding: Finding, temperament: Temperament) -> tuple[str, ...]:
    by_stance: dict[Stance, tuple[str | None, ...]] = {
        "order": finding.points[:2],
        "goal": finding.points[1:2],
        "risk": (finding.caveat,),
        "learn": (finding.example,),
        "people": finding.points[:1],
        "speed": (),
    }
    chosen = temperament.stances[: 1 if temperament.says < 3 else 2]
    said = [text for stance in chosen for text in by_stance[stance] if text]
    return () if temperament.brief else tuple(dict.fromkeys(said))


def _from_rules(question: Question, temperament: Temperament, tongue: Tongue, rng: random.Random) -> Material:
    says, names = PHRASES[tongue], STANCE_NAMES[tongue]
    topic = topic_of(question.subject, tongue)
    words = [says.quoted(word) for word in question.keywords if not _is_common(word)][:2]
    subject = listed(words, says.listed_and) or topic.name
    rules: dict[Stance, str] = {stance: topic.rule(stance).format(subject=subject) for stance in STANCES}
    choice = choice_in(question.subject)
    knows = not (topic.general and _EXPLAINS.search(question.subject) and choice is None)
    # The first point of view is the character's own; which ones follow may differ between two of a kind.
    others: list[Stance] = list(temperament.stances[1:])
    rng.shuffle(others)
    stances: tuple[Stance, ...] = (temperament.stances[0], *others)[: temperament.says]
    said = [_brief(rules[stance]) if temperament.brief else rules[stance] for stance in stances]
    lead = said[0]
    # Words of a topic that the question holds make it likelier that its rules are meant.
    named = (
        len(re.findall(rf"\b(?:{topic.pattern})\b", question.subject, re.IGNORECASE)) if topic.pattern else -2
    )
    confidence = _CONFIDENCE["rules"] + temperament.shift + 0.02 * min(named, 4)
    thoughts = [says.by_rules.format(topic=topic.name), says.puts_first.format(stance=names[stances[0]])]
    if choice is not None:
        lead = lean(choice, temperament.temper, tongue, rng)
        thoughts = [says.by_choice.format(stance=names[stances[0]])]
        confidence -= 0.02
    elif not knows:
        lead = says.unknown[0 if temperament.brief else rng.randrange(3)].format(subject=subject)
        thoughts.append(says.no_knowledge.format(subject=subject))
        confidence -= 0.1
    extras = tuple(text for text in said if text != lead)
    return Material(
        tongue, lead, extras, rules, "rules", _clamped(confidence), subject, (*thoughts, says.unsure["rules"]),
        knows=knows, rules=tuple(rules.values()),
    )  # fmt: skip


def without_reason(material: Material, text: str) -> str:
    """Return a rule of thumb without its reason; any other sentence as it is."""
    return _brief(text) if text in material.rules else text


def _brief(rule: str) -> str:
    head = re.split(r" ?: ", rule, maxsplit=1)[0]
    return f"{head.rstrip('.')}."


def _is_common(word: str) -> bool:
    return (
        re.fullmatch(
            r"(?i)wie|was|warum|wer|ist|sind|viel|erkläre?|schreibe?|soll\w*|ich|wir|der|die|das|ein\w*|und|oder|für|zu\w*|am|mein\w*|"
            r"unser\w*|comment|pourquoi|quel\w*|est\w*|sont|faut-il|dois-je|devons-nous|explique\w*|pour|dans|avec|les|des|une|mon|notre|"
            r"\w+-(?:il|elle|on|ils|elles|nous|vous|je|tu)|que|qui|une?|du|au|aux|ce|cette|best|good|first|better|way|sein|besten?|gut\w*|mit|den|dem|auf",
            word,
        )
        is not None
    )


def _holds(answer: str, rough: str | None) -> bool:
    """Tell whether the short form of an answer says the same number: there is none, or it stands in the answer."""
    return rough is None or rough.rstrip(".") in answer.replace("**", "")


def _quoted(work: str) -> str:
    if work.lstrip().startswith("|"):
        return work
    return "\n".join(f"> {line.rstrip()}  " if line.strip() else ">" for line in work.splitlines()).rstrip()


def _clamped(confidence: float) -> float:
    return round(min(max(confidence, 0.05), 0.98), 2)
