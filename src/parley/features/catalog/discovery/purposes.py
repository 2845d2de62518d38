"""The purpose of a listed model: a page offers only those that chat."""

import re

from parley.features.catalog.discovery.answers import Fields, fields_of, text_of, texts_of
from parley.features.catalog.discovery.findings import Purpose

_TYPES: dict[str, Purpose] = {
    "chat": "chat",
    "language": "chat",
    "code": "chat",
    "llm": "chat",
    "vlm": "chat",
    "embedding": "embeddings",
    "embeddings": "embeddings",
    "moderation": "moderation",
    "image": "images",
    "audio": "audio",
    "transcribe": "audio",
    "video": "other",
    "rerank": "reranking",
}
"""The `type` of Together AI and LM Studio."""

_PATTERNS: tuple[tuple[Purpose, str], ...] = (
    ("reranking", r"rerank"),
    ("embeddings", r"embed|(^|[/_-])(bge|gte|e5|voyage|all-minilm|jina-clip)([-_:]|$)"),
    ("moderation", r"moderation|llama-guard|shieldgemma|prompt-guard|granite-guardian"),
    ("audio", r"whisper|orpheus|playai|kokoro|parakeet|transcri|speech|native-audio|lyria"),
    ("audio", r"(^|[/_-])(tts|stt|asr|audio|realtime|live)([-_:]|$)"),
    ("images", r"dall-e|gpt-image|chatgpt-image|imagen|stable-diffusion|sdxl|(^|[/_-])flux|imagine-image"),
    ("images", r"-image(-preview|-generation|-\d|$)|image-gen|seedream|qwen-image|kandinsky"),
    ("other", r"(^|[/_-])(sora|veo|wan|kling|hailuo|ocr)([-_.\d]|$)|imagine-video"),
    ("other", r"(^|[/_-])(babbage|davinci)-|turbo-instruct|computer-use|(^|[/_-])aqa$"),
)
"""Purposes by parts of names, in lower case. The first that matches decides."""

_NAMES: tuple[tuple[re.Pattern[str], Purpose], ...] = tuple(
    (re.compile(pattern), purpose) for purpose, pattern in _PATTERNS
)


def purpose_of(model: str, entry: Fields) -> Purpose:
    """Return what a model is for: as its entry says, else as its name tells."""
    return _said_purpose(entry) or _named_purpose(model) or ("chat" if _may_chat(entry) else "other")


def _said_purpose(entry: Fields) -> Purpose | None:
    """Return a model's purpose in the words of Together AI, LM Studio, Cohere and OpenRouter."""
    kind = text_of(entry.get("type"))
    if kind is not None and kind.lower() in _TYPES:
        return _TYPES[kind.lower()]
    if endpoints := texts_of(entry.get("endpoints")):
        if "chat" in endpoints:
            return "chat"
        return "embeddings" if "embed" in endpoints else "reranking" if "rerank" in endpoints else "other"
    outputs = texts_of(fields_of(entry.get("architecture")).get("output_modalities"))
    if "image" in outputs:
        return "images"
    if outputs and "text" not in outputs:
        return "audio" if "audio" in outputs else "other"
    return None


def _named_purpose(model: str) -> Purpose | None:
    low = model.lower()
    return next((purpose for pattern, purpose in _NAMES if pattern.search(low)), None)


def _may_chat(entry: Fields) -> bool:
    """Return False if Mistral or Fireworks AI say that a model does not chat."""
    capabilities = fields_of(entry.get("capabilities"))
    return capabilities.get("completion_chat") is not False and entry.get("supports_chat") is not False
