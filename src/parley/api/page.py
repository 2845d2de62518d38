"""Serves the page: the built web client, compressed, with index.html for every other path."""

import gzip
import mimetypes
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

ROOT = (Path(__file__).parent.parent / "web_dist").resolve()
COMPRESSED = frozenset({".js", ".css", ".html", ".svg", ".json", ".txt", ".webmanifest"})

DIAGRAM_HEADERS = {
    "Content-Security-Policy": (
        "sandbox allow-scripts; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
}
"""Headers of the framed pages that draw diagrams and views: without an origin they can reach nothing."""

SANDBOX_HEADERS = {
    "Content-Security-Policy": (
        "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; media-src data: blob:; frame-src 'none'; worker-src 'none'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
        "require-trusted-types-for 'script'; trusted-types default"
    ),
    "X-Frame-Options": "SAMEORIGIN",
    "X-DNS-Prefetch-Control": "off",
}
"""Headers of the frame around what models make. What is shown in it has the same policy, and can lead nowhere."""

_UNBUILT = """<!doctype html><html lang="en"><title>Parley</title><body style="font:16px system-ui;margin:10vh auto;
max-width:34rem"><h1>The page is not built yet</h1><p>Parley is running, and its API works. Run
<code>make setup</code> in the repository to build the page, then reload.</p></body></html>"""


def serve_page(request: Request) -> Response:
    """Return a file of the page, or index.html, which routes every other path itself.

    Runs in a thread, because it reads and compresses files.
    """
    path: str = request.path_params.get("path", "")
    file = _inside(path)
    if file is None:
        if path.startswith("assets/"):
            return Response(status_code=404)
        file = ROOT / "index.html"
        if not file.is_file():
            return HTMLResponse(_UNBUILT, 503)
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    headers = _headers(file)
    if file.suffix in COMPRESSED:
        headers["Vary"] = "Accept-Encoding"
        accepted = request.headers.get("accept-encoding", "")
        brotli = file.with_name(f"{file.name}.br")
        if "br" in accepted.replace(",", " ").split() and brotli.is_file():
            compressed = {**headers, "Content-Encoding": "br"}
            return Response(brotli.read_bytes(), headers=compressed, media_type=kind)
        if "gzip" in accepted:
            body = _zipped(file, file.stat().st_mtime_ns)
            return Response(body, headers={**headers, "Content-Encoding": "gzip"}, media_type=kind)
    return Response(file.read_bytes(), headers=headers, media_type=kind)


def _headers(file: Path) -> dict[str, str]:
    if file == ROOT / "sandbox.html":
        return {"Cache-Control": "no-cache", **SANDBOX_HEADERS}
    if file in (ROOT / "diagram.html", ROOT / "view.html"):
        return {"Cache-Control": "no-cache", **DIAGRAM_HEADERS}
    if file.is_relative_to(ROOT / "assets"):
        # The pages that draw have no origin, so they load their scripts cross-origin.
        return {"Cache-Control": "public, max-age=31536000, immutable", "Access-Control-Allow-Origin": "*"}
    return {"Cache-Control": "no-cache"}


def _inside(path: str) -> Path | None:
    try:
        file = (ROOT / path).resolve()
        return file if path and file.is_relative_to(ROOT) and file.is_file() else None
    except (OSError, ValueError):  # the name is too long or contains NUL
        return None


@lru_cache(maxsize=512)
def _zipped(file: Path, _modified: int) -> bytes:
    return gzip.compress(file.read_bytes(), 9)
