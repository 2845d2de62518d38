"""The demo's painters: small deterministic pictures, drawn from the words of the question."""

import asyncio
import hashlib
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from parley.kernel.connector import Chunk, Finish, Made, Progress, Usage
from parley.kernel.models import Prices
from parley.kernel.pictures import DrawRequest

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

SIDE = 768
STEPS = 20

Palette = tuple[str, str, str, str]
PALETTES: tuple[Palette, ...] = (
    ("#f2e8d5", "#c8452c", "#1f2a44", "#e9b44c"),
    ("#dff0ec", "#2f8f83", "#17324d", "#f2a65a"),
    ("#f7ede2", "#84a59d", "#3d405b", "#e07a5f"),
    ("#1f2041", "#4b3f72", "#ffc857", "#119da4"),
)
"""Paper, two inks and a light."""


@dataclass(frozen=True)
class Painter:
    """A demo model that draws. `step_s` is its pace."""

    name: str
    family: str
    description: str
    prices: Prices
    step_s: float
    paint: "Callable[[ImageDraw, random.Random, int, int, Palette], None]"


async def draw(painter: Painter, request: DrawRequest, speed: float) -> AsyncIterator[Chunk]:
    """Yield progress at the painter's pace, and the pictures."""
    steps = request.settings.steps or STEPS
    for number in range(request.count):
        for step in range(steps):
            done = (number + step / steps) / request.count
            left = (1 - done) * request.count * steps * painter.step_s / speed
            yield Progress(share=done, step=step, steps=steps, left_s=round(left, 1))
            await asyncio.sleep(painter.step_s / speed)
        yield Made(await asyncio.to_thread(_picture, painter, request, number), seed=request.seed)
    yield Finish("stop")
    yield Usage(0, 0)


def _picture(painter: Painter, request: DrawRequest, number: int) -> bytes:
    """Return the bytes of one picture: the same for the same words, seed and size."""
    from PIL import Image, ImageDraw

    settings = request.settings
    words = f"{painter.name}|{request.prompt}|{request.seed}|{number}|{settings.negative_prompt}"
    chance = random.Random(hashlib.sha256(words.encode()).digest())  # noqa: S311 - a drawing, not a secret
    width, height = settings.width or SIDE, settings.height or SIDE
    palette = chance.choice(PALETTES)
    image = Image.new("RGB", (width, height), palette[0])
    painter.paint(ImageDraw.Draw(image), chance, width, height, palette)
    written = BytesIO()
    image.save(written, "PNG")
    return written.getvalue()


def _hills(pen: "ImageDraw", chance: random.Random, width: int, height: int, palette: Palette) -> None:
    """Draw a sun over layers of hills."""
    _, warm, dark, light = palette
    radius = width * chance.uniform(0.08, 0.2)
    x, y = width * chance.uniform(0.2, 0.8), height * chance.uniform(0.2, 0.4)
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=light)
    for layer, ink in enumerate((warm, dark, warm, dark)):
        base = height * (0.45 + 0.15 * layer)
        tops = [(width * at / 6, base - height * chance.uniform(0, 0.16)) for at in range(7)]
        pen.polygon([(0, height), *tops, (width, height)], fill=ink)
        for _ in range(9):
            left, line = chance.uniform(0, width), base + height * chance.uniform(0.06, 0.14)
            pen.line((left, line, left + width * 0.08, line), fill=palette[0], width=max(1, width // 250))


def _blocks(pen: "ImageDraw", chance: random.Random, width: int, height: int, palette: Palette) -> None:
    """Draw a poster of squares, circles and quarters."""
    cells = chance.choice((3, 4))
    for row in range(cells):
        for column in range(cells):
            box = (
                width * column / cells,
                height * row / cells,
                width * (column + 1) / cells - 1,
                height * (row + 1) / cells - 1,
            )
            under, over = chance.sample(palette, 2)
            pen.rectangle(box, fill=under)
            if (kind := chance.randrange(3)) == 0:
                pen.ellipse(box, fill=over)
            elif kind == 1:
                pen.pieslice(box, chance.choice((0, 90, 180, 270)), chance.choice((360, 450)), fill=over)
            else:
                pen.polygon((box[0], box[3], box[2], box[1], box[2], box[3]), fill=over)


PAINTERS: dict[str, Painter] = {
    f"demo-{painter.name.lower()}": painter
    for painter in (
        Painter("Mira", "Parley Brush", "Draws hills and suns.", Prices(0, 0, image=0.02), 0.12, _hills),
        Painter(
            "Otto", "Parley Brush", "Draws posters of plain shapes.", Prices(0, 0, image=0.04), 0.2, _blocks
        ),
    )
}
"""The painters by model id."""
