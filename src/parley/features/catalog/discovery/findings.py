"""Results of discovery: servers, the models that an address offers, and its problems."""

from typing import Literal, TypeAlias

import msgspec

from parley.kernel.errors import Problem
from parley.kernel.models import Capability, Fact, FactSource, Prices

Purpose: TypeAlias = Literal["chat", "embeddings", "moderation", "audio", "images", "reranking", "other"]
"""The purpose of a model. Only one for chat can take a seat."""


class OfferedModel(msgspec.Struct, frozen=True, kw_only=True):
    """A model that a server lists. What the server does not report is null, or missing from `capabilities`.

    `model` is its name at the server, `name` its display name. `context_window` is in tokens. `remote`: a server on
    this computer lists it, but forwards its requests elsewhere. `created` is in seconds since the epoch. `suggested`:
    one of the few to start with. `known_from` says where its facts are from, once `described` has completed them.
    """

    model: str
    name: str
    purpose: Purpose = "chat"
    capabilities: tuple[Capability, ...] = ("text",)
    context_window: int | None = None
    size_bytes: int | None = None
    prices: Prices | None = None
    organization: str | None = None
    remote: bool = False
    created: float | None = None
    suggested: bool = False
    known_from: dict[Fact, FactSource] = msgspec.field(default_factory=dict[Fact, FactSource])


class DiscoveredServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that answered as one of the known kinds.

    `kind` is the id of a known provider, `base_url` what a provider needs. `needs_key`: it lists its models only to
    those who have its key, so there are none here.
    """

    kind: str
    name: str
    base_url: str
    version: str | None = None
    needs_key: bool = False
    models: tuple[OfferedModel, ...] = ()


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """The result of testing a connection. `ok`: the address and the key can be used.

    `problem` says what is wrong, or what a person should know if `ok`. `latency_ms` is the time until the models were
    listed; None if nothing responded. `base_url` is the address that was tested: save this one.
    `suggested_base_url` is an address at the same server that does respond. `truncated`: the server listed more models
    than are read.
    """

    ok: bool
    base_url: str | None = None
    latency_ms: float | None = None
    problem: Problem | None = None
    models: tuple[OfferedModel, ...] = ()
    suggested_base_url: str | None = None
    truncated: bool = False
