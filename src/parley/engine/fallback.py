"""The fallback of a model: another model of the catalog that answers if this one fails."""

import logging

from parley.kernel.abilities import check_able
from parley.kernel.calls import Call
from parley.kernel.errors import NotFound, Rejected
from parley.kernel.models import Model
from parley.kernel.ports import Catalog

log = logging.getLogger(__name__)


def find_fallback(catalog: Catalog, model: Model, call: Call) -> Model | None:
    """Return the model that answers instead; None if there is none, or it is disabled or lacks what the call needs."""
    if model.fallback is None or model.fallback == model.id:
        return None
    try:
        other = catalog.model(model.fallback)
        check_able(other, call.messages, call.options)
    except (NotFound, Rejected) as error:
        log.warning("The fallback of %s can't answer: %s", model.id, error)
        return None
    return other if other.enabled and other.kind == "single" else None
