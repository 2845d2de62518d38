"""The texts of a prompt that a search may change, by the name of their place."""

import msgspec

from parley.features.lab.improve.rows import Texts
from parley.features.lab.prompts.body import PLACE, PromptBody

_PREFIX = "message "


def texts_of(body: PromptBody) -> dict[str, str]:
    """Return the texts of system and user messages that have words of their own, else the last user message.

    A text such as `{{question}}` alone is data: changing it would only wrap it.
    """
    open_to_change = {
        f"{_PREFIX}{place}": message.text
        for place, message in enumerate(body.messages, 1)
        if message.role != "assistant" and PLACE.sub("", message.text).strip()
    }
    if open_to_change:
        return open_to_change
    last = max(
        (place for place, message in enumerate(body.messages, 1) if message.role == "user"),
        default=len(body.messages),
    )
    return {f"{_PREFIX}{last}": body.messages[last - 1].text}


def body_with(body: PromptBody, texts: Texts) -> PromptBody:
    """Return a body with texts in their places; one as it would be saved."""
    messages = tuple(
        msgspec.structs.replace(message, text=texts.get(f"{_PREFIX}{place}", message.text))
        for place, message in enumerate(body.messages, 1)
    )
    return msgspec.structs.replace(body, messages=messages).with_all_variables()
