"""The OpenAPI document of the API, made from the contracts of its routes."""

from collections.abc import Sequence
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from parley import __version__
from parley.api.contract import contracts
from parley.api.errors import COMMON, MEDIA_TYPE, ProblemDetails
from parley.api.openai_errors import MESSAGES, AnthropicErrorBody, ErrorBody, is_door


def build(app: FastAPI) -> dict[str, Any]:
    """Return the document of an app's routes, with events and views as their types."""
    document = get_openapi(
        title="Parley",
        version=__version__,
        summary="Chat with language models, compare them, run blind battles, and vote on the answers.",
        routes=app.routes,
        separate_input_output_schemas=False,
    )
    schemas: dict[str, Any] = document.setdefault("components", {}).setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    declared = list(contracts(app))
    answers = {kind for contract in declared for kind in contract.answers} | {
        ProblemDetails,
        ErrorBody,
        AnthropicErrorBody,
    }
    answers |= {contract.result for contract in declared if contract.result}
    streams = {contract.stream.name: contract.stream.events for contract in declared if contract.stream}
    _, components = msgspec.json.schema_components(
        answers, schema_hook=_any_json, ref_template="#/components/schemas/{name}"
    )
    named, of_events = msgspec.json.schema_components(
        streams.values(), schema_hook=_any_json, ref_template="#/components/schemas/{name}"
    )
    components.update(of_events)
    schemas.update(components)
    schemas.update(dict(zip(streams, named, strict=True)))
    for schema in components.values():
        _require_all(schema)
    codes = {code for contract in declared for code in contract.errors} | COMMON.keys()
    schemas["ProblemDetails"]["properties"]["code"]["enum"] = sorted(codes)
    errors = {(contract.method.lower(), contract.path): contract.errors for contract in declared}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            operation["responses"].pop("422", None)
            operation["responses"]["default"] = _errors_of(path, errors[method, path])
    return document


def _errors_of(path: str, codes: Sequence[str]) -> dict[str, Any]:
    """Describe what a route answers if it refuses: a problem, or at the OpenAI door an error of OpenAI's."""
    kind, media_type, name = "A problem (RFC 9457)", MEDIA_TYPE, ProblemDetails.__name__
    if is_door(path):
        kind, media_type, name = "An error in OpenAI's shape", "application/json", ErrorBody.__name__
    if path == MESSAGES:
        kind, name = "An error in Anthropic's shape", AnthropicErrorBody.__name__
    words = ", ".join(f"`{code}`" for code in codes)
    return {
        "description": f"{kind}{f': {words}, or one of any route' if words else ''}",
        "content": {media_type: {"schema": {"$ref": f"#/components/schemas/{name}"}}},
    }


def _any_json(kind: type) -> dict[str, Any]:
    """Describe `object` as any JSON."""
    if kind is object:
        return {"description": "Any JSON."}
    raise NotImplementedError(f"no schema for {kind}")


def _require_all(schema: dict[str, Any]) -> None:
    """Mark the fields without a default as required, unless they say otherwise: views send them, the tag too."""
    if properties := schema.get("properties"):
        schema["required"] = [
            name
            for name, rule in properties.items()
            if "default" not in rule and not rule.pop("x-may-be-absent", False)
        ]
