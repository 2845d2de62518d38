"""The model list as a person writes it: the fields of `models.yaml`."""

from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    model_validator,
)

from parley.features.catalog.addresses import base_url_of, mended_address
from parley.features.catalog.picture_fields import PictureFields
from parley.kernel.models import Capability, Runs
from parley.kernel.names import checked_name
from parley.kernel.prices import Prices, PriceTier

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$")]
"""Lower-case letters, digits, dots, dashes and underscores; at most 64 of them."""

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


def _fact(text: str) -> str:
    return checked_name(text) if text else text


FactText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200), AfterValidator(_fact)]
"""A fact about a model. Empty says that it is unknown; a missing one is told by the model's name, if that tells it."""
Name = Annotated[Text, AfterValidator(checked_name)]
Weight = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]
DrawWeight = Annotated[float, Field(ge=0, le=1000, allow_inf_nan=False)]
"""The chance of a model in weighted draws; with 0 it is never drawn."""
Price = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False)]
Concurrency = Annotated[int, Field(ge=1, le=10_000)]
CacheTime = Annotated[float, Field(ge=0, le=30 * 86_400, allow_inf_nan=False)]
ContextWindow = Annotated[int, Field(ge=1, le=1_000_000_000)]
Priority = Annotated[int, Field(ge=-1_000_000, le=1_000_000)]
PerMinute = Annotated[int, Field(ge=1, le=1_000_000)]
Timeout = Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)]


WebAddress = Annotated[Text, AfterValidator(mended_address)]
"""The address of a model server, as people write it."""


def _with_path(address: str | None, info: ValidationInfo) -> str | None:
    """Return the base URL that the entry's connector sends requests to."""
    connector = info.data.get("connector")
    return base_url_of(connector, address) if address is not None and connector is not None else address


BaseUrl = Annotated[WebAddress | None, AfterValidator(_with_path)]


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class ProviderEntry(_Entry):
    """A configured way to reach models.

    Without `shared_key`, people who sign in reach it only with a key of their own or of their workspace. `run`: each
    call in Parley's process, or as a Kubernetes Job.
    """

    id: Identifier
    connector: Text
    base_url: BaseUrl = None
    api_key: str | None = None
    weight: Weight = 1.0
    region: Name | None = None
    priority: Priority = 0
    max_concurrency: Concurrency | None = None
    max_per_minute: PerMinute | None = None
    shared_key: bool = True
    run: Runs = "process"


class RouteEntry(_Entry):
    """One way to reach a model: a provider, and the model's name there."""

    provider: Text
    model: Name


class PriceTierEntry(_Entry):
    """The prices of a call whose input has more than `above` tokens."""

    above: Annotated[int, Field(gt=0, le=1_000_000_000)]
    input: Price
    output: Price
    cached_input: Price | None = None
    cache_write: Price | None = None


class PricesEntry(_Entry):
    """US dollars per million tokens, and per picture (`image`). `tiers` are the prices of long prompts.

    `cached_input`: input that the provider had cached; `cache_write`: input that it stores there.
    """

    input: Price
    output: Price
    cached_input: Price | None = None
    cache_write: Price | None = None
    image: Price | None = None
    tiers: tuple[PriceTierEntry, ...] | None = None

    def prices(self) -> Prices:
        """Return the prices as the catalog has them."""
        tiers = sorted(self.tiers or (), key=lambda tier: tier.above)
        return Prices(
            self.input,
            self.output,
            self.cached_input,
            self.cache_write,
            self.image,
            tuple(PriceTier(it.above, it.input, it.output, it.cached_input, it.cache_write) for it in tiers),
        )


class ModelEntry(_Entry):
    """A model, with `routes` to providers or, in the short form, with its own server."""

    id: Identifier
    name: Name | None = None
    organization: FactText | None = None
    family: FactText | None = None
    license: FactText | None = None
    description: Text | None = None
    routes: tuple[RouteEntry, ...] | None = None
    prices: PricesEntry | None = None
    picture: PictureFields | None = None
    capabilities: tuple[Capability, ...] = ("text",)
    context_window: ContextWindow | None = None
    tags: tuple[Identifier, ...] = ()
    timeout_s: Timeout = 120.0
    max_concurrency: Concurrency | None = None
    weight: DrawWeight = 1.0
    enabled: bool = True
    cache_s: CacheTime | None = None
    fallback: Identifier | None = None
    kind: Literal["single"] = "single"

    connector: Text | None = None
    base_url: BaseUrl = None
    api_key: str | None = None
    model: Name | None = None

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
