"""Titles that a model was asked for: checked, since small models think, refuse, or answer the question instead."""

import re
from typing import Final, cast

import msgspec

from parley.text.titles import clean_title

MOST_WORDS: Final = 10
"""Six are asked for; a line of more is an answer."""

MOST_UNSPACED: Final = 30
"""The most characters of a title in a script without spaces between words."""

SENTENCE_WORDS: Final = 6
"""A line of more words that ends with a full stop is a sentence, not a title."""

_VERBS = (
    r"is|are|was|were|equals|makes|means|has|have|ist|sind|war|waren|hat|haben|heißt|ergibt|es|son|está|están|tiene|"
    r"est|sont|fait|font|était|è|sono|ha|fa|é|são|tem|zijn|heeft|är|har|er|jest|są|to|je|jsou|on|ovat|este|sunt|eder|"
    r"это|является|равно|равен|равна|будет|є|дорівнює|هو|هي|يساوي"
)
_STATED = re.compile(
    rf"\S\s(?:{_VERBS}|[-–—=])\s\S|\b(?:it|that|there)['’]s\b|^c['’]est\b|\s(?:है|हैं|था|थे)।", re.IGNORECASE
)
"""A verb within a line that ends as a sentence."""
_PLAINLY_STATED = re.compile(
    r"^(?!.*\b(?i:why|what|how|where|when|who|whose|which|whether|if|that|than|between|is|are|was|were|has|have)\b.*\s"
    r"(?:is|are|was|were|equals)\s)\S.*\s(?:is|are|was|were|equals)\s\S|"
    r"^(?i:it['’]s|it is|that['’]s|there (?:is|are)|the answer)\s|"
    r"^(?i:(?:the )?answer|antwort|réponse|respuesta|ответ)\s*:"
)
"""An English statement with or without its full stop: no question, and no “life that is worth living”."""
_UNSPACED_STATEMENT = re.compile(r"(?:です|ます|でした|ました|である|입니다|습니다|이다|。)[.。\"”」]*$")

_THOUGHT = r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad|begin_of_thought|end_of_thought)"
_LAST_THOUGHT = re.compile(
    rf"[\s\S]*(?:[<\[◁]\s*[/|]+\s*{_THOUGHT}\s*\|?[>\]▷]|<\|end_of_thought\|>|<channel\|>)|"
    r"\A(?-i:(?:assistant)?(?:analysis|commentary)(?![a-z])[\s\S]*?assistant\n?final)|"
    r"[\s\S]*<\|(?:channel|start)\|>\s*(?:assistant)?[\s\S]*?final\s*<\|message\|>",
    re.IGNORECASE,
)
_OPEN_THOUGHT = re.compile(rf"[<\[◁]\|?\s*{_THOUGHT}\s*\|?[>\]▷]|<\|channel\|?>", re.IGNORECASE)
_MARKERS = re.compile(r"<\|[a-z_]+\|>|</?(?:s|title|answer)>", re.IGNORECASE)

_LABELS = (
    (
        r"(?:(?:sure|certainly|of course|okay|ok|here you go|absolutely)[,.!:]*\s+)?"
        r"(?:here(?:['’]s| is| are)|(?:a|my|the|one) (?:suggested |possible |good )?title\b|"
        r"(?:the )?(?:suggested |conversation |chat )?title\b)[^:：\n]{0,60}[:：]"
    ),
    r"title\s+[-–—]\s",
    (
        r"(?:titel|título|titulo|titre|titolo|tytuł|tittel|rubrik|otsikko|başlık|заголовок|название|назва|"
        r"标题|標題|タイトル|題名|제목|العنوان|عنوان|शीर्षक)\s*[:：]"
    ),
)
_LABEL = re.compile(rf"^(?:{'|'.join(_LABELS)})\s*", re.IGNORECASE)

