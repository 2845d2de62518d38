"""Settings for drawing, as a person writes it: in the model list, in Models, and at a seat."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from parley.kernel.pictures import MOST_PICTURES, PictureSettings


class PictureFields(BaseModel):
    """Settings for drawing. The model's card, or its server, decides what is left out. Sides are in pixels."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    count: Annotated[int, Field(ge=1, le=MOST_PICTURES)] | None = None
    width: Annotated[int, Field(ge=64, le=4096)] | None = None
    height: Annotated[int, Field(ge=64, le=4096)] | None = None
    seed: Annotated[int, Field(ge=0, lt=1 << 32)] | None = None
    steps: Annotated[int, Field(ge=1, le=500)] | None = None
    negative_prompt: Annotated[str, Field(max_length=4000)] | None = None

    @property
    def settings(self) -> PictureSettings:
        """The settings in the form in which they are used."""
        return PictureSettings(**self.model_dump())
