"""Draws a ratings table as SVG or PNG: one row per model, with a dot and an interval."""

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TypeAlias
from xml.sax.saxutils import escape

from parley.kernel.errors import Invalid
from parley.ratings.lines import Line
from parley.ratings.standings import Standings

MODELS_MAX = 100
ROW, TOP, BOTTOM, RIGHT, CHART, LETTER = 24, 56, 44, 40, 560, 7.4
INK, FAINT, ACCENT, OPEN = "#1f2430", "#c9ced8", "#3457d5", "#9aa3b5"
TICKS = (1, 2, 5)


class Svg:
    """Draws SVG."""

    def __init__(self, width: int, height: int) -> None:
        size = f'width="{width}" height="{height}"'
        view = f'viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif"'
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>',
            f'<rect {size} fill="#ffffff"/>',
        ]

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, width: int) -> None:
        """Draw a straight line."""
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self._parts.append(f'<line {ends} stroke="{colour}" stroke-width="{width}"/>')

    def dot(self, x: float, y: float, colour: str) -> None:
        """Draw a filled circle."""
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>')

    def text(self, x: float, y: float, words: str, anchor: str, size: int = 13) -> None:
        """Draw a line of text with its baseline at y; `anchor` is start, middle or end."""
        place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
        self._parts.append(f'<text {place} fill="{INK}">{escape(words)}</text>')

    def encode(self) -> bytes:
        """Return the image file."""
        return "\n".join([*self._parts, "</svg>\n"]).encode()


class Png:
    """Draws PNG at twice the size, for sharp text."""

    def __init__(self, width: int, height: int) -> None:
        from PIL import Image, ImageDraw, ImageFont

        self._image = Image.new("RGB", (2 * width, 2 * height), "#ffffff")
        self._draw = ImageDraw.Draw(self._image)
        self._font = ImageFont.load_default

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str, width: int) -> None:
        """Draw a straight line."""
        self._draw.line([(2 * x1, 2 * y1), (2 * x2, 2 * y2)], fill=colour, width=2 * width)

    def dot(self, x: float, y: float, colour: str) -> None:
        """Draw a filled circle."""
        self._draw.ellipse([(2 * x - 8, 2 * y - 8), (2 * x + 8, 2 * y + 8)], fill=colour)

    def text(self, x: float, y: float, words: str, anchor: str, size: int = 13) -> None:
        """Draw a line of text with its baseline at y; `anchor` is start, middle or end."""
        corner = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
        self._draw.text((2 * x, 2 * y), words, fill=INK, font=self._font(2 * size), anchor=corner)

    def encode(self) -> bytes:
        """Return the image file."""
        written = BytesIO()
        self._image.save(written, "PNG", optimize=True)
        return written.getvalue()


Canvas: TypeAlias = Svg | Png
CANVASES: dict[str, type[Canvas]] = {".svg": Svg, ".png": Png}


def check_ending(path: Path) -> None:
    """Raise Invalid unless the path ends in .svg or .png."""
    if path.suffix.lower() not in CANVASES:
        raise Invalid("plot", f"{path.name} is neither .svg nor .png.")


def write_plot(table: Standings, lines: Sequence[Line], path: Path) -> None:
    """Draw lines of a table into a file. Raises Invalid if it can't be written."""
    image = draw(table, lines, CANVASES[path.suffix.lower()])
    try:
        path.write_bytes(image)
    except OSError as error:
        raise Invalid("plot", f"Can't write {path}: {error.strerror}.") from None


def draw(table: Standings, lines: Sequence[Line], canvas: type[Canvas]) -> bytes:
    """Draw lines of a table, the best if there are too many."""
    number, lines = len(lines), lines[:MODELS_MAX]
    left = 24 + LETTER * max((len(line.model) for line in lines), default=0)
    low = min((line.rating if line.ci_lower is None else line.ci_lower for line in lines), default=0.0)
    high = max((line.rating if line.ci_upper is None else line.ci_upper for line in lines), default=1.0)
    span = max(high - low, 1.0)
    bottom = TOP + ROW * len(lines)
    image = canvas(round(left + CHART + RIGHT), bottom + BOTTOM)

    def place(rating: float) -> float:
        return left + CHART * (rating - low) / span

    scale = "Elo" if table.method == "elo" else "Rating, with 95% intervals"
    best = f", best {len(lines)} of {number} models" if len(lines) < number else ""
    image.text(24, 30, f"{scale} · {table.votes:,} votes{best}", "start", 15)
    for tick in _ticks(low, high):
        image.line(place(tick), TOP - 8, place(tick), bottom, FAINT, 1)
        image.text(place(tick), bottom + 20, f"{tick:g}", "middle", 12)
    for row, line in enumerate(lines):
        image.text(left - 14, TOP + ROW * (row + 0.5) + 4, line.model, "end")
        _draw_rating(image, line, TOP + ROW * (row + 0.5), place)
    return image.encode()


def _draw_rating(image: Canvas, line: Line, y: float, place: Callable[[float], float]) -> None:
    colour = OPEN if line.provisional else ACCENT
    if line.ci_lower is not None and line.ci_upper is not None:
        image.line(place(line.ci_lower), y, place(line.ci_upper), y, colour, 2)
    image.dot(place(line.rating), y, colour)


def _ticks(low: float, high: float) -> list[float]:
    """Return about six round values between two."""
    rough = max(high - low, 1.0) / 6
    power = 10.0 ** len(str(int(rough))) / 10
    step = next((power * tick for tick in TICKS if power * tick >= rough), 10 * power)
    first = -(-low // step)
    return [step * (first + n) for n in range(int((high - step * first) // step) + 1)]
