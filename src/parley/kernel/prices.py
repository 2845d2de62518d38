"""The prices of a model, as its provider's price list states them."""

import msgspec


class PriceTier(msgspec.Struct, frozen=True):
    """The prices of a whole call whose input has more than `above` tokens; see `Prices`."""

    above: int
    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None


class Prices(msgspec.Struct, frozen=True):
    """US dollars per million tokens, and per picture.

    `cached_input`: input that the provider had cached; `cache_write`: input that it stores there. None is the price of
    other input. `image`: a picture that the model makes; None if its tokens are all that is billed. `tiers`: the prices
    of long prompts, the shortest first.
    """

    input: float
    output: float
    cached_input: float | None = None
    cache_write: float | None = None
    image: float | None = None
    tiers: tuple[PriceTier, ...] = ()

    def cost_micros(
        self,
        input_tokens: int,
        output_tokens: int,
        *,
        cached_tokens: int = 0,
        cache_written_tokens: int = 0,
        images: int = 0,
    ) -> int:
        """Return the price of one call in micro-dollars, rounded half up.

        The cached tokens, and those written to the cache, are part of the input.
        """
        price = self.of(input_tokens)
        cached = min(cached_tokens, input_tokens)
        stored = min(cache_written_tokens, input_tokens - cached)
        cost = (input_tokens - cached - stored) * price.input + output_tokens * price.output
        cost += cached * _or(price.cached_input, price.input) + stored * _or(price.cache_write, price.input)
        return int(cost + images * (self.image or 0.0) * 1e6 + 0.5)

    def of(self, input_tokens: int) -> "Prices | PriceTier":
        """Return the prices of a call with this much input."""
        reached = [tier for tier in self.tiers if input_tokens > tier.above]
        return max(reached, key=lambda tier: tier.above) if reached else self

    def most_micros(self, input_tokens: int, output_tokens: int, images: int = 0) -> int:
        """Return the most that such a call can cost: nothing was cached, everything is written to the cache."""
        dearest = 0.0
        for price in (self, *(tier for tier in self.tiers if input_tokens > tier.above)):
            read = max(price.input, _or(price.cache_write, price.input), _or(price.cached_input, price.input))
            dearest = max(dearest, input_tokens * read + output_tokens * price.output)
        return -int(-(dearest + images * (self.image or 0.0) * 1e6) // 1)

    @property
    def is_free(self) -> bool:
        """Nothing costs anything."""
        return not self.image and not any(price.input or price.output for price in (self, *self.tiers))


def _or(price: float | None, otherwise: float) -> float:
    return otherwise if price is None else price
