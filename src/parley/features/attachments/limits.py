"""Limits of attachments: the size of a file, its picture and its text, and the time to read it."""

import msgspec

from parley.engine.confinement import ReaderLimits

PER_QUESTION = 10
NAME_CHARS = 200
TEXT_CHARS = 1_000_000
PAGES = 2_000
PART_BYTES = 64 << 20
"""The unpacked size of one part of an Office document."""
PIXELS = 50_000_000
LONGEST_SIDE = 2048
"""Pixels of the longer side of a picture that models get; most of them scale it down further."""
PICTURE_BYTES = 4 << 20
"""A larger one is written as JPEG: providers refuse pictures of more than 5 MB."""
THUMBNAIL_SIDE = 320
PIXELS_PER_TOKEN = 750

READER = ReaderLimits(seconds=20, memory_mb=1024, written_mb=256)


class AttachmentLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The largest file in bytes, which an installation may set, and the limits of the process that reads it."""

    size: int = 20 << 20
    reader: ReaderLimits = READER
