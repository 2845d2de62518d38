"""A nosy viewer: asks every route of the OpenAPI document everything it can, and records the responses.

The document decides what is asked: a route or parameter that is new there is asked too, or raises an
`Undecided` that says what to decide here.
"""

import asyncio
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tests.fakes.running import Response, RunningParley

DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "openapi.json"
CATALOG = "/api/models"
OPEN = frozenset(
    (
        CATALOG,
        "/api/openapi.json",
        "/v1/models",
        "/api/pool",
        "/api/providers",
        "/api/discoveries",
        "/api/models/{model_id}/stats",
        "/api/head-to-head/{a}/{b}",
        "/api/leaderboard",
        "/api/leaderboard/space",
        "/api/leaderboard/history",
        "/api/leaderboard/matrix",
        "/api/leaderboard/health",
    )
)
"""Name models to everybody, so they are held against themselves: they must not change with who plays."""

CHECKS = ("POST", "/api/providers/checks")
"""Asks every provider for its models: it names them to everybody, so it is held against itself too."""

RECOUNT = ("POST", "/api/leaderboard/rebuild")
"""Counts votes anew, and a battle has none before its vote; it moves the version of the open answers."""

NOBODY = "0" * 32
"""An id that does not exist."""

REFUSALS = (400, 404, 409, 422)
BESIDE = re.compile(rb'"20\d\d-[0-9T:.+-]+"|"worker":\{[^}]*\}|in \d+ ms|"latency_ms":[\d.]+')
"""Times, how long a provider took, and when the standings' worker ran: it runs by its own clock."""

STREAM_S = 0.1
"""How long to listen to a stream that does not end."""

Asked = tuple[str, str]
"""A method and a path of the document, as in ("GET", "/api/turns/{turn_id}")."""


class Undecided(AssertionError):
    """The document contains something for which it is undecided what a blind viewer may ask."""


@dataclass(frozen=True)
class Known:
    """What a viewer knows of a battle, and its state: running, completed, stopped or void."""

    session_id: str
    match_id: str
    turn_id: str
    state: str

    def value(self, path: str, name: str) -> str:
        """Return the id that stands for a parameter of a path."""
        values = {
            "session_id": self.session_id,
            "match_id": self.match_id,
            "battle_id": self.match_id,
            "turn_id": self.turn_id,
        }
        if name in (
            "vote_id",
            "voter_id",
            "preset_id",
            "prompt_id",
            "dataset_id",
            "run_id",
            "improvement_id",
            "row_id",
            "label",
            "provider_id",
            "model_id",
            "sha256",
            "import_id",
            "person_id",
            "member_id",
            "workspace_id",
            "login_id",
            "link_id",
            "passkey_id",
            "key_id",
            *("asset_id", "limit_id", "response_id", "rule_id", "item_id", "kind", "who", "name"),
            "token",
            "encoding",
        ):
            return NOBODY  # there is no vote yet, nobody else is here, and nothing was saved
        if name not in values:
            raise Undecided(f"{path}: which ids does a blind viewer know for “{name}”?")
        return values[name]


def operations() -> dict[Asked, dict[str, Any]]:
    """Return every operation of the document."""
    paths = msgspec.json.decode(DOCUMENT.read_bytes())["paths"]
    return {(method.upper(), path): whole for path, ways in paths.items() for method, whole in ways.items()}


