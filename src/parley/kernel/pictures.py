"""Pictures: how a model is asked to draw."""

import msgspec

BLIND_SIDE = 1024
"""The width and height, in pixels, of every picture in a blind match."""

MOST_PICTURES = 8
"""The most pictures of one reply that a model is asked for."""


class PictureSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Settings for drawing; None leaves a setting to the server. `count`: the pictures of one reply.

    `seed` asks for the same picture again from the same words, where the server has seeds.
    """

    count: int | None = None
    width: int | None = None
    height: int | None = None
    seed: int | None = None
    steps: int | None = None
    negative_prompt: str | None = None

    def or_else(self, others: "PictureSettings | None") -> "PictureSettings":
        """Return these settings, with those that are None taken from `others`."""
        if others is None:
            return self
        ours = {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not None}
        return msgspec.structs.replace(others, **ours)

    def in_blind_match(self) -> "PictureSettings":
        """Return the settings in which both sides of a blind match draw: one picture, of one size."""
        return msgspec.structs.replace(self, count=1, width=BLIND_SIDE, height=BLIND_SIDE)


NO_SETTINGS = PictureSettings()
"""All settings left to the server."""


def as_drawn(settings: PictureSettings | None, seed: int | None) -> PictureSettings | None:
    """Return the settings of a picture that was drawn from a seed, if the server has said it."""
    if seed is None:
        return settings
    return (settings or NO_SETTINGS).or_else(PictureSettings(seed=seed))


class DrawRequest(msgspec.Struct, frozen=True, kw_only=True):
    """One request to draw. `model` is the name at the provider, `seat_seed` stable per step.

    `job` names this request for good: a server that takes names of jobs draws it once. `earlier_job` is that of a
    request for the same picture whose end Parley did not see, because it was restarted.
    """

    model: str
    prompt: str
    settings: PictureSettings
    job: str
    earlier_job: str | None = None
    seat_seed: int = 0

    @property
    def seed(self) -> int:
        """The seed to draw from: the one that is set, or the step's own."""
        return self.seat_seed % (1 << 32) if self.settings.seed is None else self.settings.seed

    @property
    def count(self) -> int:
        """The pictures to draw."""
        return min(self.settings.count or 1, MOST_PICTURES)
