"""Names for people, made of a model's id."""

import re
from collections.abc import Iterable

_BRANDS = [
    "AI",
    "BGE",
    "BLOOM",
    "BitNet",
    "C4AI",
    "ChatGLM",
    "ChatGPT",
    "CodeGeeX",
    "CodeGemma",
    "CodeQwen",
    "DBRX",
    "DPO",
    "DeepCoder",
    "DeepHermes",
    "DeepSeek",
    "ERNIE",
    "EXAONE",
    "EuroLLM",
    "GLM",
    "GPT",
    "HF",
    "IT",
    "InternLM",
    "InternVL",
    "JSON",
    "KAT",
    "LFM",
    "LLaVA",
    "LongCat",
    "MAI",
    "MPT",
    "MedGemma",
    "MiMo",
    "MiniCPM",
    "MiniMax",
    "MoE",
    "OCR",
    "OLMo",
    "OLMoE",
    "OPT",
    "OpenChat",
    "OpenHermes",
    "OpenThinker",
    "PaLM",
    "QvQ",
    "QwQ",
    "RP",
    "SQL",
    "SmolLM",
    "SmolVLM",
    "StableLM",
    "StarCoder",
    "T5",
    "TinyLlama",
    "UI",
    "VL",
    "VLM",
    "WizardLM",
    "XL",
    "XS",
]
_WORDS = {brand.lower(): brand for brand in _BRANDS} | {"codellama": "Code Llama"}
_JOINED = frozenset(
    {
        "codeqwen",
        "internlm",
        "internvl",
        "lfm",
        "minicpm",
        "openhermes",
        "qwen",
        "smollm",
        "smolvlm",
        "starcoder",
    }
)
"""Brands that write their version without a space."""

_SIZE = re.compile(r"^(?:[aer]?\d+(?:\.\d+)?[bmt]|\d+x\d+(?:\.\d+)?b|\d+k)$")
_FUSED = re.compile(r"^([a-z]{2,})(\d[\d.]*n?)$")
_POINT = re.compile(r"^v?(\d)p(\d)$")
_REPEATED = re.compile(
    r"^(?:(?:meta|google|nvidia|mistralai|microsoft|qwen|deepseek-ai|ibm)[_-])(?:meta-)?"
    r"(?=llama|gemma|gemini|nemotron|mi[sx]tral|phi|qwen|deepseek|granite)",
    re.IGNORECASE,
)
"""A maker before the name of its own family."""


def friendly_name(written: str, maker: str, notes: Iterable[str]) -> str:
    """Return a name for people: “llama3.2:3b” is “Llama 3.2 3B”. `notes` follow in parentheses."""
    words = _versions([word for word in re.split(r"[\s_:@+-]+", _REPEATED.sub("", written)) if word])
    name = " ".join(_word(word, maker) for word in words)
    name = _openai(name) if maker == "OpenAI" else name
    extra = ", ".join(notes)
    return f"{name} ({extra})" if extra else name


def _versions(words: list[str]) -> list[str]:
    """Join digits that are a version: “3”, “5” is “3.5”, and so is “3p5”."""
    joined: list[str] = []
    for word in (_POINT.sub(r"\1.\2", each) for each in words):
        if re.fullmatch(r"\d", word) and joined and re.fullmatch(r"(?:[a-zA-Z]*[a-zA-Z])?\d", joined[-1]):
            joined[-1] += f".{word}"
        else:
            joined.append(word)
    return joined


def _word(word: str, maker: str) -> str:
    low = word.lower()
    if _SIZE.match(low):
        return low.upper().replace("X", "x") if "x" in low else low.upper()
    if low in _WORDS:
        return _WORDS[low]
    if word != low:
        return word
    if fused := _FUSED.match(low):
        brand, version = fused.groups()
        known = _WORDS.get(brand, brand.capitalize())
        return f"{known}{version}" if brand in _JOINED or brand == "v" else f"{known} {version}"
    if maker == "OpenAI" and low in ("mini", "nano", "oss"):
        return low
    if maker == "DeepSeek" and re.match(r"^v?\d\.?\d?$", low):
        return f"V{low.removeprefix('v')}"
    return low if re.match(r"^[vo]\d", low) else low[:1].upper() + low[1:]


def _openai(name: str) -> str:
    """Write OpenAI's names as it does: “GPT-4o mini”, “o3-mini”, “gpt-oss 20B”."""
    name = re.sub(r"^GPT oss", "gpt-oss", name)
    name = re.sub(r"(GPT) (?=\d)", r"\1-", name)
    name = re.sub(r"\bGPT-35\b", "GPT-3.5", name)
    return re.sub(r"^(o\d) (mini|Pro|Preview)", lambda match: f"{match[1]}-{match[2].lower()}", name)
