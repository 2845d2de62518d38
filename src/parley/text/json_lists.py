"""Lists in the environment, where a setting is text."""

import msgspec


def read_json_list(value: object) -> object:
    """Return a list that is written as JSON; anything but text is returned as it is. Raises ValueError."""
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        raise ValueError("must be a list in JSON") from None
