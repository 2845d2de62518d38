"""Texts that a person brings: figures about them, and summaries out of their own sentences."""

import random
import re
from collections import Counter

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.question import STOP_WORDS, Question, keywords, words_of
from parley.connectors.demo.skills.numbers import listed, plural
from parley.connectors.demo.skills.syllables import syllables

_SUMMARY = re.compile(
    r"\b(summar\w+|tl;?dr|main points?|key points?|gist|in short|shorten|condense|takeaways?)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b(how many (words|characters|sentences|letters)|count|word count|statistics|readab\w+|reading time|analy[sz]e)\b",
    re.IGNORECASE,
)
_KEYWORDS = re.compile(r"\b(keywords?|key ?words|topics?|tags?)\b", re.IGNORECASE)
_FEWEST_WORDS = 5
"""A text with fewer words is not summarised."""
_SENTENCE = re.compile(r"[^.!?…]+(?:[.!?…]+[\"”’)]*|$)")


def prose(question: Question, rng: random.Random) -> Finding | None:
    """Summarise, count or tag the text that a question brings."""
    del rng
    material, asked = question.material, question.instruction
    if material is None:
        return None
    if _COUNT.search(asked):
        return _figures(material)
    if _KEYWORDS.search(asked):
        return _tags(material)
    if not _SUMMARY.search(asked):
        return None
    if len(sentences_of(material)) < 2 or len(material.split()) < _FEWEST_WORDS:
        return _too_short(material)
    return _summary(material)


def long_text(question: Question, rng: random.Random) -> Finding | None:
    """Summarise a long text that came without a task which is understood."""
    del rng
    material = question.material or question.subject
    return _summary(material) if len(material.split()) > 60 and len(sentences_of(material)) > 2 else None


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text, trimmed."""
    return [
        sentence.strip()
        for sentence in _SENTENCE.findall(" ".join(text.split()))
        if len(sentence.split()) > 1
    ]


def extract(text: str, most: int) -> list[str]:
    """Return the sentences that carry most of a text's frequent words, in the text's order."""
    sentences = sentences_of(text)
    weights = Counter(
        word.lower() for word in words_of(text) if word.lower() not in STOP_WORDS and len(word) > 2
    )

    def score(place: int) -> float:
        words = {word.lower() for word in words_of(sentences[place])}
        carried = sum(weights[word] for word in words)
        # Long sentences carry more words just by length, and the first one usually says what it is about.
        return carried / (len(words) + 4) ** 0.7 + (1.0 if place == 0 else 0.0)

    best = sorted(range(len(sentences)), key=score, reverse=True)[:most]
    return [sentences[place] for place in sorted(best)]


def _summary(text: str) -> Finding | None:
    sentences = sentences_of(text)
    if not sentences:
        return None
    kept = extract(text, max(1, min(3, len(sentences) // 3 + 1)))
    words = len(text.split())
    left = sum(len(sentence.split()) for sentence in kept)
    about = keywords(text, 3)
    return Finding(
        topic=f"a text about {listed(about)}" if about else "your text",
        answer=f"{plural(words, 'word')} became {left}: {plural(len(kept), 'sentence')} out of {len(sentences)}, unchanged.",
        rough=kept[0],
        work="\n".join(f"- {sentence}" for sentence in kept) if len(kept) > 1 else kept[0],
        steps=(f"Words that carry the text: {listed(keywords(text, 5))}", f"Sentences kept: {len(kept)} of {len(sentences)}"),
        points=(f"The longest sentence has {max(len(sentence.split()) for sentence in sentences)} words.",) if sentences else (),
        caveat="These are the text’s own sentences, chosen by word frequency; I do not understand it.",
        check="Which sentence would you miss most?",
        method="I scored every sentence by the frequent words that it holds, and kept the best in their order.",
    )  # fmt: skip


def _too_short(text: str) -> Finding:
    words = plural(len(text.split()), "word")
    return Finding(
        topic="a text too short to shorten",
        answer=f"The text is too short to shorten: it is {words} long, and I leave out whole sentences only.",
        rough=f"Too short to shorten: {words}.",
        points=("From two sentences on there is something to choose from.",),
        caveat="I choose sentences by word frequency; I cannot put one in fewer words.",
        check="Which word of it could you do without?",
        method="I counted words and sentences before choosing any.",
    )


def _figures(text: str) -> Finding:
    words, sentences = words_of(text), sentences_of(text)
    count = len(text.split())
    average = count / max(len(sentences), 1)
    spoken = sum(syllables(word) for word in words)
    ease = 206.835 - 1.015 * average - 84.6 * spoken / max(len(words), 1)
    minutes = count / 230
    time = f"{round(minutes * 60)} seconds" if minutes < 1 else f"{minutes:.1f} minutes"
    rows = (
        ("words", f"{count:,}"), ("characters", f"{len(text):,}"), ("without spaces", f"{len(''.join(text.split())):,}"),
        ("sentences", f"{len(sentences):,}"), ("words per sentence", f"{average:.1f}"),
        ("different words", f"{len({word.lower() for word in words}):,}"), ("reading ease", f"{ease:.0f}"), ("reading time", time),
    )  # fmt: skip
    level = "easy" if ease >= 70 else "plain" if ease >= 50 else "demanding"
    return Finding(
        topic="the figures of your text",
        answer=f"The text has **{plural(count, 'word')}** in {plural(len(sentences), 'sentence')}; reading takes about {time}.",
        rough=f"{count:,} words.",
        table=Table(("figure", "value"), rows),
        points=(f"It reads {level} (Flesch {ease:.0f}).", f"Most frequent: {listed(keywords(text, 4))}."),
        steps=(
            f"Words: {count}",
            f"Sentences: {len(sentences)}",
            f"{count} ÷ {len(sentences)} = {average:.1f} words each",
        ),
        caveat="Reading time assumes 230 words a minute; reading ease is made for English.",
        check="Which sentence would you cut in two?",
        value=float(count),
        method="I counted, and computed the Flesch reading ease from words, sentences and syllables.",
    )


def _tags(text: str) -> Finding:
    found = keywords(text, 8)
    counts = Counter(word.lower() for word in words_of(text))
    return Finding(
        topic="the keywords of your text",
        answer=f"The words that carry it: **{', '.join(found)}**.",
        rough=", ".join(found[:4]),
        table=Table(("word", "times"), tuple((word, str(counts[word.lower()])) for word in found)),
        caveat="Frequency is not importance.",
        check="Which of them would you search for?",
        method="I counted words that are not grammar.",
    )
