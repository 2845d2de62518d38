"""The request of pictures, as OpenAI's clients send it."""

from typing import Annotated, Any, Literal

from pydantic import Field

from parley.features.openai_api.chat_schemas import Lenient, ModelName, OwnFields
from parley.kernel.errors import Invalid
from parley.kernel.pictures import MOST_PICTURES, PictureSettings

MAX_PROMPT_CHARS = 32_000
MOST_PARTIAL = 3
MOST_SIDE = 4096

_NEUTRAL: dict[str, tuple[Any, ...]] = {
    "quality": ("auto", "standard"),
    "style": ("vivid",),
    "background": ("auto",),
    "output_format": ("png",),
    "output_compression": (100,),
}
"""The values with which a field that Parley can't pass on asks for nothing."""


class ImagesBody(Lenient):
    """Pictures to draw, in OpenAI's fields. `size` is “auto” or as in “1024x768”.

    `partial_images`: the most pictures that are sent of a streamed one while it is drawn.
    """

    model: ModelName
    prompt: Annotated[str, Field(min_length=1, max_length=MAX_PROMPT_CHARS)]
    n: Annotated[int, Field(ge=1, le=MOST_PICTURES)] | None = None
    size: Annotated[str, Field(pattern=r"^(auto|[1-9][0-9]{0,3}x[1-9][0-9]{0,3})$")] | None = None
    response_format: Literal["b64_json", "url"] | None = None
    stream: bool | None = None
    partial_images: Annotated[int, Field(ge=0, le=MOST_PARTIAL)] | None = None
    quality: str | None = None
    style: str | None = None
    background: str | None = None
    output_format: str | None = None
    output_compression: int | None = None
    parley: OwnFields | None = None


def settings_of(body: ImagesBody) -> PictureSettings:
    """Return how the pictures are drawn. Raises Invalid for what can't be passed on."""
    for field, neutral in _NEUTRAL.items():
        value = getattr(body, field)
        if value is not None and value not in neutral:
            raise Invalid(
                field,
                f"{field}: Parley can't pass this on.",
                "Send the request without it.",
                code="unsupported_parameter",
            )
    if not body.prompt.strip():
        raise Invalid("prompt", "prompt: must not be empty.")
    if body.stream and body.response_format == "url":
        raise Invalid(
            "response_format",
            "response_format: a stream has the pictures themselves.",
            "Ask for “b64_json”, or without “stream”.",
            code="unsupported_parameter",
        )
    width, height = _sides(body.size)
    return PictureSettings(count=body.n or 1, width=width, height=height)


def _sides(size: str | None) -> tuple[int | None, int | None]:
    if size is None or size == "auto":
        return None, None
    width, height = (int(side) for side in size.split("x"))
    if max(width, height) > MOST_SIDE:
        raise Invalid("size", f"size: a side has at most {MOST_SIDE} pixels.")
    return width, height
