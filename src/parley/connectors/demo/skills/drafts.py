"""Drafts: frames to fill in for letters, names, plans and decisions, where knowledge is not needed."""

import random
import re

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import listed, plural

_LETTER = re.compile(
    r"\b(?:write|draft|compose)\b.{0,30}\b(?P<kind>e-?mail|letter|message|note)\b(?: to (?P<to>(?:my |our |the |a )?[\w’' -]{2,30}?))?"
    r"(?: (?:about|asking|to ask|saying|because|that|regarding|for|to) (?P<matter>[^.?!]{3,120}))?\W*$",
    re.IGNORECASE,
)
_NAMES = re.compile(
    r"\b(?:(?P<count>\d{1,2})|some|a few)?\s*(?:[a-z]+ )?(?:name|title|slogan)s?(?: ideas?)?\b.{0,20}?\bfor (?:a |an |my |our |the )?(?P<what>[^.?!]{3,60})",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:plan|itinerary|schedule)\b.{0,40}?\b(?P<days>\d{1,2}|two|three|four|five|seven)[- ]?(?:day|week|step)s?\b(?P<rest>[^.?!]{0,60})",
    re.IGNORECASE,
)
_SIDES = re.compile(
    r"\b(?:pros and cons|advantages(?: and disadvantages)?|arguments for and against) of (?P<what>[^.?!]{3,80})",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:should i|shall i|is it better to|which is better,?:?|what is better,?:?)\s+(?P<a>[^,?]{2,60}?),? or (?P<b>[^?]{2,60})\?*\s*$",
    re.IGNORECASE,
)
_BEFORE = ("North", "Second", "Little", "Open", "Common", "Early", "Paper", "Blue Door", "Corner", "Slow", "Good",
           "Half Past")  # fmt: skip
_AFTER = ("& Sons", "Works", "Yard", "Society", "Room", "Lane", "Theory", "Harbour", "House", "Union", "Field",
          "Letters")  # fmt: skip
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "seven": 7}


def drafts(question: Question, rng: random.Random) -> Finding | None:
    """Draft the frame of what is asked for."""
    text = question.instruction
    if len(text) > 300:
        return None
    if match := _LETTER.search(text):
        return _letter(match, rng)
    if match := _SIDES.search(text):
        return _sides(match["what"].strip())
    if match := _CHOICE.search(text):
        return _choice(match["a"].strip(), match["b"].strip())
    if match := _NAMES.search(text):
        return _names(match, rng)
    if match := _PLAN.search(text):
        return _plan(match)
    return None


def _letter(match: re.Match[str], rng: random.Random) -> Finding:
    to, kind = (match["to"] or "").strip(), match["kind"].lower()
    article = "an" if kind.startswith("e") else "a"
    name = re.sub(r"^(my|our|the|a) ", "", to, flags=re.IGNORECASE)
    matter = _yours((match["matter"] or "the matter we spoke about").strip())
    opening = rng.choice(
        ("I am writing about", "Thank you for your time. This is about", "I would like to raise")
    )
    close = rng.choice(
        (
            "Could you let me know by [date]?",
            "Would [day] suit you for a short talk?",
            "I look forward to your answer.",
        )
    )
    body = (
        f"**Subject:** {matter[:1].upper()}{matter[1:]}\n\nDear {name or '[name]'},\n\n{opening} {matter}. "
        f"[One sentence on what happened, with a date.] [One sentence on what you would like instead.]\n\n{close}\n\nKind regards,\n[your name]"
    )
    return Finding(
        topic=f"{article} {kind}{f' to {_yours(to)}' if to else ''}",
        answer="A frame with the brackets left for what only you know.",
        work=body,
        points=(
            "One matter per letter, and what you want in its own sentence.",
            "A date makes it easy to answer.",
        ),
        caveat="I know nothing of the case: every bracket is yours.",
        check="What is the one thing that the reader should do after reading?",
        method="I filled a frame with the words of your request.",
    )


