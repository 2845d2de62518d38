"""The setting `kubernetes`: how calls run as Kubernetes Jobs."""

from typing import Annotated

import msgspec
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

NAME = r"^[a-z0-9]([a-z0-9-]{0,50}[a-z0-9])?$"
QUANTITY = r"^[0-9]+(\.[0-9]+)?(m|[kMGT]i?)?$"

Name = Annotated[str, StringConstraints(pattern=NAME)]
Quantity = Annotated[str, StringConstraints(pattern=QUANTITY)]


ABOUT = (
    "The Kubernetes Jobs of providers with `run: job`: `image`, and where needed `name`, `namespace`, `cpu`, `memory` "
    "and more. As an environment variable: JSON."
)


class KubernetesSetting(BaseModel):
    """The image, the place and the limits of Jobs.

    `name` labels the Jobs of this installation: two in one namespace need two names. `image` has the command `parley`.
    `cpu` is what a node must have free, `most_cpu` the limit; `memory` is both.
    `start_s`: how long a Job may wait for a node and its image. `most_s`: how long it may take in all. Without a
    `namespace`, Jobs run in Parley's own, or in that of the current context.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    image: Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^\S+$")]
    name: Name = "parley"
    namespace: Name | None = None
    service_account: Annotated[str, StringConstraints(max_length=253)] = ""
    pull_policy: Annotated[str, StringConstraints(pattern="^(Always|IfNotPresent|Never)$")] = "IfNotPresent"
    cpu: Quantity = "100m"
    most_cpu: Quantity = "1"
    memory: Quantity = "256Mi"
    node_selector: dict[str, str] = {}
    tolerations: tuple[dict[str, str | int], ...] = ()
    start_s: Annotated[float, Field(ge=1, le=3600)] = 90.0
    most_s: Annotated[int, Field(ge=10, le=86_400)] = 1800


def _read_json(value: object) -> object:
    """Return a setting that is written as JSON; anything but text is returned as it is. Raises ValueError."""
    if not isinstance(value, str):
        return value
    try:
        return msgspec.json.decode(value)
    except msgspec.DecodeError:
        raise ValueError("must be an object in JSON") from None


KubernetesJson = Annotated[KubernetesSetting | None, BeforeValidator(_read_json)]
