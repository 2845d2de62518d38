"""The makers of models that many people know, with their models."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec


class Maker(msgspec.Struct, frozen=True):
    """A maker's names and those of its models.

    `plain` names are also ordinary words or first names, `companies` do much else: they need a capital, and more
    around them before they tell anything.
    """

    clear: tuple[str, ...]
    plain: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()


MAKERS = (
    Maker(("OpenAI", "Open AI", "ChatGPT", "GPT"), ("o1", "o3", "o4")),
    Maker(("Anthropic", "克劳德"), ("Claude",)),
    Maker(
        ("Google DeepMind", "DeepMind", "Google AI", "Gemma", "双子座模型"),
        ("Gemini", "Bard"),
        ("Google", "谷歌", "グーグル", "구글"),
    ),
    Maker(("Meta AI",), ("Llama", "LLaMA"), ("Meta",)),
    Maker(
        ("Qwen", "QwQ", "Tongyi", "Tongyi Qianwen", "通义千问", "通義千問", "千问"),
        ("كوين",),
        ("Alibaba", "Alibaba Cloud", "阿里巴巴", "阿里云"),
    ),
    Maker(("DeepSeek", "深度求索")),
    Maker(("Mistral AI", "Mixtral", "Ministral", "Magistral", "Le Chat"), ("Mistral",)),
    Maker(("xAI", "x.ai"), ("Grok",)),
    Maker(("Microsoft Copilot",), ("Copilot", "Phi"), ("Microsoft", "微软")),
    Maker(("Cohere", "Command R", "Command A"), ("Aya",)),
    Maker(("Moonshot AI", "月之暗面"), ("Kimi",), ("Moonshot",)),
    Maker(("Zhipu", "Zhipu AI", "Z.ai", "ChatGLM", "GLM", "智谱", "智谱清言")),
    Maker(("Ernie Bot", "文心一言"), ("ERNIE",), ("Baidu", "百度")),
    Maker(("Hunyuan", "混元"), (), ("Tencent", "腾讯")),
    Maker(("Doubao", "豆包"), (), ("ByteDance", "字节跳动")),
    Maker(("MiniMax", "稀宇")),
    Maker(("Amazon Nova", "Nova Pro", "Nova Lite"), ("Nova", "Titan"), ("Amazon", "AWS")),
    Maker(("Nemotron",), (), ("NVIDIA",)),
    Maker(("watsonx",), ("Granite",), ("IBM",)),
    Maker(("AI21", "AI21 Labs", "Jamba")),
    Maker(("Sonar Pro",), ("Sonar",), ("Perplexity",)),
    Maker(("YandexGPT", "Алиса"), (), ("Yandex", "Яндекс")),
    Maker(("GigaChat", "Гигачат"), (), ("Sber", "Сбер", "Сбера")),
    Maker(("Nous Research",), ("Hermes",)),
    Maker(("Vicuna", "LMSYS")),
)


@cache
def _spellings() -> Mapping[str, list[str]]:
    by_name: dict[str, list[str]] = {}
    text = files("parley.text.identity").joinpath("spellings.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        name, colon, listed = line.partition(":")
        if colon and not line.startswith("#"):
            by_name.setdefault(name, []).extend(each.strip() for each in listed.split(","))
    return by_name


def spellings(name: str) -> list[str]:
    """Return how a maker's name, or a model's, is written in other scripts."""
    return _spellings().get(name, [])


NO_NAMES = frozenset(
    """ai an the my our us local test demo default unknown tiny small mini medium large big pro plus max base chat
    instruct model models assistant open labs lab research inc corp gmbh ltd llc company cloud community free fast
    latest preview experimental vision code coder reasoning thinking none custom other consortium team ensemble
    command new nano turbo flash ultra language openrouter ollama human user person house we you it they one first
    best good little deep smart super next""".split()  # noqa: SIM905
)
"""Words in names of the model list that name nobody."""

VERSION = (
    r"(?:[ -]?(?:v?\d+(?:\.\d+)*[A-Za-z]{0,2}(?![A-Za-z0-9])|"
    r"(?:Sonnet|Opus|Haiku|Instant|Pro|Flash|Ultra|Nano|Large|Medium|Small|Mini|mini|Turbo|turbo|Plus|Max|Advanced|"
    r"Chat|Instruct|Code|Omni|Vision|Reasoner|AI|sonnet|opus|haiku|flash|pro|latest)(?![A-Za-z]))){0,6}"
)
"""Words that may follow a model's name and belong to it."""
