"""Understanding a conversation far enough to answer it: the question, its follow-ups, its words."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from parley.connectors.demo.languages import ANY_LANGUAGE, language_in
from parley.kernel.messages import Message, text_of

MOST_CHARACTERS = 20_000
"""How much of a message is looked at: skills run on the event loop."""
MOST_OF_AN_INSTRUCTION = 300
"""How long an instruction may be in which a programming language is looked for."""

_STOP_WORDS = """
a about above after again all also am an and any are as at be because been before being below between both but
by can could did do does doing done down during each every few for from further get give had has have having he
her here hers him his how i if in into is it its itself just let like make many me more most much my no nor not
now of off on once one only or other our out over own please same she should show so some such tell than that
the their them then there these they this those through to too under until up us use using very want was we
were what when where which while who whom why will with would write you your explain describe sentence
sentences word words short briefly me's i'd i'm what's it's
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_IT = r"(it|that|this)"
_FOLLOW_UPS: dict[str, str] = {
    "shorter": rf"(make {_IT} )?(much )?(shorter|briefer|more concise)|tl;?dr|in (one|a) sentence|"
    rf"(be )?(brief|concise)|in short|too long|cut it( down)?|summari[sz]e {_IT}",
    "longer": rf"(make {_IT} )?(longer|more detail(s|ed)?)|(tell me |say )?more|elaborate|go on|"
    rf"continue|expand( on)?( {_IT})?|in (more )?detail|keep going",
    "again": r"again|(try|do|say) (it |that )?again|another( one| version| try)?|one more( time)?|"
    r"different(ly)?|rephrase( it| that)?|retry|redo( it)?",
    "why": rf"(but )?why( (is|does|do|not|so)\b.{{0,30}})?|how come|explain( ({_IT}|why|yourself))?( to me)?|"
    rf"how so|(can|could) you explain( {_IT})?|i do(n't| not) understand|how do you know|"
    r"show (me )?(the |your )?(work|steps|working)|prove it",
    "example": r"(give me |show me )?(an? |another )?example(s)?|for (example|instance)",
    "table": rf"((put|make|show) {_IT} )?(as|in|into) a table",
    "language": rf"(((what|how) about|(can|could) you (do|write|show) {_IT}|(re)?write {_IT}|do {_IT}|show (me )?{_IT}|"
    rf"make {_IT}|give me {_IT}|(translate|convert|port) {_IT}|(and )?the same|same) )?(but )?((in|to|into|for|using|with) )?"
    rf"({ANY_LANGUAGE})( instead| now)?",
    "sure": rf"(are|r) you (really )?sure|really|is {_IT} (right|true|correct)|check ({_IT}|again)|double[- ]check",
    "thanks": r"(ok(ay)?,? )?(thanks?|thank you|thx|cheers|great|perfect|nice|cool|ok(ay)?)( a lot| so much)?",
}
_PLEASE = r"(?:please\W+|and\W+|now\W+|ok(?:ay)?\W+)?"
_COMPILED = tuple(
    (name, re.compile(rf"\W*{_PLEASE}(?:{pattern})\W*(?:please\W*)?", re.IGNORECASE))
    for name, pattern in _FOLLOW_UPS.items()
)
_IDENTITY = re.compile(
    r"\b(who|what) (are|r) (you|u)\b|\byour name\b|\bwhich (model|ai|llm|bot)\b|\bwho (made|built|trained|created) you\b|"
    r"\bwhat model\b|\bintroduce yourself\b|\bare you (really )?(an? |the )?(ai|bot|robot|human|person|demo|program|(large )?language model|(chat)?gpt|llm|claude|gemini|llama|"
    r"mistral|ada|pico|lyra|maieu|vera|tilo|echo)\b|"
    r"\bwhat can you do\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"\W*(hi|hello|hey|good (morning|evening|afternoon|day)|greetings|howdy|hallo|yo)\b(?: (there|all|everyone))?\W*",
    re.IGNORECASE,
)
_SHORTENS = re.compile(r"\b(summari[sz]e|summary|tl;?dr|shorten|condense)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_](?:[^\W_]|['’-](?=\w))*")


@dataclass(frozen=True)
class Question:
    """What is asked now, and what was asked before.

    `text` is the last thing the person said; `subject` is what a follow-up such as "shorter" is
    about: the last question that stands alone. `language` is the programming language that was named
    last, in the subject or in a follow-up to it. `previous` is the last answer in the conversation.
    """

    text: str
    subject: str
    follow_up: str | None
    language: str | None
    previous: str | None
    earlier: tuple[str, ...]
    turns: int

    @cached_property
    def asks_identity(self) -> bool:
        """True where the person wants to know who is answering."""
        return _asks_identity(self.subject if self.follow_up else self.text)

    @cached_property
    def greets(self) -> bool:
        """True where there is nothing but a greeting."""
        return _greets(self.text)

    @cached_property
    def kind(self) -> str:
        """The question's type, by its first words."""
        return question_kind(self.subject)

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """The words that carry the subject, the most frequent first."""
        return keywords(self.subject)

    @cached_property
    def instruction(self) -> str:
        """The subject without the text that it brings along."""
        return split_material(self.subject)[0]

    @cached_property
    def material(self) -> str | None:
        """A longer text that the person gave to work on."""
        return split_material(self.subject)[1]


