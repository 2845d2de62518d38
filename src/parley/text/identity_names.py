"""The words by which a model may call itself: those of its card, and what its maker is known for."""

import re
from collections.abc import Iterator
from functools import lru_cache

MAKERS: tuple[tuple[str, ...], ...] = (
    ("OpenAI", "Open AI", "ChatGPT", "GPT"),
    ("Anthropic", "Claude", "克劳德", "クロード", "Клод"),
    ("Google", "Google DeepMind", "DeepMind", "Gemini", "Gemma", "Bard", "谷歌", "グーグル", "구글"),
    ("Meta", "Meta AI", "Llama", "LLaMA"),
    ("Alibaba", "Alibaba Cloud", "Qwen", "QwQ", "Tongyi", "Tongyi Qianwen", "阿里巴巴", "阿里云", "通义千问", "千问"),
    ("DeepSeek", "深度求索"),
    ("Mistral", "Mistral AI", "Mixtral", "Ministral", "Magistral", "Le Chat"),
    ("xAI", "x.ai", "x-ai", "Grok"),
    ("Microsoft", "Copilot", "Phi"),
    ("Cohere", "Command R", "Aya"),
    ("Moonshot", "Moonshot AI", "Kimi", "月之暗面"),
    ("Zhipu", "Zhipu AI", "Z.ai", "GLM", "ChatGLM", "智谱", "智谱AI", "智谱清言"),
    ("Baidu", "ERNIE", "Ernie Bot", "百度", "文心一言"),
    ("Tencent", "Hunyuan", "腾讯", "混元"),
    ("ByteDance", "Doubao", "字节跳动", "豆包"),
    ("MiniMax", "稀宇"),
    ("Amazon", "AWS", "Nova", "Titan"),
    ("NVIDIA", "Nemotron"),
    ("IBM", "Granite", "watsonx"),
    ("AI21", "AI21 Labs", "Jamba"),
    ("Perplexity", "Sonar"),
    ("Yandex", "YandexGPT"),
    ("Sber", "GigaChat"),
)  # fmt: skip
"""A maker with its models: who sits at one of these words answers to all words of its row."""

_ORDINARY = frozenset(
    [
        "meta",
        "gemini",
        "bard",
        "mistral",
        "gemma",
        "phi",
        "nova",
        "titan",
        "granite",
        "grok",
        "copilot",
        "sonar",
        "aya",
        "amazon",
        "kimi",
        "command",
    ]
)
"""Names that are also ordinary words or first names: they count only with a capital."""

_NO_NAMES = frozenset(
    [
        "ai",
        "an",
        "the",
        "my",
        "our",
        "local",
        "test",
        "demo",
        "default",
        "unknown",
        "tiny",
        "small",
        "mini",
        "medium",
        "large",
        "big",
        "pro",
        "plus",
        "max",
        "base",
        "chat",
        "instruct",
        "model",
        "models",
        "assistant",
        "open",
        "labs",
        "lab",
        "research",
        "inc",
        "corp",
        "gmbh",
        "ltd",
        "llc",
        "company",
        "cloud",
        "community",
        "free",
        "fast",
        "latest",
        "preview",
        "experimental",
        "vision",
        "code",
        "coder",
        "reasoning",
        "thinking",
        "none",
        "custom",
        "other",
    ]
)
"""Words in names that name nobody."""

_VERSIONS = (
    r"(?:[ -]?(?:v?\d+(?:\.\d+)*[a-z]{0,2}(?![A-Za-z])|"
    r"(?:Sonnet|Opus|Haiku|Instant|Pro|Flash|Ultra|Nano|Large|Medium|Small|Mini|mini|Turbo|Plus|Max|Advanced|Chat|"
    r"Instruct|Code|Omni|Vision|AI)(?![A-Za-z]))){0,5}"
)
_BEFORE = r"(?<![A-Za-z0-9À-ɏЀ-ӿ])(?<![A-Za-z0-9][-.@/])"
_AFTER = r"(?![A-Za-z0-9À-ɏЀ-ӿ])"


@lru_cache(maxsize=512)
def own_names(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return what finds every mention of a model's own names and its maker's, with a version where one follows.

    `names`: its id, name, organisation, family, and its names at providers. None where they name nobody.
    """
    words = {word for name in names for word in _words_of(name)}
    for row in MAKERS:
        known = {word.casefold() for word in row}
        if not words.isdisjoint(known):
            words |= known
    words -= _NO_NAMES
    if not words:
        return None
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(_BEFORE + "(?:" + "|".join(map(_pattern, longest_first)) + ")" + _VERSIONS + _AFTER)


def _words_of(name: str) -> Iterator[str]:
    """Yield the parts of a name without what is not said aloud, and the first word of each; in lower case."""
    for part in re.split(r"[/:@]", re.sub(r"\(.*?\)", "", name)):
        whole = part.strip().casefold()
        if len(whole) >= 2:
            yield whole
        if word := re.match(r"[^\W\d_]{3,}", whole):
            yield word[0]


def _pattern(word: str) -> str:
    """Return the pattern of one name: in any case, unless it is an ordinary word; written together or apart."""
    if word in _ORDINARY:
        return word.capitalize()
    return "(?i:" + r"[ -]?".join(map(re.escape, re.split(r"[ -]+", word))) + ")"