class NosyViewer:
    """Asks with one client; `shown` is everything it received: status lines, headers and bodies."""

    def __init__(self, parley: RunningParley, *words: str) -> None:
        self._parley = parley
        self._words = words
        self.shown = b""
        self.asked: set[Asked] = set()

    async def ask_everything(self, known: Known) -> None:
        """Ask every GET route in every way, then every other route where it cannot change the state."""
        await self.read_everything(known)
        for method, path, body in _refused(known) + _harmless(known):
            self.asked.add((method, path))
            given = {} if body is None else {"json": body}
            self.keep(await self._parley.client.request(method, _address(path, known), **given))

    async def read_everything(self, known: Known) -> None:
        """Ask every GET route in every way."""
        for (method, path), whole in operations().items():
            if method == "GET":
                self.asked.add((method, path))
                if path not in OPEN:
                    for query in self._queries(path, whole):
                        await self._get(path, known, query, streams=_streams(whole))

    async def catalog(self) -> bytes:
        """Return the list of models."""
        return (await self._parley.client.get(CATALOG)).content

    async def open_answers(self) -> bytes:
        """Return everything that names models to everybody, without times: for every model, and for every pair."""
        models = [card["id"] for card in (await self._parley.get(CATALOG))["models"]]
        pairs = [f"/api/head-to-head/{a}/{b}" for a, b in itertools.permutations(models, 2)]
        paths = [*sorted(path for path in OPEN if "{" not in path), *pairs]
        paths += [f"/api/models/{model}/stats" for model in models]
        answers = [(await self._parley.client.get(path)).content for path in paths]
        answers.append((await self._parley.client.request(*CHECKS)).content)
        return BESIDE.sub(b"", b"\n".join(answers))

    def keep(self, answer: Response) -> None:
        """Record a complete response."""
        self.keep_head(answer)
        self.shown += answer.content

    def keep_head(self, answer: Response) -> None:
        """Record a response's status and headers."""
        self.shown += (
            f"\n{answer.request.method} {answer.status_code} {answer.headers.multi_items()}\n".encode()
        )

    async def _get(self, path: str, known: Known, query: dict[str, str], *, streams: bool) -> None:
        address = _address(path, known)
        if not streams:
            answer = await self._parley.client.get(address, params=query)
            assert answer.status_code in (200, 303, *REFUSALS), f"{address}: {answer.text}"
            self.keep(answer)
            return
        async with self._parley.client.stream("GET", address, params=query) as answer:
            self.keep_head(answer)
            try:
                async with asyncio.timeout(STREAM_S):
                    async for part in answer.aiter_raw():
                        self.shown += part
            except TimeoutError:
                pass

    def _queries(self, path: str, whole: dict[str, Any]) -> Iterator[dict[str, str]]:
        yield {}
        values = {
            "search": (*self._words, "%"),
            "archived": ("true",),
            "limit": ("1", "0"),
            "cursor": ("nothing",),
            "sort_by": ("evidence",),
            "order": ("asc",),
            "offset": ("1",),
            "prompt": ("nothing",),
            "dataset": ("nothing",),
            **dict.fromkeys(("row", "version"), ("1",)),
            "replace": ("true",),
            "mode": ("battle",),
            "pinned": ("true", "false"),
            "tag": self._words,
            **dict.fromkeys(("code", "state", "iss", "error"), ("nothing",)),
            **_OF_VOTES,
            "measure": ("cost", "tokens", "requests", "errors", "win_rate"),
            "before": ("1",),
            "days": ("1",),
            "oldest_first": ("true",),
            **dict.fromkeys(
                (
                    "kind",
                    "person_id",
                    "rule_id",
                    "moment",
                    "head",
                    "since",
                    "until",
                    "by",
                    "from",
                    "to",
                    "where",
                    "of",
                    "name",
                    "session",
                ),
                ("nothing",),
            ),
        }
        for parameter in whole.get("parameters", []):
            if parameter["in"] == "query":
                if parameter["name"] not in values:
                    raise Undecided(
                        f"{path}: which values does a blind viewer try for “{parameter['name']}”?"
                    )
                yield from ({parameter["name"]: value} for value in values[parameter["name"]])


_OF_VOTES = {
    **dict.fromkeys(("model", "opponent", "reason", "category"), ("nobody",)),
    "outcome": ("won",),
    "choice": ("left",),
    "counted": ("true", "false"),
    "origin": ("here",),
    "since": ("2020-01-01",),
    "until": ("2020-01-01",),
    "format": ("jsonl", "csv"),
    "texts": ("true",),
    "include_uncounted": ("true",),
}
"""What a viewer may ask of the votes: there are none yet, and this battle may not be among them."""


