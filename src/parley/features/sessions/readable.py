"""The replies of an ended turn as its owner can read them."""


def readable(text: str, released: int | None, turn_status: str, *, blind: bool) -> str | None:
    """Return what can be read of a reply; None if its owner knows nothing of it.

    `released`: how many code points a blind viewer has seen of it where its turn did not complete.
    """
    if not blind or turn_status == "completed":
        return text
    return None if released is None else text[:released]
