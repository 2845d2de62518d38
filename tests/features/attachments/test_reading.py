"""Tests of the process that reads a file: its time and its memory are bounded, and its end is told in words."""

import io
import tarfile
import time
from pathlib import Path

import pytest
from PIL import Image

from parley.features.attachments.found import Picture, Text
from parley.features.attachments.limits import AttachmentLimits
from parley.features.attachments.reading import read_file
from parley.kernel.errors import Invalid
from tests.api.test_attachments import a_picture


def written(folder: Path, content: bytes) -> Path:
    path = folder / "upload"
    path.write_bytes(content)
    return path


def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path, began = written(tmp_path, b"some text"), time.monotonic()
    with pytest.raises(Invalid, match=r"“slow\.txt” takes more than 0\.01 seconds to read") as caught:
        read_file(path, "slow.txt", tmp_path, AttachmentLimits(seconds=0.01))
    assert caught.value.leaf_code == "attachment_too_large"
    assert time.monotonic() - began < 20


def test_a_file_that_takes_too_much_memory_is_given_up(tmp_path: Path) -> None:
    path = written(tmp_path, a_picture((6000, 6000)))
    with pytest.raises(Invalid) as caught:
        read_file(path, "large.png", tmp_path, AttachmentLimits(memory_mb=180))
    assert caught.value.leaf_code in ("attachment_too_large", "attachment_damaged")
    assert not (tmp_path / "picture").exists()


def test_a_picture_that_stays_large_becomes_one_that_providers_take(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.effect_noise((2600, 1600), 90).convert("RGBA").save(out, "PNG", compress_level=1)
    found = read_file(written(tmp_path, out.getvalue()), "noise.png", tmp_path, AttachmentLimits())
    assert isinstance(found, Picture)
    assert (found.media_type, found.width) == ("image/jpeg", 2048)
    assert (tmp_path / found.picture).read_bytes().startswith(b"\xff\xd8")


def test_a_grey_picture_of_16_bits_keeps_its_greys(tmp_path: Path) -> None:
    width = 4096
    row = b"".join((x * 16).to_bytes(2, "little") for x in range(width))
    out = io.BytesIO()
    Image.frombytes("I;16", (width, 32), row * 32).save(out, "PNG")
    found = read_file(written(tmp_path, out.getvalue()), "scan.png", tmp_path, AttachmentLimits())
    assert isinstance(found, Picture)
    with Image.open(tmp_path / found.picture) as opened:
        grey = opened.convert("L")
        assert [grey.getpixel((grey.width * part // 4, 8)) for part in range(4)] == [0, 64, 128, 192]


@pytest.mark.parametrize(
    "note",
    ["ID3 is an algorithm", "BZhang wrote", "Rar! and others", "The ftyp box", "It begins with %PDF-1.7 ."],
)
def test_a_note_about_files_is_text(tmp_path: Path, note: str) -> None:
    found = read_file(written(tmp_path, note.encode()), "note.txt", tmp_path, AttachmentLimits())
    assert isinstance(found, Text)


@pytest.mark.parametrize(("kind", "what"), [("bmp", "a BMP picture"), ("tar", "a tar archive")])
def test_a_file_of_another_kind_is_named(tmp_path: Path, kind: str, what: str) -> None:
    out = io.BytesIO()
    if kind == "bmp":
        Image.new("RGB", (4, 4)).save(out, "BMP")
    else:
        with tarfile.open(fileobj=out, mode="w") as archive:
            archive.addfile(tarfile.TarInfo("a.txt"))
    with pytest.raises(Invalid, match=what):
        read_file(written(tmp_path, out.getvalue()), f"x.{kind}", tmp_path, AttachmentLimits())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\xef\xbb\xbfa\r\nb", "a\nb"),
        ("дом".encode("utf-16"), "дом"),
        ("Preis;Größe".encode("cp1252"), "Preis;Größe"),
        ("naïve 🏠".encode(), "naïve 🏠"),
        ("Привет, мир".encode("cp1251"), "Привет, мир"),
        ("имя;цена\nКофе;3\nЧай;4\n".encode("koi8_r"), "имя;цена\nКофе;3\nЧай;4\n"),
        ("今天天气很好，我们去公园散步吧。".encode("gbk"), "今天天气很好，我们去公园散步吧。"),
        ("公園へ散歩に行きましょう。".encode("cp932"), "公園へ散歩に行きましょう。"),
        (
            b"\x1b[31merror\x1b[0m " + b"and so on " * 9 + b"\x07\n",
            f"\x1b[31merror\x1b[0m {'and so on ' * 9}\ufffd\n",
        ),
    ],
)
def test_texts_are_read_in_the_encodings_that_people_have(tmp_path: Path, content: bytes, text: str) -> None:
    found = read_file(written(tmp_path, content), "x", tmp_path, AttachmentLimits())
    assert isinstance(found, Text)
    assert (tmp_path / found.text).read_text("utf-8") == text
