"""The model list as a person writes it: the fields of `models.yaml`."""

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from parley.kernel.models import Capability

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
"""Lower-case letters, digits, dots, dashes and underscores; at most 64 of them."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Weight = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
Price = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False)]
Concurrency = Annotated[int, Field(ge=1, le=10_000)]
CacheTime = Annotated[float, Field(ge=0, le=30 * 86_400, allow_inf_nan=False)]
PerMinute = Annotated[int, Field(ge=1, le=1_000_000)]
Timeout = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]


def checked_url(url: str) -> str:
    """Return the address of a model server without a trailing slash. Raises ValueError that does not repeat it."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("is not a web address") from None
    if parts.scheme not in ("http", "https") or not host or any(character.isspace() for character in url):
        raise ValueError("must be a web address, as in http://127.0.0.1:8000/v1")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not have a user name or password: put the key in api_key")
    if parts.query or parts.fragment:
        raise ValueError("must not have “?” or “#”")
    if url.rstrip("/").endswith("/chat/completions"):
        raise ValueError("must end before /chat/completions: Parley adds that itself")
    return url.rstrip("/")


WebAddress = Annotated[Text, AfterValidator(checked_url)]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class ProviderEntry(_Entry):
    """A configured way to reach models."""

    id: Identifier
    connector: Text
    base_url: WebAddress | None = None
    api_key: str | None = None
    weight: Weight = 1.0
    region: Text | None = None
    priority: int = 0
    max_concurrency: Concurrency | None = None
    max_per_minute: PerMinute | None = None


class RouteEntry(_Entry):
    """One way to reach a model: a provider, and the model's name there."""

    provider: Text
    model: Text


class PricesEntry(_Entry):
    """US dollars per million tokens."""

    input: Price
    output: Price


class ModelEntry(_Entry):
    """A model, with `routes` to providers or, in the short form, with its own server."""

    id: Identifier
    name: Text | None = None
    organization: Text | None = None
    family: Text | None = None
    license: Text = "Unknown"
    description: Text | None = None
    routes: tuple[RouteEntry, ...] | None = None
    prices: PricesEntry | None = None
    capabilities: tuple[Capability, ...] = ("text",)
    context_window: Annotated[int, Field(ge=1)] | None = None
    tags: tuple[Identifier, ...] = ()
    timeout_s: Timeout = 120.0
    max_concurrency: Concurrency | None = None
    weight: Weight = 1.0
    enabled: bool = True
    cache_s: CacheTime | None = None
    fallback: Identifier | None = None
    kind: Literal["single"] = "single"

    connector: Text | None = None
    base_url: WebAddress | None = None
    api_key: str | None = None
    model: Text | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        short = [
            name for name in ("connector", "base_url", "api_key", "model") if getattr(self, name) is not None
        ]
        if self.routes is not None:
            if short:
                raise ValueError(f"has both routes and {', '.join(short)}: use one form")
            if not self.routes:
                raise ValueError("routes is empty: name at least one provider")
        elif self.connector is None or self.model is None:
            raise ValueError(
                "needs routes, or connector and model (with base_url where the connector has none)"
            )
        return self