def _sides(what: str) -> Finding:
    questions = (("gain", "What gets cheaper, faster or calmer?", "What gets lost, and who notices first?"),
                 ("people", "Who would be glad of it?", "Who bears the cost?"),
                 ("time", "What is better after a week?", "What is worse after a year?"),
                 ("way back", "Can it be tried on a small scale?", "What cannot be undone?"))  # fmt: skip
    return Finding(
        topic=f"both sides of {what}",
        answer=f"I know nothing about {what} in particular, so here are the questions that bring out both sides.",
        rough=f"For {what}: what is gained, who pays, and can it be undone?",
        table=Table(("", "for", "against"), questions),
        work=Table(("", "for", "against"), questions).markdown(),
        caveat="A list of equal length on both sides looks fair and need not be.",
        check="Which single point would decide it if it were the only one?",
        confident=True,
        method="I set out the questions that fit most decisions.",
    )


def _choice(a: str, b: str) -> Finding:
    # "learn Rust or Go": what the second side leaves out belongs to both.
    a = " ".join(a.split()[-len(b.split()) :]) if len(a.split()) > len(b.split()) else a
    a, b = f"“{_yours(a)}”", f"“{_yours(b)}”"
    return Finding(
        topic=f"{a} or {b}",
        answer=f"I cannot know what is right for you; but this is how {a} and {b} can be told apart.",
        rough=f"Whichever of the two you would regret less not having tried: {a}, or {b}.",
        steps=(
            f"Write down what would have to be true for {a} to be right",
            f"Write down the same for {b}",
            "Mark what you can check within a week",
            "Check the cheapest of these first, then choose",
        ),
        table=Table(("question", a, b), (("What does it cost to try?", "…", "…"), ("What if it fails?", "…", "…"), ("Can it be undone?", "…", "…"))),
        caveat="A choice between two hides the third: neither, or both in turn.",
        check=f"If {a} were gone tomorrow, would you feel relief or loss?",
        method="I used a frame for decisions, not knowledge of the two sides.",
    )  # fmt: skip


def _names(match: re.Match[str], rng: random.Random) -> Finding:
    what = re.sub(r"^(new|small|little|local) ", "", match["what"].strip(), flags=re.IGNORECASE)
    core = what.split()[0].lower()
    count = min(int(match["count"] or 5), 12)
    befores, afters = rng.sample(_BEFORE, count), rng.sample(_AFTER, count)
    word = core.capitalize()
    made = [f"{word} {afters[n]}" if n % 2 else f"{befores[n]} {word}" for n in range(count)]
    return Finding(
        topic=f"names for {what}",
        answer=f"{plural(count, 'idea')}, made by putting “{core}” beside words that sound well.",
        rough=listed(made[:3]),
        work="\n".join(f"{number}. {name}" for number, name in enumerate(made, 1)),
        caveat="Whether a name is free, I cannot look up.",
        check="Which of them could a child spell after hearing it once?",
        method="I combined your word with a stock of good companions.",
    )


def _plan(match: re.Match[str]) -> Finding:
    stated = match["days"].lower()
    days = min(_WORDS.get(stated) or int(stated), 14)
    goal = (
        re.sub(
            r"^\W*(?:trip|plan|itinerary|schedule|visit)?\s*(?:to|for|in)?\s*",
            "",
            match["rest"].strip(),
            flags=re.IGNORECASE,
        )
        or "your goal"
    )
    frames = ("Arrive, and do one easy thing first", "The most important thing, in the morning", "The most distant or hardest thing",
              "A day without a plan", "What was left out, and a review")  # fmt: skip
    rows = tuple(
        (str(day), frames[min(day - 1, 1) if day < 3 else (4 if day == days else 2 + day % 2)], "…")
        for day in range(1, days + 1)
    )
    return Finding(
        topic=f"a plan of {plural(days, 'day')} for {goal}",
        answer=f"A rhythm for {plural(days, 'day')}; what fills it you know better, for I have no knowledge of {goal}.",
        work=Table(("day", "what it is for", "yours"), rows).markdown(),
        points=("Leave one day in four empty: things move into it.",),
        caveat="Opening times, prices and distances are not in here.",
        check="What would make it a success if only one thing worked?",
        method="I laid a plain rhythm over the number of days.",
    )


def _yours(words: str) -> str:
    turned = {"my": "your", "i": "you", "me": "you", "our": "your", "mine": "yours"}
    return " ".join(turned.get(word.lower(), word) for word in words.split())
