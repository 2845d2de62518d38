"""Pictures as OpenAI's clients read them: all of them, and the events of a streamed one."""

import msgspec


class InputDetails(msgspec.Struct, frozen=True):
    """The tokens of the prompt."""

    text_tokens: int
    image_tokens: int = 0


class DrawnUsage(msgspec.Struct, frozen=True):
    """The tokens of a call, as the provider counts them; most price a picture, not tokens."""

    input_tokens: int
    output_tokens: int
    total_tokens: int
    input_tokens_details: InputDetails


class DrawnPicture(msgspec.Struct, frozen=True, omit_defaults=True):
    """One picture: itself in Base64, or the address at which the same key reads it."""

    b64_json: str | None = None
    url: str | None = None


class DrawnPictures(msgspec.Struct, frozen=True):
    """All pictures. `created` is in seconds since the epoch."""

    created: int
    data: list[DrawnPicture]
    usage: DrawnUsage


class PicturePartial(msgspec.Struct, frozen=True, tag="image_generation.partial_image", tag_field="type"):
    """A picture as it is so far, in Base64."""

    b64_json: str
    created_at: int
    partial_image_index: int


class PictureCompleted(msgspec.Struct, frozen=True, tag="image_generation.completed", tag_field="type"):
    """A picture that is ready, in Base64. The last one has the usage."""

    b64_json: str
    created_at: int
    usage: DrawnUsage | msgspec.UnsetType = msgspec.UNSET
