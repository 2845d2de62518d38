"""Words as letters: counting, reversing, palindromes, anagrams, and changing case."""

import random
import re
from collections import Counter

from parley.connectors.demo.finding import Finding, Table
from parley.connectors.demo.question import Question
from parley.connectors.demo.skills.numbers import plural
from parley.connectors.demo.skills.syllables import syllables

_QUOTES = "[\"'“”‘’`]?"
_LETTER_COUNT = re.compile(
    rf"how (?:many|often)(?: times)?(?: does)?(?: the)?(?: letters?)? {_QUOTES}(?P<letter>[a-z]){_QUOTES}(?:'?s)?\s+"
    rf"(?:are |is |there |appears? |letters? )*(?:there )?(?:in|occurs? in)(?: the word)? {_QUOTES}(?P<word>[\w-]+)",
    re.IGNORECASE)  # fmt: skip
_LENGTH = re.compile(
    rf"how (?:many letters|long)(?: are there| is)?(?: in)?(?: the word)? {_QUOTES}(?P<word>[\w-]+){_QUOTES}\W*$",
    re.IGNORECASE,
)
_REVERSE = re.compile(
    rf"(?:reverse|spell backwards|backwards)(?: the (?:word|string|text))?:? {_QUOTES}(?P<text>[^\"“”]+?){_QUOTES}\W*$",
    re.IGNORECASE,
)
_PALINDROME = re.compile(rf"is {_QUOTES}(?P<text>.+?){_QUOTES} a palindrome", re.IGNORECASE)
_ANAGRAM = re.compile(
    rf"(?:are|is) {_QUOTES}(?P<a>[\w-]+){_QUOTES} (?:and|an anagram of) {_QUOTES}(?P<b>[\w-]+){_QUOTES}(?: anagrams?)?",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"(?P<case>upper ?case|capital letters|lower ?case|title case|snake[_ ]case|camel ?case|kebab[- ]case)\b.*?:\s*(?P<text>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_SYLLABLES = re.compile(
    rf"how many syllables(?: are)?(?: there)?(?: has| does)?(?: in)?(?: the (?:word|line))? {_QUOTES}(?P<text>[^\"“”?]+)",
    re.IGNORECASE,
)


def wordplay(question: Question, rng: random.Random) -> Finding | None:
    """Answer a question about the letters of a word."""
    del rng
    text = question.subject
    if len(text) > 4000:
        return None
    if match := _LETTER_COUNT.search(text):
        return _letter_count(match["letter"], match["word"])
    if match := _SYLLABLES.search(text):
        return _syllable_count(match["text"].strip())
    if match := _PALINDROME.search(text):
        return _palindrome(match["text"])
    if "anagram" in text.lower() and (match := _ANAGRAM.search(text)):
        return _anagram(match["a"], match["b"])
    if match := _LENGTH.search(text):
        return _length(match["word"])
    if match := _CASE.search(text):
        return _case(match["case"].lower().replace(" ", ""), match["text"].strip())
    if "in python" not in text.lower() and (match := _REVERSE.search(text)) and "," not in match["text"]:
        return _reverse(match["text"].strip())
    return None


def _letter_count(letter: str, word: str) -> Finding:
    places = [number for number, char in enumerate(word, 1) if char.lower() == letter.lower()]
    count = len(places)
    marked = "".join(f"**{char}**" if number in places else char for number, char in enumerate(word, 1))
    return Finding(
        topic=f"the letter “{letter}” in “{word}”",
        answer=f"“{word}” has **{count}** {letter if count == 1 else letter + '’s'}.",
        rough=f"{count}.",
        steps=(f"Spelt out: {'-'.join(word)}", f"Marked: {marked}", f"Places: {', '.join(map(str, places)) or 'none'}"),
        points=(f"The word is {plural(len(word), 'letter')} long.",),
        table=Table(("letter", "times"), tuple((char, str(times)) for char, times in Counter(word.lower()).most_common(8))),
        caveat="Capitals and small letters count as the same.",
        check="Where in the word do two of them stand side by side?",
        value=float(count),
        method="I went through the word letter by letter.",
    )  # fmt: skip


