"""Talking about oneself: greetings, thanks, who is answering, and admitting that nothing fits."""

import random

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import listed, plural

ABILITIES: tuple[tuple[str, str], ...] = (
    ("sums", "What is 18% of 245 + 12?"),
    ("units", "How many miles are 42 km?"),
    ("dates", "How many days between 2024-02-10 and 2024-12-24?"),
    ("whole numbers", "Prime factors of 5040"),
    ("lists", "Sort: pear, fig, apple"),
    ("a text you paste", "Summarise this: …"),
    ("short verse", "Write a haiku about rain"),
    ("well-known code", "Binary search in Python"),
    ("terms", "What is a p-value?"),
    ("comparisons", "Median vs mean"),
)

_KINDS = {
    "how": "You ask how something is done.",
    "how many": "You ask for a quantity.",
    "why": "You ask for a reason.",
    "who": "You ask for a person.",
    "when": "You ask for a time.",
    "where": "You ask for a place.",
    "choice": "You ask me to choose.",
    "definition": "You ask what something is.",
    "yes or no": "You ask something that can be answered with yes or no.",
    "task": "You give me something to make.",
    "question": "You ask a question.",
    "remark": "You tell me something rather than ask.",
}
_ADVICE = {
    "how": "Splitting it into the first step, the risky step and the last step is a fair start",
    "how many": "What would settle it is a source for each number in it",
    "why": "A good answer would name a mechanism, and a case in which it fails",
    "choice": "Writing down what would make each side the right choice usually settles it",
    "definition": "A good definition says what belongs, what does not, and gives one example",
    "yes or no": "Such a question turns on what the key words are taken to mean",
}


def greeting(question: Question, rng: random.Random) -> Finding:
    """Answer a greeting."""
    del question
    opener = rng.choice(("Hello!", "Good to see you.", "Hi there."))
    tries = rng.sample(ABILITIES, 3)
    return Finding(
        topic="a greeting",
        talk=True,
        answer=f"{opener} What shall we work on?",
        rough=rng.choice(("Hello. What is it?", "Hi. Go ahead.")),
        points=tuple(f"For {name}, try “{example}”." for name, example in tries),
        check="What would you like to find out?",
        method="There was nothing to compute.",
    )


def thanks(question: Question, rng: random.Random) -> Finding:
    """Answer thanks."""
    del question
    return Finding(
        topic="thanks",
        talk=True,
        answer=rng.choice(("You are welcome.", "Glad that it helped.", "Any time.")),
        rough="Welcome.",
        check="Is there a next question in it?",
        method="There was nothing to compute.",
    )


def introduction() -> Finding:
    """Answer who is asked, without a name: in a blind battle the name is told after the vote."""
    return Finding(
        topic="who is answering",
        talk=True,
        answer="I am one of the built-in demo programs of this workspace, not a language model.",
        rough="A built-in demo program of this workspace, not a language model.",
        points=tuple(f"{what[:1].upper()}{what[1:]}: “{example}”" for what, example in ABILITIES),
        caveat="I answer from a few built-in algorithms and a short glossary; beyond that I know nothing.",
        check="What would you like to try?",
        method="What I am is written down in my own source.",
        related=tuple(what for what, _ in ABILITIES),
    )


def admission(question: Question, rng: random.Random) -> Finding:
    """Say honestly that nothing built in fits, and what can be said of the prompt nevertheless."""
    words = [f"“{word}”" for word in question.keywords[:3]]
    about = f"about {listed(words)}" if words else "about this"
    kind = question.kind
    count = len(question.subject.split())
    tries = rng.sample(ABILITIES, 4)
    points = [f"{_KINDS[kind]} It is {plural(count, 'word')} long."]
    if words:
        points.append(f"It seems to be {about}.")
    if advice := _ADVICE.get(kind):
        points.append(f"{advice}.")
    return Finding(
        topic=f"{words[0]}" if words else "your message",
        answer="I cannot answer that: this is a small offline program without general knowledge, "
        f"and nothing built in fits a question {about}.",
        rough=f"Nothing built in for a question {about}.",
        points=tuple(points),
        related=tuple(f"{what} (“{example}”)" for what, example in tries),
        check=f"What would you accept as a good answer {about}?",
        caveat="Anything more would be made up.",
        confident=False,
        method="I compared the question with everything I can do; no skill recognised it.",
    )