def read_question(messages: Sequence[Message]) -> Question:
    """Return what the conversation asks for now. An empty conversation asks nothing."""
    said = [(message.role, _whole(text_of(message).strip()[:MOST_CHARACTERS])) for message in messages]
    asked = [text for role, text in said if role == "user" and text]
    answers = [text for role, text in said if role == "assistant" and text]
    text = asked[-1] if asked else ""
    follow_up = follow_up_kind(text) if len(asked) > 1 else None
    place = _subject_place(asked) if follow_up else len(asked) - 1
    subject = asked[place] if asked else ""
    since = [language_in(remark) for remark in asked[place + 1 :] if follow_up_kind(remark) == "language"]
    language = since[-1] if since else language_in(split_material(subject)[0][:MOST_OF_AN_INSTRUCTION])
    previous = answers[-1] if answers else None
    return Question(text, subject, follow_up, language, previous, tuple(asked[:-1]), len(asked))


def _subject_place(asked: Sequence[str]) -> int:
    """Return where the last thing stands that the person really asked: no follow-up, and small talk only if need be."""
    alone = [place for place, text in enumerate(asked[:-1]) if follow_up_kind(text) is None]
    real = [place for place in alone if not _is_small_talk(asked[place])]
    return (real or alone or [len(asked) - 1])[-1]


def _is_small_talk(text: str) -> bool:
    return _asks_identity(text) or _greets(text)


def _asks_identity(text: str) -> bool:
    return len(text) < 200 and _IDENTITY.search(text) is not None


def _greets(text: str) -> bool:
    return len(text) < 40 and _GREETING.fullmatch(text) is not None


def follow_up_kind(text: str) -> str | None:
    """Return which kind of follow-up a short remark is, or None where it stands alone."""
    if len(text) > 80:
        return None
    return next((name for name, pattern in _COMPILED if pattern.fullmatch(text)), None)


def question_kind(text: str) -> str:
    """Return "how", "why", "yes or no", "task" … by the way a text begins."""
    low = text.lstrip().lower()
    for kind, pattern in (
        ("how many", r"how (many|much|long|far|old|big|tall)\b"),
        ("how", r"how\b"), ("why", r"why\b"), ("who", r"who\b"), ("when", r"when\b"), ("where", r"where\b"),
        ("choice", r"(which|should i)\b|.*\b(vs\.?|versus|better)\b"),
        ("definition", r"(what|define|explain|describe)\b"),
        ("yes or no", r"(is|are|was|were|do|does|did|can|could|will|would|has|have|am)\b"),
        ("task", r"(write|make|create|give|list|find|compute|calculate|draw|plan|design|translate|sort)\b"),
    ):  # fmt: skip
        if re.match(pattern, low):
            return kind
    return "question" if low.rstrip().endswith("?") else "remark"


def words_of(text: str) -> list[str]:
    """Return the words of a text, without numbers and punctuation."""
    return _WORD.findall(text)


def keywords(text: str, most: int = 6) -> tuple[str, ...]:
    """Return up to `most` words that carry a text's subject: frequent ones first, then long ones."""
    found = [
        word
        for word in words_of(text)
        if word.lower().replace("’", "'") not in STOP_WORDS and 2 < len(word) < 30
    ]
    counts = Counter(word.lower() for word in found)
    shown: dict[str, str] = {}
    for word in found:
        shown.setdefault(word.lower(), word)
    ranked = sorted(counts, key=lambda word: (-counts[word], -min(len(word), 9)))
    return tuple(shown[word] for word in ranked[:most])


def split_material(text: str) -> tuple[str, str | None]:
    """Return the instruction and the text that it is about, where the prompt brings one along."""
    fenced = re.search(r"```[^\n]*\n(.+?)```|\"\"\"(.+?)\"\"\"|[“\"]([^“”\"]{80,})[”\"]", text, re.DOTALL)
    if fenced:
        material = next(group for group in fenced.groups() if group)
        return (text[: fenced.start()] + text[fenced.end() :]).strip(), material.strip()
    head, colon, rest = text.partition(":")
    if colon and len(head) < 160 and len(rest.split()) >= _least(head):
        return head.strip(), rest.strip()
    head, blank, rest = text.partition("\n\n")
    if blank and len(head) < 300 and len(rest.split()) >= _least(head):
        return head.strip(), rest.strip()
    if blank and len(rest) < 200 and len(head.split()) >= 30:
        return rest.strip(), head.strip()
    return text, None


def _least(instruction: str) -> int:
    """Return how many words make a text to work on: any, where the instruction cannot mean anything else."""
    return 1 if _SHORTENS.search(instruction) else 12


def _whole(text: str) -> str:
    """Return the text with lone surrogates replaced: an answer may repeat parts of it."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
