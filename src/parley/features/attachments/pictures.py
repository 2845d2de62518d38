"""Re-encodes a picture: without metadata, in its intended orientation, and not too large."""

import warnings
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from parley.features.attachments.file_content import Picture, damaged, too_much
from parley.features.attachments.limits import LONGEST_SIDE, PICTURE_BYTES, PIXELS, THUMBNAIL_SIDE
from parley.kernel.pictures import BLIND_SIDE

TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}
_WRITTEN = {"PNG": "PNG", "JPEG": "JPEG", "WEBP": "WEBP", "GIF": "PNG"}
"""The formats in which pictures are written; models see the first frame of an animation."""


def read_picture(
    path: Path, kind: str, folder: Path, *, neutral: bool = False, alike: bool = False
) -> Picture:
    """Write a picture of this kind, and its thumbnail, into a folder. Raises RefusedFile.

    In a `neutral` format, it doesn't show in which one it came; `alike`, nor in which size.
    """
    Image.MAX_IMAGE_PIXELS = PIXELS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path, formats=(kind,)) as opened:
                opened.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
                image = _in_8_bits(ImageOps.exif_transpose(opened))
                image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        raise too_much(
            f"has more than {PIXELS // 1_000_000} million pixels.", "Make the picture smaller."
        ) from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError):
        raise damaged("a picture") from None
    image = image.convert("RGBA" if _has_alpha(image) else "RGB")
    image.info.clear()
    written = "JPEG" if alike else "PNG" if neutral else _WRITTEN[kind]
    if alike:
        image = ImageOps.fit(_on_white(image), (BLIND_SIDE, BLIND_SIDE))
    if written == "JPEG":
        image = image.convert("RGB")
    picture, thumbnail = folder / "picture", folder / "thumbnail"
    image.save(picture, written, **({"quality": 90} if written != "PNG" else {"optimize": False}))
    if written != "JPEG" and picture.stat().st_size > PICTURE_BYTES:
        written = "JPEG"
        _on_white(image).save(picture, written, quality=90)
    small = image.copy()
    small.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    small.save(thumbnail, "WEBP", quality=80)
    return Picture(TYPES[written], picture.name, thumbnail.name, *image.size)


def _in_8_bits(image: Image.Image) -> Image.Image:
    """Return a 16-bit grey picture in 8 bits: converted directly, all but black becomes white."""
    if not image.mode.startswith("I"):
        return image
    return image.point(lambda value: value * (1 / 256)).convert("L")


def _on_white(image: Image.Image) -> Image.Image:
    if image.mode != "RGBA":
        return image
    white = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(white, image).convert("RGB")


def _has_alpha(image: Image.Image) -> bool:
    return image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