_REFUSALS = (
    r"i(?:['’]m| am) (?:sorry|unable|not able|afraid|happy|here|just|an ai)\b",
    r"i (?:can(?:['’]|no| no)?t|could(?:n['’]t| not)|won['’]t|will not|do(?:n['’]t| not) (?:have|know))\b",
    r"i (?:apologi[sz]e|need (?:to|more)|think|would|must)\b",
    r"sorry[,.!]|my apologies|unfortunately[, ]|as an? (?:ai|large|language|assistant)\b|unable to\b",
    r"es tut mir leid|leider (?:kann|ist)|ich kann (?:nicht|keine|dir|ihnen)|entschuldigung[,.!]",
    r"lo siento|no puedo\b|(?:je suis )?désolée?[,. ]|je ne peux\b|mi dispiace|non posso\b|desculpe|não posso\b",
    r"przepraszam|nie mogę\b|извините|простите[,.!]|к сожалению|я не могу",
    r"抱歉|对不起|對不起|很遗憾|我无法|我不能|作为(?:一个|一名)?(?:ai|人工智能)",
    r"申し訳|すみません|죄송|عذر|آسف|क्षमा|मुझे खेद",
)
_TALK = (
    r"(?:no|without|untitled|none|null|n/a|title)\W*$|no title\b",
    r"(?:okay|ok|alright|hmm+|well|so)[,.…]",
    r"(?:let me|let['’]s|we need|we are asked|we have to|the user|user (?:wants|asks))\b",
    r"(?:yes|no|sure|certainly|of course|absolutely|hello|hi|hey|thanks|thank you)\s*[,.!:]",
    r"(?:great|good) question\s*[,.!:]|here(?:['’]s| is| are)\b",
)
_NOT_A_TITLE = re.compile(f"^(?:{'|'.join((*_REFUSALS, *_TALK))})", re.IGNORECASE)
_INSTRUCTION = re.compile(r"<<<|>>>|at most six words|the message:", re.IGNORECASE)
_AROUND = re.compile(r"^(?:[*_#>\"'“”„`\s-]|\d{1,3}[.)]\s)+")
_SENTENCES = re.compile(r"[.!?。！？]\s+\S+\s+\S|[。！？](?=\w)")
_BOXED = re.compile(r"\$*\\boxed\{(?:\\text\{)?([^{}]+)\}{1,2}\$*")
_KEYS = frozenset(
    ("title", "titel", "titre", "título", "titulo", "titolo", "name", "标题", "タイトル", "제목")
)
_LOOKED_AT = 400
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def title_in(answer: str) -> str:
    """Return the title in a model's answer; empty if it thinks aloud, refuses, or answers the question instead."""
    text = _MARKERS.sub(" ", _without_thoughts(answer)).strip()
    for line in _lines(text):
        title = clean_title(_LABEL.sub("", line))
        if not title and len(text.splitlines()) > 1:
            continue  # a label, or a line before the title
        return title if _is_title(line, title) else ""
    return ""


def _without_thoughts(answer: str) -> str:
    """Return what follows the last thought; nothing if one never ends."""
    text = _LAST_THOUGHT.sub("", answer, count=1)
    return "" if _OPEN_THOUGHT.search(text) else text


def _lines(text: str) -> list[str]:
    """Return the lines that may be the title: that of JSON or of a box, else all."""
    plain = text.removeprefix("```json").strip("` \n")
    if (boxed := _BOXED.fullmatch(plain)) is not None:
        return [boxed[1]]
    try:
        return _texts(msgspec.json.decode(plain))[:1]
    except (ValueError, RecursionError):
        return [line for line in text.splitlines() if line.strip()]


def _texts(written: object) -> list[str]:
    """Return the texts of a JSON document, that of a title first. Raises ValueError for a mere number."""
    values = cast("list[object]", written) if isinstance(written, list) else [written]
    if isinstance(written, dict):
        fields = cast("dict[str, object]", written)
        values = sorted(fields.values(), key=lambda value: value not in _titled(fields))
    if isinstance(written, int | float):
        raise ValueError("a number is a title's line")
    return [value for value in values if isinstance(value, str)]


def _titled(fields: dict[str, object]) -> list[object]:
    return [value for name, value in fields.items() if name.lower() in _KEYS]


def _is_title(line: str, title: str) -> bool:
    plain = _LABEL.sub("", _AROUND.sub("", line)).strip()
    if not any(map(str.isalpha, title)) or _NOT_A_TITLE.search(plain) or _NOT_A_TITLE.search(title):
        return False
    if _INSTRUCTION.search(plain) or title.endswith("…") or _SENTENCES.search(plain):
        return False
    if len(_UNSPACED.findall(title)) > len(title) // 2:
        return len(title) <= MOST_UNSPACED and not _UNSPACED_STATEMENT.search(plain)
    return len(title.split()) <= MOST_WORDS and not _is_statement(plain[:_LOOKED_AT])


def _is_statement(line: str) -> bool:
    """Return whether a line says something, as an answer does, instead of naming what the question is about."""
    ends = line.rstrip("*_\"'”“»` ").endswith((".", "।"))
    words = len(line.split())
    return bool(
        _PLAINLY_STATED.search(line)
        or (ends and (words == 1 or words > SENTENCE_WORDS or _STATED.search(line)))
    )