_PLAN = {"versions": [1], "models": ["ada"], "dataset": NOBODY}
_SEARCH = {"version": 1, "model": "ada", "reflector": "ada", "dataset": NOBODY}
_LOST = {"version": 1, "model": "ada", "reflector": "ada"}
_LINES = {"format": "jsonl", "text": '{"x": "y"}'}
_MESSAGES = {"messages": [{"role": "user", "text": "x"}]}
_OF_THE_LAB: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/api/prompts", {"name": "Mine", "messages": []}),
    ("POST", "/api/prompts/import", {"markdown": ""}),
    ("POST", "/api/prompts/try", {**_MESSAGES, "model": "nobody"}),
    ("PATCH", "/api/prompts/{prompt_id}", {"name": "Mine"}),
    ("DELETE", "/api/prompts/{prompt_id}", None),
    ("POST", "/api/prompts/{prompt_id}/versions", _MESSAGES),
    ("POST", "/api/prompts/{prompt_id}/restore", {"version": 1}),
    ("POST", "/api/prompts/{prompt_id}/fork", {"name": "Mine", "version": 1}),
    ("PUT", "/api/prompts/{prompt_id}/labels/{label}", {"version": 1}),
    ("DELETE", "/api/prompts/{prompt_id}/labels/{label}", None),
    ("POST", "/api/prompts/{prompt_id}/quote", _PLAN),
    ("POST", "/api/prompts/{prompt_id}/runs", _PLAN),
    ("POST", "/api/prompts/{prompt_id}/improvements/quote", _SEARCH),
    ("POST", "/api/prompts/{prompt_id}/improvements", _SEARCH),
    ("POST", "/api/prompts/{prompt_id}/improvements/battles", _LOST),
    ("POST", "/api/prompts/{prompt_id}/contestants", {"version": 1, "model": "ada"}),
    ("DELETE", "/api/lab/improvements/{improvement_id}", None),
    ("POST", "/api/lab/improvements/{improvement_id}/pause", None),
    ("POST", "/api/lab/improvements/{improvement_id}/resume", {"cap_usd": 1.0}),
    ("POST", "/api/lab/improvements/{improvement_id}/cancel", None),
    ("POST", "/api/lab/improvements/{improvement_id}/save", {"note": "Mine"}),
    ("POST", "/api/lab/promptfoo/preview", {"text": "prompts: []"}),
    ("POST", "/api/lab/promptfoo", {"text": "prompts: []"}),
    ("POST", "/api/lab/datasets", {"name": ""}),
    ("PATCH", "/api/lab/datasets/{dataset_id}", {"name": "Mine"}),
    ("DELETE", "/api/lab/datasets/{dataset_id}", None),
    ("POST", "/api/lab/datasets/{dataset_id}/rows", {"rows": [{"fields": {"x": "y"}}]}),
    ("PUT", "/api/lab/datasets/{dataset_id}/rows/{row_id}", {"fields": {"x": "y"}}),
    ("DELETE", "/api/lab/datasets/{dataset_id}/rows/{row_id}", None),
    ("POST", "/api/lab/datasets/{dataset_id}/file", _LINES),
    ("PUT", "/api/lab/datasets/{dataset_id}/file", _LINES),
    ("POST", "/api/lab/datasets/{dataset_id}/turns", {"turn_id": NOBODY, "variable": "x"}),
    ("POST", "/api/lab/datasets/{dataset_id}/battles", {"model": "ada", "variable": "x"}),
    ("POST", "/api/lab/datasets/{dataset_id}/split", {"train": 1.0, "validation": 0.0, "holdout": 0.0}),
    ("PATCH", "/api/lab/runs/{run_id}", {"repeats": 2}),
    ("PUT", "/api/lab/judges/{model_id}", {"votes": 1, "comparisons": 0}),
    ("DELETE", "/api/lab/runs/{run_id}", None),
    ("POST", "/api/lab/runs/{run_id}/pause", None),
    ("POST", "/api/lab/runs/{run_id}/resume", None),
    ("POST", "/api/lab/runs/{run_id}/cancel", None),
    ("POST", "/api/lab/runs/{run_id}/keep", {"row": 1, "version": 1, "model": "ada"}),
    (
        "POST",
        "/api/lab/runs/{run_id}/grade",
        {"check": 0, "row": 1, "version": 1, "model": "ada", "passed": True},
    ),
)
"""A blind viewer has no prompts; a quote of the lab counts its own calls alone."""


def check_all_decided(asked: set[Asked]) -> None:
    """Raise Undecided unless every operation of the document was asked in some state."""
    left = sorted(set(operations()) - asked - {RECOUNT, CHECKS})
    if left:
        raise Undecided(f"What may a blind viewer ask of {left}? Add it to {Path(__file__).name}.")


