"""Limits of attachments: the size of a file, its picture and its text, and the time to read it."""

import msgspec

PER_QUESTION = 10
NAME_CHARS = 200
TEXT_CHARS = 1_000_000
PAGES = 2_000
PIXELS = 50_000_000
LONGEST_SIDE = 2048
"""Pixels of the longer side of a picture that models get; most of them scale it down further."""
PICTURE_BYTES = 4 << 20
"""A larger one is written as JPEG: providers refuse pictures of more than 5 MB."""
THUMBNAIL_SIDE = 320
PIXELS_PER_TOKEN = 750

READ_S = 20
MEMORY_MB = 1024
WRITTEN_MB = 256


class AttachmentLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The limits that an installation may set. `size` is in bytes, `seconds` are for reading one file."""

    size: int = 20 << 20
    seconds: float = READ_S
    memory_mb: int = MEMORY_MB
