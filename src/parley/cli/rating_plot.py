"""Draws standings as a picture: one line per model, its rating as a dot and its interval as a bar."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias
from xml.sax.saxutils import escape

import msgspec

from parley.kernel.errors import Invalid
from parley.ratings.standings import Standing, Standings

MODELS_MAX = 100
ROW, TOP, BOTTOM, RIGHT, CHART, LETTER = 24, 56, 44, 40, 560, 7.4
INK, FAINT, ACCENT, OPEN = "#1f2430", "#c9ced8", "#3457d5", "#9aa3b5"
TICKS = (1, 2, 5)


class Line(msgspec.Struct, frozen=True):
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float


class Dot(msgspec.Struct, frozen=True):
    """A filled circle."""

    x: float
    y: float
    radius: float
    colour: str


class Text(msgspec.Struct, frozen=True):
    """One line of text, its baseline at y; anchored at its start, middle or end."""

    x: float
    y: float
    words: str
    anchor: str
    size: int = 13


Shape: TypeAlias = Line | Dot | Text


class Picture(msgspec.Struct, frozen=True):
    """Shapes on a white sheet."""

    width: int
    height: int
    shapes: Sequence[Shape]


def check_ending(path: Path) -> None:
    """Raise Invalid where the path's ending is that of no kind of picture that can be drawn."""
    if path.suffix.lower() not in (".svg", ".png"):
        raise Invalid("plot", f"{path.name} is neither .svg nor .png.")


def write_plot(table: Standings, lines: Sequence[Standing], path: Path) -> None:
    """Write lines of a table as SVG or PNG, by the path's ending. Raises Invalid where it cannot."""
    check_ending(path)
    writer = png if path.suffix.lower() == ".png" else svg
    try:
        path.write_bytes(writer(picture(table, lines)))
    except OSError as error:
        raise Invalid("plot", f"{path} cannot be written: {error.strerror}.") from None


def picture(table: Standings, lines: Sequence[Standing]) -> Picture:
    """Lay lines of a table out; of very many the best."""
    number, lines = len(lines), lines[:MODELS_MAX]
    left = 24 + LETTER * max((len(line.model) for line in lines), default=0)
    low = min((line.rating if line.ci_lower is None else line.ci_lower for line in lines), default=0.0)
    high = max((line.rating if line.ci_upper is None else line.ci_upper for line in lines), default=1.0)
    span = max(high - low, 1.0)
    bottom = TOP + ROW * len(lines)

    def place(rating: float) -> float:
        return left + CHART * (rating - low) / span

    shapes: list[Shape] = [Text(24, 30, _heading(table, len(lines), number), "start", 15)]
    for tick in _ticks(low, high):
        shapes += [Line(place(tick), TOP - 8, place(tick), bottom, FAINT, 1)]
        shapes += [Text(place(tick), bottom + 20, f"{tick:g}", "middle", 12)]
    for row, line in enumerate(lines):
        shapes += _row(line, TOP + ROW * (row + 0.5), left, place)
    return Picture(round(left + CHART + RIGHT), bottom + BOTTOM, shapes)


def svg(drawn: Picture) -> bytes:
    """Return the picture as SVG."""
    size = f'width="{drawn.width}" height="{drawn.height}" viewBox="0 0 {drawn.width} {drawn.height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="system-ui, sans-serif">',
        f'<rect width="{drawn.width}" height="{drawn.height}" fill="#ffffff"/>',
        *(_element(shape) for shape in drawn.shapes),
        "</svg>\n",
    ]
    return "\n".join(parts).encode()


def png(drawn: Picture) -> bytes:
    """Return the picture as PNG, twice as large so that it is sharp. Raises Invalid where Pillow is missing."""
    from io import BytesIO

    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        advice = "Install Parley with it (pip install 'parley[png]'), or write an .svg file."
        raise Invalid("plot", "PNG is drawn by Pillow, which is not installed.", advice) from None
    image = Image.new("RGB", (2 * drawn.width, 2 * drawn.height), "#ffffff")
    pen = ImageDraw.Draw(image)
    for shape in drawn.shapes:
        match shape:
            case Line(x1, y1, x2, y2, colour, width):
                pen.line([(2 * x1, 2 * y1), (2 * x2, 2 * y2)], fill=colour, width=round(2 * width))
            case Dot(x, y, r, colour):
                pen.ellipse([(2 * (x - r), 2 * (y - r)), (2 * (x + r), 2 * (y + r))], fill=colour)
            case Text(x, y, words, anchor, size):
                corner = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
                font = ImageFont.load_default(2 * size)
                pen.text((2 * x, 2 * y), words, fill=INK, font=font, anchor=corner)
    written = BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


def _heading(table: Standings, shown: int, of_all: int) -> str:
    scale = "Elo" if table.method == "elo" else "Rating, with 95% intervals"
    of = f", best {shown} of {of_all} models" if shown < of_all else ""
    return f"{scale} · {table.votes:,} votes{of}"


def _row(line: Standing, y: float, left: float, place: Callable[[float], float]) -> list[Shape]:
    colour = OPEN if line.provisional else ACCENT
    shapes: list[Shape] = [Text(left - 14, y + 4, line.model, "end")]
    if line.ci_lower is not None and line.ci_upper is not None:
        shapes.append(Line(place(line.ci_lower), y, place(line.ci_upper), y, colour, 2))
    shapes.append(Dot(place(line.rating), y, 4, colour))
    return shapes


def _ticks(low: float, high: float) -> list[float]:
    """Return about six round values between two."""
    rough = max(high - low, 1.0) / 6
    power = 10.0 ** len(str(int(rough))) / 10
    step = next((power * tick for tick in TICKS if power * tick >= rough), 10 * power)
    first = -(-low // step)
    return [step * (first + n) for n in range(int((high - step * first) // step) + 1)]


def _element(shape: Shape) -> str:
    match shape:
        case Line(x1, y1, x2, y2, colour, width):
            ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
            return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"/>'
        case Dot(x, y, radius, colour):
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{colour}"/>'
        case Text(x, y, words, anchor, size):
            place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
            return f'<text {place} fill="{INK}">{escape(words)}</text>'