def _refused(known: Known) -> list[tuple[str, str, Any]]:
    """Requests that are refused in every state before the vote, or in this one."""
    turn = {"turn_id": known.turn_id}
    asked: list[tuple[str, str, Any]] = [
        ("POST", "/api/sessions", {"prompt": "Hi", "seats": {"left": "x"}}),
        ("POST", "/api/sessions/{session_id}/battles", {"prompt": ""}),
        ("POST", "/api/sessions/changes", {"ids": [], "archived": True}),
        ("POST", "/api/sessions/import", None),
        ("POST", "/api/battles/{battle_id}/messages", {"content": ""}),
        ("POST", "/api/matches/{match_id}/turns", {"input": {"text": ""}}),
        ("POST", "/api/turns/{turn_id}/interject", {"input": {"type": "steer", "text": "More"}}),
        ("POST", "/api/quote", {"prompt": "", "mode": "battle"}),
        ("POST", "/api/presets", {"mode": "battle", "name": "Mine", "seats": {}}),
        ("PATCH", "/api/presets/{preset_id}", {"name": "Mine"}),
        ("DELETE", "/api/presets/{preset_id}", None),
        ("POST", "/api/presets/{preset_id}/restore", None),
        *_OF_THE_LAB,
        ("PATCH", "/api/votes/{vote_id}", {"categories": []}),
        ("POST", "/api/imports", None),
        ("DELETE", "/api/imports/{import_id}", None),
        ("POST", "/api/attachments", None),
        ("POST", "/api/votes/{vote_id}/withdraw", None),
        ("POST", "/api/leaderboard/voters/{voter_id}/exclude", None),
        ("POST", "/api/leaderboard/voters/{voter_id}/reinstate", None),
        ("PUT", "/api/leaderboard/prior", None),
        ("DELETE", "/api/leaderboard/prior", None),
        ("DELETE", "/api/data", None),
        ("POST", "/api/providers", {}),
        ("POST", "/api/providers/test", {}),
        ("PATCH", "/api/providers/{provider_id}", {"enabled": False}),
        ("DELETE", "/api/providers/{provider_id}", None),
        ("POST", "/api/models", {"models": []}),
        ("PATCH", "/api/models/{model_id}", {"enabled": False}),
        ("PATCH", "/api/pool", {"models": {}}),
        ("DELETE", "/api/models/{model_id}", None),
        ("POST", "/api/attachments/{sha256}/encodings/{encoding}", None),
        *_OF_PEOPLE,
        *_OF_WHAT_IS_NOT_THERE,
    ]
    for seat in ("left", "right", "middle"):
        lineage = {"prompt": "Hi", "mode": "chat", "continue_from": {**turn, "seat": seat}}
        asked.append(("POST", "/api/sessions/{session_id}/matches", lineage))
    for path in ("/api/battles/{battle_id}/vote", "/api/matches/{match_id}/vote"):
        choices = ("best",) if known.state == "completed" else ("best", "left", "right", "tie")
        asked += [("POST", path, {"vote": choice}) for choice in choices]
    if known.state != "completed":
        asked.append(("POST", "/api/battles/{battle_id}/messages", {"content": "More"}))
        asked.append(("POST", "/api/matches/{match_id}/turns", {"input": {"text": "More"}}))
    if known.state != "stopped":
        asked.append(("POST", "/api/turns/{turn_id}/retry", None))
    return asked


_OF_PEOPLE: tuple[tuple[str, str, Any], ...] = (
    *(
        ("POST", f"/api/auth/{path}", {})
        for path in ("login", "sign-up", "code", "passkey", "link", "link/use", "token", "token/refresh")
    ),
    *(("POST", f"/api/auth/{path}", None) for path in ("guest", "passkey/options")),
    ("POST", "/api/auth/with/{provider_id}/logout", None),
    ("PATCH", "/api/me", {"name": ""}),
    ("PUT", "/api/me/password", {}),
    *(
        ("POST", f"/api/me/{path}", {})
        for path in ("account", "delete", "app", "app/confirm", "app/remove", "passkeys", "passkeys/options")
    ),
    ("DELETE", "/api/me/logins/{login_id}", None),
    ("DELETE", "/api/me/passkeys/{passkey_id}", None),
    ("POST", "/api/me/keys", {}),
    ("DELETE", "/api/me/keys/{key_id}", None),
    *(
        (method, f"/api/{holder}/provider-keys/{{provider_id}}", body)
        for holder in ("me", "workspaces/{workspace_id}")
        for method, body in (("PUT", {}), ("DELETE", None))
    ),
    ("PUT", "/api/preferences", {"nothing": "known"}),
    ("POST", "/v1/chat/completions", {}),
    ("POST", "/api/workspaces", {"name": "Ours"}),
    ("PATCH", "/api/workspaces/{workspace_id}", {"name": "Ours"}),
    ("DELETE", "/api/workspaces/{workspace_id}", None),
    ("PUT", "/api/workspaces/{workspace_id}/members", {}),
    ("DELETE", "/api/workspaces/{workspace_id}/members/{member_id}", None),
    ("POST", "/api/workspaces/of/{session_id}", {"workspace_id": NOBODY}),
    ("POST", "/api/sessions/{session_id}/shares", {}),
    ("DELETE", "/api/sessions/{session_id}/shares/{link_id}", None),
    ("POST", "/api/shared/copy", {"token": NOBODY}),
    ("POST", "/api/people", {}),
    ("PUT", "/api/people/rules", {}),
    ("PATCH", "/api/people/{person_id}", {}),
    ("POST", "/api/people/{person_id}/reset", None),
    ("POST", "/api/people/invitations", {"role": "king"}),
    ("DELETE", "/api/people/invitations/{link_id}", None),
)
"""There is one person in a personal installation, whom nobody lets in."""


