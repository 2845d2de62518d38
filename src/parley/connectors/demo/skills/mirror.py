"""A mirror in the manner of ELIZA (Weizenbaum, 1966): reflects a person's words and asks on."""

import random
import re

from parley.connectors.demo.finding import Finding
from parley.connectors.demo.question import Question

_TURNED = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "am": "are", "i'm": "you are", "i’m": "you are",
    "i've": "you have", "i’ve": "you have", "i'll": "you will", "i’ll": "you will", "we": "you", "our": "your", "us": "you",
    "you": "I", "your": "my", "yours": "mine", "yourself": "myself", "was": "were",
}  # fmt: skip
_RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bi (?:really )?(?:need|want|would like|wish for) (?:to )?(?P<x>.+)",
     ("What would it mean to you to have {x}?", "Suppose you got {x}: what then?", "What keeps you from {x}?")),
    (r"\bi(?:'m|’m| am) (?:so |very |really |a bit |feeling )?(?P<x>(?:sad|tired|angry|lonely|afraid|scared|anxious|stressed|worried|unhappy|bored|happy|glad|lost)\b.*)",
     ("How long have you been {x}?", "What was happening when you first felt {x}?", "Who knows that you are {x}?")),
    (r"\bi(?:'m|’m| am) (?P<x>.+)", ("What tells you that you are {x}?", "How do you feel about being {x}?")),
    (r"\bi feel (?:like |that |as if )?(?P<x>.+)", ("When else do you feel {x}?", "What would have to change for you not to feel {x}?")),
    (r"\bi (?:think|believe|guess|suppose) (?:that )?(?P<x>.+)", ("What speaks against the idea that {x}?", "Would others say, too, that {x}?")),
    (r"\bi (?:can't|cannot|can’t|can not) (?P<x>.+)", ("What have you tried, to {x}?", "And if you could {x}, what would be different?")),
    (r"\bi(?:'ve| have|’ve) (?:always |never )?(?P<x>.+)", ("Since when have you {x}?", "What does it do to you that you have {x}?")),
    (r"\bmy (?P<x>mother|father|mum|dad|brother|sister|friend|boss|partner|wife|husband|son|daughter|team|job|work)\b.*",
     ("Tell me more about your {x}.", "What comes to mind first when you think of your {x}?")),
    (r"\bbecause (?P<x>.+)", ("Is that the only reason?", "What else might explain it, apart from {x}?")),
    (r"\b(?:always|never|everybody|nobody)\b", ("Can you think of one exception?", "Really without exception?")),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), answers) for pattern, answers in _RULES)
_PLAIN = (
    "Go on: what matters most to you in this?",
    "What do you make of it yourself?",
    "How did you come to this?",
    "What would a friend say to it?",
)


def mirror(question: Question, rng: random.Random) -> Finding | None:
    """Reflect a personal remark; None where nothing personal was said."""
    text = " ".join(question.subject.split())
    if len(text) > 400:
        return None
    for pattern, answers in _COMPILED:
        if match := pattern.search(text):
            said = reflected(match.groupdict().get("x") or "")
            return _reflection(rng.choice(answers).format(x=said or "that"), text)
    if question.kind == "remark" and re.search(r"\b(i|my|me)\b", text, re.IGNORECASE):
        return _reflection(rng.choice(_PLAIN), text)
    return None


def reflected(words: str) -> str:
    """Return words as the listener says them back: I becomes you, my becomes your."""
    trimmed = re.split(r"[.!?;,]", words, maxsplit=1)[0].strip()
    return " ".join(_TURNED.get(word.lower(), word) for word in trimmed.split())


def _reflection(asked: str, text: str) -> Finding:
    first = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0].rstrip(".!?")
    heard = reflected(first)
    return Finding(
        topic="your state of mind",
        talk=True,
        answer=f"{heard[:1].upper()}{heard[1:]}. {asked}",
        rough=asked,
        points=(f"You said: “{first}”.",),
        caveat="I only turn your words around; a person who knows you would hear more in them.",
        check=asked,
        confident=True,
        method="I turned the sentence around and asked what usually helps to go on.",
    )
