"""Tests of hostile and broken files as attachments: each is refused in words, in bounded time, and nothing is left."""

import asyncio
import io
import struct
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject

from parley.settings import Settings
from tests.api.test_attachments import OCTETS, a_picture, upload
from tests.fakes.running import RunningParley, a_running_parley

DAMAGED, UNSUPPORTED, TOO_LARGE = "attachment_damaged", "attachment_unsupported", "attachment_too_large"
MANY = 20_000


@pytest.fixture
async def parley(tmp_path: Path) -> AsyncGenerator[RunningParley]:
    async with a_running_parley(tmp_path, attachment_max_mb=1) as running:
        yield running


def a_pdf(change: Callable[[PdfWriter], None] = lambda _: None) -> bytes:
    """Return a PDF with an empty page, changed."""
    writer, out = PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    change(writer)
    writer.write(out)
    return out.getvalue()


def a_text_pdf(text: str = "Hello from page one") -> bytes:
    """Return a PDF that says something."""
    stream = f"BT /F1 12 Tf 20 100 Td ({text}) Tj ET".encode()
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    )
    return _pdf_of(objects)


def a_deep_pdf() -> bytes:
    """Return a PDF whose page tree is a chain that ends nowhere."""
    links = [
        b"<< /Type /Pages /Kids [%d 0 R] /Count 1 >>" % (number + 1) for number in range(2, 2 + MANY // 4)
    ]
    return _pdf_of(
        (b"<< /Type /Catalog /Pages 2 0 R >>", *links, b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>")
    )


def a_pdf_of_one_page_many_times() -> bytes:
    """Return a small PDF that claims to have very many pages."""
    kids = b" ".join([b"3 0 R"] * MANY)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    pages = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, MANY)
    return _pdf_of((b"<< /Type /Catalog /Pages 2 0 R >>", pages, page))


def a_nested_pdf() -> bytes:
    """Return a PDF with arrays within arrays, far deeper than a parser may recurse."""
    return _pdf_of((b"<< /Type /Catalog /Pages " + b"[" * MANY + b"]" * MANY + b" >>",))


def a_pdf_that_unpacks_to_gigabytes() -> bytes:
    """Return a PDF whose page's content is packed twice, from gigabytes to kilobytes."""
    packer, block = zlib.compressobj(9), b" " * (1 << 20)
    first, again = (packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    # After a full flush the same block is packed to the same bytes; nobody reads on to the checksum.
    packed = zlib.compress(first + again * 2047 + packer.flush(), 9)
    head = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>" % len(packed)
    return _pdf_of(
        (
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>",
            head + b"\nstream\n" + packed + b"\nendstream",
        )
    )


def a_looping_pdf() -> bytes:
    """Return a PDF whose page is its own parent's only child, and its own parent."""

    def loop(writer: PdfWriter) -> None:
        page = writer.pages[0]
        page[NameObject("/Parent")] = page.indirect_reference or NumberObject(0)
        page[NameObject("/Kids")] = ArrayObject([page.indirect_reference or NumberObject(0)])
        page[NameObject("/Resources")] = DictionaryObject()

    return a_pdf(loop)


def an_image_bomb(side: int = 30_000) -> bytes:
    """Return a PNG of kilobytes that has a billion pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\x00" * (side // 8 + 1) * 64, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


HOSTILE: dict[str, tuple[Callable[[], bytes], set[str]]] = {
    "nothing": (lambda: b"", {DAMAGED}),
    "only spaces": (lambda: b" \n\t" * 100, {DAMAGED}),
    "a truncated PDF": (lambda: a_text_pdf()[:200], {DAMAGED, UNSUPPORTED}),
    "a PDF that is only its first line": (lambda: b"%PDF-1.7\n", {DAMAGED}),
    "a PDF without text": (a_pdf, {UNSUPPORTED}),
    "a chain of pages": (a_deep_pdf, {DAMAGED, UNSUPPORTED, TOO_LARGE}),
    "one page many times": (a_pdf_of_one_page_many_times, {TOO_LARGE, UNSUPPORTED, DAMAGED}),
    "nested arrays": (a_nested_pdf, {DAMAGED, TOO_LARGE}),
    "a page that is its own parent": (a_looping_pdf, {DAMAGED, UNSUPPORTED, TOO_LARGE}),
    "gigabytes in a page": (a_pdf_that_unpacks_to_gigabytes, {DAMAGED, UNSUPPORTED, TOO_LARGE}),
    "a billion pixels": (an_image_bomb, {TOO_LARGE}),
    "a truncated picture": (lambda: a_picture((300, 300))[:150], {DAMAGED}),
    "a picture's head before nonsense": (lambda: b"\xff\xd8\xff" + b"\x00" * 500, {DAMAGED}),
    "a ZIP archive": (lambda: b"PK\x03\x04" + b"\x00" * 100, {DAMAGED}),
    "a program": (lambda: b"\x7fELF" + bytes(200), {UNSUPPORTED}),
    "all bytes": (lambda: bytes(range(256)), {UNSUPPORTED}),
    "too much text": (lambda: b"word " * 205_000, {TOO_LARGE}),
}


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_file_is_refused_in_words_and_nothing_is_left(
    parley: RunningParley, name: str
) -> None:
    make, codes = HOSTILE[name]
    answer = await parley.client.post(
        "/api/attachments", content=make(), params={"name": "report.pdf"}, headers=OCTETS
    )
    problem = answer.json()
    assert problem["code"] in codes, problem
    assert problem["detail"]
    assert "report.pdf" in problem["title"] or "file" in problem["title"]
    assert_nothing_left(parley)
    assert (await upload(parley, b"fine", "fine.txt"))["media_type"] == "text/plain"


@pytest.mark.databases("sqlite")
async def test_a_file_of_a_gigabyte_is_refused_and_nothing_of_it_is_kept(parley: RunningParley) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(16_384):
            yield bytes(65_536)
            await asyncio.sleep(0)

    answer = await parley.client.post("/api/attachments", content=endless(), headers=OCTETS)
    assert answer.json()["code"] == TOO_LARGE
    assert answer.json()["title"] == "The file is larger than 1 MB."
    assert_nothing_left(parley)


@pytest.mark.databases("sqlite")
async def test_the_text_of_a_pdf_is_read_page_by_page(parley: RunningParley) -> None:
    file = await upload(parley, a_text_pdf(), "no ending")
    assert (file["media_type"], file["pages"]) == ("application/pdf", 1)
    await parley.chat("Sum up.", attachments=[{"sha256": file["sha256"]}])
    sent = parley.upstream.requests[0].json["messages"][0]["content"][0]["text"]
    assert sent == '<file name="no ending">\n[Page 1]\nHello from page one\n</file>'


@pytest.mark.databases("sqlite")
async def test_a_file_that_is_two_kinds_at_once_is_only_what_it_begins_with(parley: RunningParley) -> None:
    script = b"<script>alert(1)</script>"
    out = io.BytesIO()
    Image.new("RGB", (3, 3)).save(out, "GIF", comment=script)
    picture = await upload(parley, out.getvalue() + b"PK\x03\x04" + script, "page.html")
    assert picture["media_type"] == "image/png"
    stored = await parley.client.get(f"/api/attachments/{picture['sha256']}")
    assert b"script" not in stored.content
    assert b"PK" not in stored.content


NAMES = {
    "../../etc/passwd": "passwd",
    "C:\\Users\\me\\notes.txt": "notes.txt",
    "invoice\u202efdp.exe": "invoicefdp.exe",
    "ab\r\nSet-Cookie: x.txt": "ab Set-Cookie: x.txt",
    "\u200b\u2066 \u2069": "file",
    "x" * 500 + ".txt": "x" * 159 + "…" + "x" * 36 + ".txt",
    'quote".txt': 'quote".txt',
    "дом 🏠.txt": "дом 🏠.txt",
}


async def test_a_name_says_only_what_it_seems_to_say(parley: RunningParley) -> None:
    for given, kept in NAMES.items():
        file = await upload(parley, f"Some text of {kept}".encode(), given)
        assert file["name"] == kept
        answer = await parley.client.get(f"/api/attachments/{file['sha256']}")
        disposition = answer.headers["content-disposition"]
        assert disposition.startswith("attachment; filename*=UTF-8''"), given
        assert disposition.isascii(), given
        assert "\r" not in disposition, given


def assert_nothing_left(parley: RunningParley) -> None:
    folder = parley.application[Settings].data_dir / "attachments"
    assert [path for path in folder.rglob("*") if path.is_file()] == []


def _pdf_of(objects: tuple[bytes, ...]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), list[int]()
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)
