"""The language of a text, by py3langid; loaded when first used."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Protocol

LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
    "pt": "Portuguese",
    "nl": "Dutch",
    "sv": "Swedish",
    "da": "Danish",
    "no": "Norwegian",
    "fi": "Finnish",
    "pl": "Polish",
    "cs": "Czech",
    "ro": "Romanian",
    "hu": "Hungarian",
    "tr": "Turkish",
    "id": "Indonesian",
    "vi": "Vietnamese",
    "ru": "Russian",
    "uk": "Ukrainian",
    "bg": "Bulgarian",
    "el": "Greek",
    "he": "Hebrew",
    "ar": "Arabic",
    "fa": "Persian",
    "hi": "Hindi",
    "bn": "Bengali",
    "ta": "Tamil",
    "th": "Thai",
    "ko": "Korean",
    "ja": "Japanese",
    "zh": "Chinese",
}
"""Languages that are distinguished, by ISO 639-1 code."""

LOOKED_AT = 1_500
"""Characters that are read."""

SURE = 0.55
"""The probability among LANGUAGES from which on one counts; chosen on half of the labelled prompts."""

LEAST_LETTERS = 6
"""Letters below which a text is in no known language; a character of scripts without spaces counts as three."""

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+|\$\$.*?\$\$", re.DOTALL)
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class _Classifier(Protocol):
    def classify(self, text: str) -> tuple[str, float]: ...


def detect(text: str) -> str | None:
    """Return the ISO 639-1 code of a text's language, code and links left aside; None if it is unclear."""
    plain = _CODE.sub(" ", text[: 2 * LOOKED_AT])[:LOOKED_AT]
    if sum(map(str.isalpha, plain)) + 2 * len(_DENSE.findall(plain)) < LEAST_LETTERS:
        return None
    code, probability = _classifier().classify(plain)
    return code if probability >= SURE else None


@cache
def _classifier() -> _Classifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # pyright: ignore[reportMissingTypeStubs]

    classifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)  # pyright: ignore[reportUnknownMemberType]
    classifier.set_languages(list(LANGUAGES))  # pyright: ignore[reportUnknownMemberType]
    return classifier