def _syllable_count(text: str) -> Finding:
    words = re.findall(r"[A-Za-z’']+", text)
    counts = [(word, syllables(word)) for word in words]
    total = sum(count for _, count in counts)
    return Finding(
        topic=f"the syllables of “{text}”",
        answer=f"“{text}” has **{plural(total, 'syllable')}**.",
        rough=f"{total}.",
        steps=tuple(f"{word}: {count}" for word, count in counts[:12]),
        caveat="I count groups of vowels and know some exceptions; English has more of them than I do.",
        check="Would you say it the same way in a song?",
        value=float(total),
        method="I counted vowel groups, with corrections for silent endings.",
    )


def _palindrome(text: str) -> Finding:
    letters = "".join(char.lower() for char in text if char.isalnum())
    yes = letters == letters[::-1]
    return Finding(
        topic=f"“{text}” read backwards",
        answer=f"{'Yes' if yes else 'No'}: “{text}” is {'' if yes else 'not '}a palindrome.",
        rough="Yes." if yes else "No.",
        steps=(f"Letters only: {letters}", f"Backwards: {letters[::-1]}"),
        caveat="Spaces, punctuation and capitals are left out.",
        check="What is the shortest change that would make it the other thing?",
        method="I compared the letters with their own reverse.",
    )


def _anagram(a: str, b: str) -> Finding:
    first, second = Counter(a.lower()), Counter(b.lower())
    yes = first == second and a.lower() != b.lower()
    odd = ", ".join(sorted((first - second + (second - first)).keys()))
    return Finding(
        topic=f"“{a}” and “{b}”",
        answer=f"{'Yes' if yes else 'No'}: “{a}” and “{b}” are {'' if yes else 'not '}anagrams of each other.",
        rough="Yes." if yes else "No.",
        steps=(f"{a} in order: {''.join(sorted(a.lower()))}", f"{b} in order: {''.join(sorted(b.lower()))}"),
        points=(f"They differ in: {odd}.",) if odd else (),
        check="Which other word could you make of the same letters?",
        method="I sorted the letters of both.",
    )


def _length(word: str) -> Finding:
    vowels = sum(char in "aeiou" for char in word.lower())
    return Finding(
        topic=f"the length of “{word}”",
        answer=f"“{word}” has **{plural(len(word), 'letter')}**.",
        rough=f"{len(word)}.",
        steps=(f"Spelt out: {'-'.join(word)}",),
        points=(f"{vowels} vowels, {plural(syllables(word), 'syllable')}.",),
        check="Without looking: which letter is in the middle?",
        value=float(len(word)),
        method="I counted letter by letter.",
    )


def _case(case: str, text: str) -> Finding:
    words = re.findall(r"[\w’']+", text)
    changed = {
        "u": text.upper(), "l": text.lower(), "t": text.title(), "s": "_".join(words).lower(), "k": "-".join(words).lower(),
    }.get("u" if case.startswith("capital") else case[0]) or "".join(
        word.capitalize() if number else word.lower() for number, word in enumerate(words)
    )  # fmt: skip
    return Finding(
        topic="your text in another case", answer="Nothing but the case was changed.", work=changed,
        check="Which names lose their capitals by this?", method="I changed the letters one by one.",
    )  # fmt: skip


def _reverse(text: str) -> Finding:
    return Finding(
        topic=f"“{text}” reversed",
        answer=f"“{text}” backwards is **{text[::-1]}**.",
        rough=text[::-1],
        steps=(f"Forwards: {' '.join(text[:40])}", f"Backwards: {' '.join(text[:40][::-1])}"),
        points=("It is a palindrome." if text.lower() == text.lower()[::-1] else "It is not a palindrome.",),
        check="Which letter stays in its place?",
        method="I read it from its end.",
    )
