"""Spellings of a model's id, as servers, clouds, repositories and files write it."""

import re
from typing import NamedTuple


class Spelling(NamedTuple):
    """The parts of an id. `owners`: the folders before the name, the nearest first, in lower case.

    `written` is the name in its own letters, `name` the same in lower case with “-” between its parts, `notes` the
    quantisation and the date.
    """

    written: str
    name: str
    owners: tuple[str, ...]
    notes: tuple[str, ...]


_CLOUD = re.compile(r"^(?:(?:us-gov|us|eu|apac|au|jp|ca|global)\.)?([a-z0-9]+)\.(?=[a-z])", re.IGNORECASE)
_CLOUD_OWNERS = frozenset(
    [
        "ai21",
        "amazon",
        "anthropic",
        "cohere",
        "deepseek",
        "google",
        "luma",
        "meta",
        "minimax",
        "mistral",
        "moonshot",
        "moonshotai",
        "nvidia",
        "openai",
        "qwen",
        "stability",
        "twelvelabs",
        "writer",
        "zai",
    ]
)
_FILE = re.compile(
    r"(?:-\d{5}-of-\d{5})?\.(?:gguf|ggml|bin|safetensors|llamafile|mlmodelc)$|[-_.](?:i1-)?(?:gguf|ggml)$",
    re.IGNORECASE,
)
_BEDROCK_VERSION = re.compile(r"(?:-v\d+)?:0(?::\d+k)?$")
_DIGEST = re.compile(r"@sha256:[0-9a-f]+$")
_QUANTISATION = re.compile(
    r"[-_.:@](?P<note>(?:ud-|i1-)?i?q\d(?:_(?:k|[01]))?(?:_(?:xxs|xs|nl|s|m|l|xl))?|b?f(?:16|32)|fp(?:8|16|4)(?:-dynamic)?|int[48]|"
    r"w\d+a\d+|awq|gptq(?:-int[48])?|exl[23]|[23468]bits?|mxfp4|nvfp4|mlx|bnb|qat|imatrix|turbo-quant)$",
    re.IGNORECASE,
)
_DATE = re.compile(r"(?:^|[-_@:])(?P<year>20[12]\d)-?(?P<month>0[1-9]|1[0-2])-?(?P<day>[0-3]\d)(?=$|[-_@:])")
_LATEST = re.compile(r"[-:]latest$", re.IGNORECASE)
_CACHE = re.compile(r"^(?:models|datasets)--(?P<owner>[^/]+?)--(?P<name>[^/]+)$")


def spelling_of(model: str) -> Spelling:
    """Return the parts of an id. Never fails; an id that says nothing keeps its own spelling."""
    folders = [part for part in re.split(r"[/\\]", _DIGEST.sub("", model.strip())) if part]
    parts: list[str] = []
    for part in folders:
        cached = _CACHE.match(part)
        parts += [cached["owner"], cached["name"]] if cached else [part]
    written = parts.pop() if parts else model
    if "snapshots" in parts:  # a folder of Hugging Face's cache: the name stands before the version
        place = parts.index("snapshots")
        parts, written = parts[: max(place - 1, 0)], parts[place - 1] if place else written
    owners = [part.lower() for part in reversed(parts)]
    cloud = _CLOUD.match(written)
    if cloud and cloud[1].lower() in _CLOUD_OWNERS:
        owners.insert(0, cloud[1].lower())
        written = re.sub(r"(-v\d+):(\d)$", r"\1.\2", _BEDROCK_VERSION.sub("", written[cloud.end() :]))
    tuned = written.startswith("ft:")
    written, notes = _without_notes(_FILE.sub("", written.removeprefix("ft:")))
    notes = (*notes, "fine-tuned") if tuned else notes
    name = re.sub(r"[\s_:@+=,()\[\]-]+", "-", written.lower()).strip("-.")
    return Spelling(written, name, tuple(owners), notes)


def _without_notes(written: str) -> tuple[str, tuple[str, ...]]:
    notes: list[str] = []
    written = _LATEST.sub("", written)
    while match := _QUANTISATION.search(written):
        if match.start() == 0:
            break
        notes.insert(0, re.sub(r"(?i)(\d)bits?$", r"\1-bit", match["note"]).upper().replace("BIT", "bit"))
        written = _FILE.sub("", written[: match.start()])
    if (date := _DATE.search(written)) and date.start() > 0:
        notes.insert(0, f"{date['year']}-{date['month']}-{date['day']}")
        written = written[: date.start()] + written[date.end() :]
    return _LATEST.sub("", written), tuple(notes)
