"""Errors of calls that can't be made at all."""

from parley.kernel.errors import Rejected
from parley.kernel.models import Model


def no_ensembles(model: Model) -> Rejected:
    """Return the error of an ensemble that nothing here can run."""
    return Rejected(
        f"{model.name} is an ensemble, which can't run here.", "Choose a single model.", code="no_ensembles"
    )


def no_route(model: Model) -> Rejected:
    """Return the error of a model without a provider."""
    return Rejected(
        f"{model.name} has no route to a provider.",
        "Add one in Models, or choose another model.",
        code="no_route",
    )


def provider_removed(provider_id: str) -> Rejected:
    """Return the error of a call whose provider is gone since it began."""
    return Rejected(
        f"The provider “{provider_id}” was removed.", "Choose another model.", code="provider_removed"
    )
