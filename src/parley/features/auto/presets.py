"""Presets that Auto may choose: each for the kinds that its person has named, with what its seats cost."""

from collections.abc import Mapping
from typing import NamedTuple

from parley.engine.gateway import Gateway
from parley.features.arena.matchmaker import Matchmaker
from parley.features.arena.quotes import REPLY_TOKENS, Quote, make_quote
from parley.features.arena.schemas import AskQuote
from parley.features.auto.choosing import AutoPolicy, Candidate
from parley.features.presets.service import PresetsService
from parley.kernel.caller import Caller
from parley.kernel.errors import ParleyError
from parley.kernel.prices import Prices

MEASURED_TOKENS = 1_000
MICROS = 1_000_000


class Presets(NamedTuple):
    """The presets that may be chosen, as candidates, and the prices of their seats together, by the model's id."""

    candidates: tuple[Candidate, ...] = ()
    prices: Mapping[str, Prices | None] = {}


class AutoPresets:
    """Finds the presets of a person that their policy names."""

    def __init__(self, presets: PresetsService, matchmaker: Matchmaker, gateway: Gateway) -> None:
        self._presets = presets
        self._matchmaker = matchmaker
        self._gateway = gateway

    async def of(self, caller: Caller, policy: AutoPolicy) -> Presets:
        """Return a person's presets that answer like a model and may be chosen, in the revisions that there are."""
        if not policy.presets:
            return Presets()
        models = {model.id: model for model in self._matchmaker.catalog.models()}
        candidates: list[Candidate] = []
        prices: dict[str, Prices | None] = {}
        for preset in await self._presets.list(caller):
            model = models.get(preset.model_id or "")
            kinds = policy.presets.get(preset.id)
            if model is None or not model.enabled or not kinds:
                continue
            price = self._price(model.id)
            prices[model.id] = price
            candidates.append(
                Candidate(
                    id=model.id,
                    name=model.name,
                    capabilities=frozenset(model.capabilities),
                    context_window=model.context_window,
                    price_in=price.input,
                    price_out=price.output,
                    local=model.local,
                    down=self._gateway.is_down(model) or not self._gateway.may_ask(model, caller),
                    kinds=kinds,
                )
            )
        return Presets(tuple(candidates), prices)

    def _price(self, model_id: str) -> Prices:
        """Return what its seats take together for a token of the question and for one of the answer.

        It is the middle between the fewest and the most calls that the preset makes.
        """
        question = AskQuote(mode="chat", seats={"assistant": model_id})
        longer = question.model_copy(update={"attached_tokens": MEASURED_TOKENS})
        try:
            alone = _middle(make_quote(self._matchmaker, question))
            both = _middle(make_quote(self._matchmaker, longer))
        except ParleyError:  # one of its models has just left
            return Prices(input=0.0, output=0.0)
        return Prices(input=(both - alone) / MEASURED_TOKENS * MICROS, output=alone / REPLY_TOKENS * MICROS)


def _middle(quote: Quote) -> float:
    return ((quote.cost_usd_least or 0.0) + (quote.cost_usd_most or 0.0)) / 2
