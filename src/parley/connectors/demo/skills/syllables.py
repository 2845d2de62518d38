"""Counting the syllables of English words: vowel groups, with corrections."""

import re

_EXCEPTIONS = {
    "every": 2, "evening": 2, "somebody": 3, "nobody": 3, "anybody": 4, "poem": 2, "poet": 2, "quiet": 2, "science": 2, "idea": 3, "being": 2, "fire": 1, "hour": 1,
    "our": 1, "area": 3, "people": 2, "something": 2, "sometimes": 2, "somewhere": 2, "created": 3, "create": 2, "diet": 2,
    "lion": 2, "real": 1, "usually": 4, "world": 1, "chocolate": 3, "different": 3, "business": 2, "family": 3, "camera": 3,
    "ocean": 2, "once": 1, "are": 1, "were": 1, "café": 2, "data": 2, "piano": 3, "radio": 3, "video": 3, "language": 2,
    "python": 2, "algorithm": 4, "violet": 3, "theory": 3, "naked": 2, "wicked": 2, "sacred": 2, "hundred": 2, "quiets": 2,
}  # fmt: skip
_GROUP = re.compile(r"[aeiouy]+")


def syllables(word: str) -> int:
    """Return the number of syllables of a word, at least 1: a good guess, not a dictionary."""
    letters = re.sub(r"[^a-zé]", "", word.lower().replace("’s", "").replace("'s", ""))
    if letters in _EXCEPTIONS:
        return _EXCEPTIONS[letters]
    count = len(_GROUP.findall(letters.replace("é", "e")))
    if re.search(r"[^aeiouy]e$", letters) and not re.search(r"[^aeiouy]le$", letters):
        count -= 1  # a silent e, but not in "little"
    if re.search(r"[^aeioutd]ed$", letters):
        count -= 1  # "walked", but not "wanted"
    if re.search(r"([^aeiou]|[aeiouy][^aeiouy])es$", letters) and not re.search(
        r"([scxz]|sh|ch|g|l)es$", letters
    ):
        count -= 1  # "stones", but not "roses"
    count += len(re.findall(r"(?:i[ao](?!u|n)|[aeo]ing$|ua(?!r|l)|eo(?!u))", letters))
    return max(count, 1)


def syllables_of_line(line: str) -> int:
    """Return the syllables of a line of text."""
    return sum(syllables(word) for word in re.findall(r"[A-Za-zé’']+", line))
