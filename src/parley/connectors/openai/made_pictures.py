"""Pictures of an answer: `data:` URLs, as OpenRouter and others send them, to their bytes."""

import re
from binascii import Error, a2b_base64

from parley.connectors.openai.chunks import WireImage
from parley.kernel.connector import Made
from parley.kernel.errors import Garbled

_START = re.compile(r"data:image/[a-z0-9.+-]+(?:;[a-z0-9=.+-]+)*;base64,", re.IGNORECASE)


def made_of(image: WireImage) -> Made:
    """Return the picture. Raises Garbled: it has no bytes, or its address leads elsewhere."""
    url = image.image_url if isinstance(image.image_url, str) else image.image_url and image.image_url.url
    start = _START.match(url or "")
    if url is None or start is None:
        raise _unreadable("It came as a link or in an unknown form, and Parley opens no links.")
    try:
        data = a2b_base64(url[start.end() :], strict_mode=True)
    except (Error, ValueError):
        data = b""
    if not data:
        raise _unreadable("It is not valid base64.")
    return Made(data)


def _unreadable(why: str) -> Garbled:
    return Garbled(
        "The model's server sent a picture that can't be read.",
        f"{why} The reply so far is saved. Ask again, or choose another model.",
    )
