"""Identity leaks: what a battle's prompts or answers reveal about its models."""

import re
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from parley.text.identity.lines import is_alone, signed
from parley.text.identity.names import Mention, Names, names_of
from parley.text.identity.plain import plain
from parley.text.identity.questions import asks_who_answers, is_open
from parley.text.identity.statements import spoken_about, statements

Leak: TypeAlias = Literal["answer", "question"]

SHORT = 80
"""Characters of a plain answer up to which a name alone may be a leak."""

_FENCED = re.compile(r"```[^\n`]{0,60}\n(.*?)(?:```|\Z)", re.DOTALL)
_WORD = re.compile(r"[^\W_]+")


def find_leak(prompts: Sequence[str], answers: Iterable[str], names: Sequence[str]) -> Leak | None:
    """Return what reveals the model: an answer that names one, or a question about it; None for neither.

    `names`: the ids, names, organisations, families and provider names of all listed models. `known.py` adds well-known
    ones. It does not matter whether the named model is the one that answered, since the voter believes it. Linear in
    the length of the texts.
    """
    known = names_of(tuple(sorted(set(names))))
    asks_identity = any(map(asks_who_answers, prompts))
    talk = _Talk(prompts, known)
    if any(_names_itself(answer, known, talk, asks_identity) for answer in answers):
        return "answer"
    return "question" if asks_identity else None


class _Talk:
    """The makers that the prompts name, and if they address the model."""

    def __init__(self, prompts: Sequence[str], names: Names) -> None:
        texts = [plain(prompt) for prompt in prompts]
        mentions = [names.mentions(text) for text in texts]
        self.named = {mention.maker for each in mentions for mention in each}
        self.stated = {
            mention.maker
            for text, each in zip(texts, mentions, strict=True)
            for mention in statements(text, each)
        }
        self.is_open = any(map(is_open, texts))


def _names_itself(answer: str, names: Names, talk: _Talk, asks_identity: bool) -> bool:
    text = plain(_without_code(answer))
    mentions = names.mentions(text)
    if not mentions:
        return False
    if not asks_identity:
        about = spoken_about(text, mentions)
        mentions = [mention for mention in mentions if mention not in about]
    if asks_identity or any(mention.maker not in talk.stated for mention in statements(text, mentions)):
        return True
    free = [mention for mention in mentions if mention.maker not in talk.named]
    if not free or len({mention.maker for mention in mentions}) > 1:
        return False
    if any(signed(text, free)) and '"messages"' not in text:  # which a request to a model has
        return True
    return _is_name_alone(text, free, talk)


def _is_name_alone(text: str, mentions: Sequence[Mention], talk: _Talk) -> bool:
    """Return whether a short answer names a model without being asked about one.

    A name that is also a word, or that of a company, counts only if there is nothing else.
    """
    if len(text.strip()) > SHORT or not talk.is_open:
        return False
    return any(
        mention.kind == "clear"
        or (mention.has_version and mention.kind == "plain")
        or is_alone(text, mention)
        for mention in mentions
        if mention.kind not in ("listed", "lower")
    )


def _without_code(text: str) -> str:
    rest = _FENCED.sub("\n", text)
    return rest if _WORD.search(rest) else text
