"""Questions about identity: whether a prompt asks which model answers."""

import re
from functools import cache

from parley.text.identity.known import MAKERS
from parley.text.identity.plain import plain, simplest
from parley.text.identity.question_phrases import AI, MADE, QUESTIONS

LOOKED_AT = 400
"""Characters at each end of a prompt that are read: questions to the model are there."""

_QUOTED = re.compile(r'(?<=[^\s"]) ?"[^"\n]{0,200}"|"[^"\n]{0,200}"(?= ?[^\s".!?])')
_OF_WORDS = re.compile(
    r"\b(?:translat\w*|how do (?:you|i|we) say|ubersetz\w*|ubersetzt|auf (?:englisch|deutsch)|tradui\w*|traduc\w*|"
    r"traduz\w*|vertaal|oversatt\w*|oversett\w*|kaanna|przetlumacz|preloz|переведи\w*|переклади|"
    r"翻译|翻譯|訳して|번역)\b"
)
_ASKS = re.compile(
    r"\?|^(?:who|what|which|name|wer|was|welche\w*|qui|quel\w*|quien|que|quem|chi|wie|vem|kuka|kto|kdo)\b"
)
_YOU = re.compile(
    r"\b(?:you|your|du|dich|dir|dein\w*|tu|te|toi|vous|votre|usted|voce|ti|je|jij|jou|dig|din|deg|sina|sinulla|cie|masz|"
    r"mas|esti|ai|te|sen|seni|kamu|anda|ban|ты|тебя|тебе|вы|ти|имаш|εχεις|εισαι|לך|אתה|لديك|انت|داری|तुम|आप|তুমি)\b|"
    "你|您|あなた|君|너|당신|คุณ"
)
_WORD_BEGINS = r"\b"
_AFTER_WORD = re.compile(r"(?<=[^\s(|])~")


def asks_who_answers(prompt: str) -> bool:
    """Return whether a prompt asks which model answers or who made it, or wants either named."""
    if len(prompt) > 2 * LOOKED_AT:
        prompt = prompt[:LOOKED_AT] + "\n" + prompt[-LOOKED_AT:]
    text = " ".join(plain(prompt).casefold().split())
    if _OF_WORDS.search(text):
        return False
    text = _QUOTED.sub(" ", text)
    latin, others = _patterns()
    return bool(latin.search(text) or (not text.isascii() and others.search(text)))


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return all questions as one pattern for those that begin a word, and one for those in other scripts.

    One after the other they take eight times as long: each would look for the beginnings of words by itself.
    """
    names = sorted(
        {
            plain(name).casefold()
            for maker in MAKERS
            for name in (*maker.clear, *maker.plain, *maker.companies)
        }
    )
    parts = {
        "{ai}": AI,
        "{made}": MADE,
        "{name}": f"(?:{'|'.join(map(re.escape, names))})(?![a-zа-я])",
        "~": r"(?:[^\s?!.]+ ){0,4}?",
    }
    patterns: list[str] = []
    for rows in QUESTIONS.values():
        for row in rows:
            pattern = _AFTER_WORD.sub(" ~", simplest(row))
            for sign, meaning in parts.items():
                pattern = pattern.replace(sign, meaning)
            patterns.append(pattern)
    begins = [pattern.removeprefix(_WORD_BEGINS) for pattern in patterns if pattern.startswith(_WORD_BEGINS)]
    others = [pattern for pattern in patterns if not pattern.startswith(_WORD_BEGINS)]
    return re.compile(f"{_WORD_BEGINS}(?:{'|'.join(begins)})"), re.compile("|".join(others))


def is_open(prompt: str) -> bool:
    """Return whether a plain prompt asks for nothing that a name could answer.

    That is a greeting or a request, or a question to the model: it has no question mark, or addresses a “you”.
    """
    text = prompt.casefold()
    return not _ASKS.search(text) or bool(_YOU.search(text))
