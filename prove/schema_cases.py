"""Requests drawn from an OpenAPI document by Schemathesis, valid and not, and the forms in which each is sent."""

import json
import warnings
from collections import deque
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisWarning, Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core import NOT_SET

FORMS = 4
"""Each drawn case is sent so often: as drawn, twice to what is really there, and mangled."""

JSON = "application/json"
STREAM = "text/event-stream"
MODES = ("battle", "chat", "compare", "consortium", "team")


class Drawn(NamedTuple):
    """A case drawn by Schemathesis."""

    method: str
    path: str
    """The pattern, as the document has it."""
    names: dict[str, Any]
    query: dict[str, Any]
    headers: dict[str, str]
    body: Any
    media_type: str | None


class Asked(NamedTuple):
    """A request as it is sent."""

    method: str
    pattern: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes

    def __str__(self) -> str:
        target = f"{self.path}?{self.query}" if self.query else self.path
        return f"{self.method} {target} {self.headers} {self.body[:300]!r}"


class Known(NamedTuple):
    """Ids that exist, by the names that paths and bodies use for them."""

    ids: Mapping[str, deque[str]]
    models: tuple[str, ...]

    def learn(self, answer: Any) -> None:
        """Remember the ids in an answer."""
        if isinstance(answer, dict):
            for name, value in answer.items():
                if name in self.ids and isinstance(value, str) and value not in self.ids[name]:
                    self.ids[name].append(value)
                elif isinstance(value, dict | list):
                    self.learn(value)
        elif isinstance(answer, list):
            for each in answer[:20]:
                self.learn(each)

    def id_for(self, name: str, chance: Random) -> str | None:
        """Return an id for a path's parameter."""
        if name in ("a", "b", "model_id"):
            return chance.choice(self.models)
        kept = self.ids["match_id" if name == "battle_id" else name]
        return chance.choice(kept) if kept else None


def draw(document: dict[str, Any], count: int, first: int, seeded: int) -> list[Drawn]:
    """Draw so many cases, in turns from every operation; those before `first` are other batches'."""
    schema = schemathesis.openapi.from_dict(document)
    sources = [
        (operation, mode)
        for operation in (_whole(result) for result in schema.get_all_operations())
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
        # What has nothing but a path can only be asked for as the document says.
        if mode is GenerationMode.POSITIVE or operation.body or operation.query
    ]
    shares = [0] * len(sources)
    for number in range(first, first + count):
        shares[number % len(sources)] += 1
    drawn = [
        _draw(operation, mode, share, seeded + first)
        for (operation, mode), share in zip(sources, shares, strict=True)
        if share
    ]
    together = [case for cases in drawn for case in cases]
    Random(f"{seeded}:{first}").shuffle(together)
    return together


def _whole(result: Any) -> Any:
    """Return an operation. Raises where the document is wrong."""
    return result.ok()


def _draw(operation: Any, mode: GenerationMode, count: int, seeded: int) -> list[Drawn]:
    found: list[Drawn] = []

    @seed(seeded)
    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=[*HealthCheck],  # pyright: ignore[reportArgumentType]
    )
    @given(operation.as_strategy(generation_mode=mode))
    def take(case: Any) -> None:
        found.append(
            Drawn(
                case.method.upper(),
                case.path,
                dict(case.path_parameters or {}),
                dict(case.query) if isinstance(case.query, Mapping) else {},
                {str(name): str(value) for name, value in (case.headers or {}).items()},
                None if case.body is NOT_SET else case.body,
                case.media_type,
            )
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HypothesisWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            take()
        except Unsatisfiable:
            return []
    return found[:count]


def forms(case: Drawn, known: Known, chance: Random) -> Iterator[Asked]:
    """Yield a case in each of its forms."""
    yield _ask(case, case.names, case.body, {})
    real = {name: known.id_for(name, chance) or value for name, value in case.names.items()}
    yield _ask(case, real, _at_home(case.body, known, chance), {})
    more = {"Accept": STREAM, "Idempotency-Key": f"key-{chance.randrange(50)}"}
    yield _ask(case, real, _at_home(case.body, known, chance), more)
    asked = _ask(case, real, case.body, {})
    yield asked._replace(
        body=_mangled(asked.body, chance), query=_mangled(asked.query.encode(), chance, 0.3).decode("latin-1")
    )


def _ask(case: Drawn, names: dict[str, Any], body: Any, more: dict[str, str]) -> Asked:
    path = case.path
    for name, value in names.items():
        path = path.replace(f"{{{name}}}", quote(str(value).encode("utf-8", "replace"), safe=""))
    content = body if isinstance(body, bytes) else b"" if body is None else _encoded(body, case.media_type)
    headers = {**case.headers, **more}
    if body is not None and case.media_type:
        headers["Content-Type"] = case.media_type
    query = urlencode(
        {name: value for name, value in case.query.items() if value is not None}, doseq=True, errors="replace"
    )
    plain = {
        name.encode("ascii", "replace").decode(): value.encode("latin-1", "replace").decode("latin-1")
        for name, value in headers.items()
    }
    kept = {name: "".join(sign for sign in value if sign.isprintable()) for name, value in plain.items()}
    return Asked(case.method, case.path, path, query, kept, content)


def _encoded(body: Any, media_type: str | None) -> bytes:
    if isinstance(body, str) and media_type != JSON:
        return body.encode("utf-8", "replace")
    try:
        return json.dumps(body).encode()  # noqa: TID251 - msgspec refuses lone surrogates and long numbers
    except (TypeError, ValueError):
        return repr(body).encode("utf-8", "replace")


def _at_home(body: Any, known: Known, chance: Random) -> Any:
    """Return a body that speaks of modes and models that there are, otherwise as it was drawn."""
    if not isinstance(body, dict):
        return body
    body = dict(body)
    if "mode" in body:
        body["mode"] = chance.choice(MODES)
    if isinstance(body.get("seats"), dict):
        roles = (*body["seats"], "assistant", "arbiter", "a", "b")
        body["seats"] = {
            chance.choice(roles): chance.choice(known.models) for _ in range(chance.randint(0, 3))
        }
    if "brief" in body and chance.random() < 0.5:
        del body["brief"]
    if "vote" in body and chance.random() < 0.7:
        body["vote"] = chance.choice(("left", "right", "tie", "both_bad"))
    return body


def _mangled(content: bytes, chance: Random, often: float = 1.0) -> bytes:
    if not content or chance.random() > often:
        return content
    at = chance.randrange(len(content))
    match chance.randrange(6):
        case 0:
            return content[:at]
        case 1:
            return content[:at] + bytes([chance.randrange(1, 256)]) + content[at + 1 :]
        case 2:
            return content[:at] + content[at:] * 3
        case 3:
            return content.replace(b'"', b'"\\u0000', 1)
        case 4:
            return b"[" * chance.choice((10, 1000, 50_000)) + content
        case _:
            return content.replace(b'"', b'"\\ud800', 1)
