"""Verse: haiku by syllable count, acrostics, and short rhymes about a subject."""

import random
import re

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.syllables import syllables_of_line
from parley.connectors.demo.skills.verse_lines import ACROSTIC, COUPLETS, FIVES, PUNS, SEVENS

_ASKS = re.compile(
    r"\b(haiku|acrostic|poem|poetry|verse|rhyme|limerick|sonnet|ode|song|joke|pun)\b", re.IGNORECASE
)
_ABOUT = re.compile(
    r"\b(?:about|on|for|of|to|from|with|using)\s+(?:the\s+(?:word|name|topic)\s+)?[\"“']?(?P<subject>[^\"”.?!,:;]{2,40})",
    re.IGNORECASE,
)


def verse(question: Question, rng: random.Random) -> Finding | None:
    """Write the kind of verse that is asked for."""
    asked = _ASKS.search(question.instruction)
    if asked is None or not re.search(
        r"\b(write|compose|make|give|tell|create|another|a|an|me)\b", question.instruction, re.IGNORECASE
    ):
        return None
    kind = asked[1].lower()
    subject = _subject(question)
    if kind in ("joke", "pun"):
        return _pun(rng)
    if kind == "haiku":
        return _haiku(subject, rng)
    if kind == "acrostic":
        return _acrostic(subject, rng)
    article = "the " if f"the {subject}".lower() in question.instruction.lower() else ""
    return _rhyme(kind, article + subject, rng)


def _subject(question: Question) -> str:
    match = _ABOUT.search(question.instruction)
    words = match["subject"].strip().split() if match else []
    while words and words[0].lower() in ("a", "an", "the", "my", "our", "your"):
        words = words[1:]
    if words:
        return " ".join(words[:3])
    left = [word for word in question.keywords if not _ASKS.fullmatch(word)]
    return left[0] if left else "the evening"


def _haiku(subject: str, rng: random.Random) -> Finding:
    first = _opening(subject, rng)
    second, third = rng.choice(SEVENS), rng.choice([line for line in FIVES if line != first])
    lines = (first, second, third)
    counts = tuple(syllables_of_line(line) for line in lines)
    return Finding(
        topic=f"a haiku about {subject}",
        answer=f"Syllables by my count: {'–'.join(map(str, counts))}.",
        work="  \n".join(lines),
        steps=tuple(f"“{line}” has {count} syllables" for line, count in zip(lines, counts, strict=True)),
        points=(
            "A haiku has three lines of 5, 7 and 5 syllables.",
            "It names a thing and leaves the feeling out.",
        ),
        caveat="The lines come from a small stock; only the first one knows the subject.",
        check="Which line would you change, and can you keep its count?",
        method="I chose lines whose syllables add up to 5, 7 and 5.",
    )


def _opening(subject: str, rng: random.Random) -> str:
    """Return a line of five syllables about the subject, where one can be made."""
    endings = ["again", "at first light", "in the rain", "and one bird", "and silence", "alone", "waits", "in the evening",
               "at the window", "before dawn", "at rest", "and you", "and an open door", "and the sound of rain", "now",
               "and nobody there", "far away"]  # fmt: skip
    name = subject[:1].upper() + subject[1:]
    fitting = [f"{name} {ending}" for ending in endings if syllables_of_line(f"{name} {ending}") == 5]
    if syllables_of_line(name) == 5:
        return name
    return rng.choice(fitting) if fitting else rng.choice(FIVES)


def _acrostic(subject: str, rng: random.Random) -> Finding:
    letters = [letter for letter in subject.upper() if letter in ACROSTIC][:14]
    lines: list[str] = []
    for letter in letters:
        unused = [line for line in ACROSTIC[letter] if line not in lines] or list(ACROSTIC[letter])
        lines.append(rng.choice(unused))
    return Finding(
        topic=f"an acrostic on {subject}",
        answer=f"The first letters spell {''.join(letters)}.",
        work="  \n".join(f"**{line[0]}**{line[1:]}" for line in lines),
        points=(f"It has {len(lines)} lines, one for each letter.",),
        caveat="Its lines know the letters, not the subject.",
        check="Which word would be easier, and which impossible?",
        method="I took a line for each letter from a small stock.",
    )


def _rhyme(kind: str, subject: str, rng: random.Random) -> Finding:
    chosen = rng.sample(COUPLETS, 2 if kind != "ode" else 3)
    stanzas = ["  \n".join(line.format(s=subject) for line in couplet) for couplet in chosen]
    stanzas = [stanza[:1].upper() + stanza[1:] for stanza in stanzas]
    note = (
        ""
        if kind in ("poem", "poetry", "verse", "rhyme")
        else f" A proper {kind} has stricter rules than I can keep."
    )
    return Finding(
        topic=f"a few rhymes about {subject}",
        answer=f"Quatrains in plain rhyme.{note}",
        work="\n\n".join(stanzas),
        points=("Each stanza rhymes in its second and fourth line.",),
        caveat="The stanzas are from a small stock, and the subject is put in.",
        check="Where does the rhyme help the thought, and where does it bend it?",
        method="I drew stanzas and put the subject in.",
    )


def _pun(rng: random.Random) -> Finding:
    set_up, turn = rng.choice(PUNS)
    return Finding(
        topic="a joke",
        answer="No joke survives an explanation.",
        rough=f"{set_up} {turn}",
        work=f"{set_up}\n\n{turn}",
        points=("It plays on one word with two meanings.",),
        caveat="Somebody has certainly heard it before.",
        check="Which word carries both meanings?",
        method="I drew it from a small stock.",
    )
