"""Prompts as Markdown with front matter: names, variables and options above, messages below.

    ---
    name: Sum up
    model: my-model
    variables:
      - name: text
      - name: words
        kind: number
        default: "30"
    options:
      temperature: 0.2
    ---
    # system

    You sum up.

    # user

    Sum up in {{words}} words: {{text}}

Without a heading for a role, all of it is the user's message.
"""

import re
from typing import Any, cast

import msgspec
from pydantic import ValidationError

from parley.features.lab.prompts.body import PromptBody
from parley.features.lab.prompts.schemas import NewPrompt, PromptView, VersionView
from parley.kernel.errors import Invalid
from parley.text.located_yaml import LocatedError, parse_yaml

_HEAD = re.compile(r"\A\ufeff?---\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_ROLE = re.compile(r"^# (system|user|assistant)[ \t]*$", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(\\*# (?:system|user|assistant)[ \t]*)$", re.MULTILINE)
_LIKE_A_ROLE = re.compile(r"^(\\*# (?:system|user|assistant)[ \t]*)$", re.MULTILINE)


def to_markdown(prompt: PromptView, version: VersionView) -> str:
    """Return a version as Markdown with front matter."""
    body = PromptBody(messages=version.messages, variables=version.variables, options=version.options)
    document = cast("dict[str, Any]", msgspec.to_builtins(body))
    head: dict[str, Any] = {"name": prompt.name}
    head |= {"model": prompt.model} if prompt.model else {}
    head |= {"note": version.note} if version.note else {}
    head |= {name: document[name] for name in ("variables", "options") if document.get(name)}
    head |= {"checks": msgspec.to_builtins(prompt.checks)} if prompt.checks else {}
    top = msgspec.yaml.encode(head).decode()
    texts = (f"# {it.role}\n\n{_LIKE_A_ROLE.sub(_escape, it.text)}\n" for it in version.messages)
    return f"---\n{top}---\n" + "\n".join(texts)


def read_markdown(text: str, name: str = "") -> NewPrompt:
    """Return the prompt of a document. Raises Invalid, naming the line or the field."""
    match = _HEAD.match(text)
    head: dict[str, Any] = {}
    if match:
        try:
            value = parse_yaml(match[1]).data
        except LocatedError as error:
            raise Invalid("markdown", f"The front matter can't be read: {error}.") from None
        if not isinstance(value, dict):
            raise Invalid("markdown", "The front matter must be names with values.")
        head = cast("dict[str, Any]", value)
    messages = _messages(text[match.end() :] if match else text)
    try:
        return NewPrompt.model_validate({"name": name, **head, "messages": messages})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "markdown"
        raise Invalid("markdown", f"{place}: {first['msg']}.", "Nothing was saved.") from None


def _messages(text: str) -> list[dict[str, str]]:
    pieces = _ROLE.split(text)
    if len(pieces) == 1:
        return [{"role": "user", "text": text.strip()}]
    roles = zip(pieces[1::2], pieces[2::2], strict=True)
    return [{"role": role, "text": _ESCAPED.sub(r"\1", content.strip())} for role, content in roles]


def _escape(match: re.Match[str]) -> str:
    return "\\" + match[1]