_OF_WHAT_IS_NOT_THERE: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/api/library", None),
    ("POST", "/api/library/exports", {}),
    ("POST", "/api/library/kept", {}),
    ("PATCH", "/api/library/{asset_id}", {"tags": ["mine"]}),
    ("DELETE", "/api/library/{asset_id}", None),
    ("POST", "/api/library/{asset_id}/restore", None),
    ("POST", "/api/limits", {}),
    ("PATCH", "/api/limits/{limit_id}", {}),
    ("DELETE", "/api/limits/{limit_id}", None),
    ("PUT", "/api/limits/{limit_id}/raise", {}),
    ("DELETE", "/api/limits/{limit_id}/raise", None),
    ("DELETE", "/api/limits/{limit_id}/unconfirmed", None),
    ("PUT", "/api/limits/rates/{who}", {}),
    ("POST", "/api/moderation/rules", {}),
    ("PUT", "/api/moderation/rules/{rule_id}", {}),
    ("DELETE", "/api/moderation/rules/{rule_id}", None),
    ("POST", "/api/moderation/items/{item_id}/release", None),
    ("POST", "/api/moderation/items/{item_id}/keep", None),
    ("DELETE", "/api/moderation/items/{item_id}", None),
    ("PUT", "/api/retention/{kind}", {"days": 1}),
    ("DELETE", "/api/files/unused", None),
    ("POST", "/api/sessions/{session_id}/tables/query", {}),
    ("PUT", "/api/sessions/{session_id}/tools/{name}", {}),
    ("PUT", "/api/tools/{name}", {}),
    ("POST", "/api/tools/servers/{name}/sign-in", {}),
    ("DELETE", "/api/tools/servers/{name}/sign-in", None),
    ("PUT", "/api/auto", {"nothing": "known"}),
    ("DELETE", "/api/auto/lessons", None),
    ("PUT", "/api/sessions/{session_id}/auto/{turn_id}", {}),
    ("POST", "/v1/embeddings", {}),
    ("POST", "/v1/images/generations", {}),
    ("POST", "/v1/messages", {}),
    ("POST", "/v1/responses", {}),
    ("DELETE", "/v1/responses/{response_id}", None),
)
"""A blind viewer has no assets, limits, tools or stored answers."""


def _harmless(known: Known) -> list[tuple[str, str, Any]]:
    """Requests that are carried out and leave the battle as it is."""
    path = "/api/sessions/{session_id}"
    asked: list[tuple[str, str, Any]] = [
        ("PATCH", path, {"archived": True}),
        ("PATCH", path, {"archived": False}),
        ("PATCH", path, {"pinned": True}),
        ("PATCH", path, {"pinned": False}),
        ("PATCH", path, {"tags": ["mine"]}),
        ("POST", "/api/sessions/changes", {"ids": [known.session_id], "remove_tags": ["mine"]}),
        *(
            ("POST", "/api/sessions/export", {"ids": [known.session_id], "format": kind})
            for kind in ("markdown", "json", "html")
        ),
        ("POST", "/api/quote", {"prompt": "Hi", "mode": "battle"}),
        ("POST", "/api/keys/rotate", None),
        ("POST", "/api/auth/logout", None),
        ("DELETE", "/api/me/logins", None),
        ("DELETE", "/api/people/{person_id}/factors", None),
        ("POST", "/api/discoveries", None),
    ]
    if known.state != "running":
        asked += [("POST", "/api/turns/{turn_id}/stop", None), ("DELETE", path, None)]
        asked.append(("POST", f"{path}/restore", None))
    return asked


def _address(path: str, known: Known) -> str:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    for name in names:
        path = path.replace(f"{{{name}}}", known.value(path, name))
    return path


def _streams(whole: dict[str, Any]) -> bool:
    answers = itertools.chain.from_iterable(
        answer.get("content", {}) for answer in whole.get("responses", {}).values()
    )
    return "text/event-stream" in answers
