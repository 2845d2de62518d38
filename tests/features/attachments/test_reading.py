"""Tests of the process that reads a file: its time and its memory are bounded, and its end is told in words."""

import io
import tarfile
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from parley.features.attachments.file_content import Picture, Text
from parley.features.attachments.limits import READER, AttachmentLimits
from parley.features.attachments.reading import read_file
from parley.kernel.errors import Invalid
from tests.api.test_attachments import a_picture


def within(**limits: Any) -> AttachmentLimits:
    return AttachmentLimits(reader=msgspec.structs.replace(READER, **limits))


PATIENT = within(seconds=200)
"""Where the time that it takes is not what is tried."""


def written(folder: Path, content: bytes) -> Path:
    path = folder / "upload"
    path.write_bytes(content)
    return path


async def test_a_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path, began = written(tmp_path, b"some text"), time.monotonic()
    with pytest.raises(Invalid, match=r"“slow\.txt” takes more than 0\.01 seconds to read") as caught:
        await read_file(path, "slow.txt", tmp_path, within(seconds=0.01))
    assert caught.value.leaf_code == "attachment_too_large"
    assert time.monotonic() - began < 20


async def test_a_file_that_takes_too_much_memory_is_given_up(tmp_path: Path) -> None:
    path = written(tmp_path, a_picture((6000, 6000)))
    with pytest.raises(Invalid) as caught:
        await read_file(path, "large.png", tmp_path, within(memory_mb=180))
    assert caught.value.leaf_code in ("attachment_too_large", "attachment_damaged")
    assert not (tmp_path / "picture").exists()


async def test_a_picture_that_stays_large_becomes_one_that_providers_take(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.effect_noise((2600, 1600), 90).convert("RGBA").save(out, "PNG", compress_level=1)
    found = await read_file(written(tmp_path, out.getvalue()), "noise.png", tmp_path, PATIENT)
    assert isinstance(found, Picture)
    assert (found.media_type, found.width) == ("image/jpeg", 2048)
    assert (tmp_path / found.picture).read_bytes().startswith(b"\xff\xd8")


async def test_a_grey_picture_of_16_bits_keeps_its_greys(tmp_path: Path) -> None:
    width = 4096
    row = b"".join((x * 16).to_bytes(2, "little") for x in range(width))
    out = io.BytesIO()
    Image.frombytes("I;16", (width, 32), row * 32).save(out, "PNG")
    found = await read_file(written(tmp_path, out.getvalue()), "scan.png", tmp_path, PATIENT)
    assert isinstance(found, Picture)
    with Image.open(tmp_path / found.picture) as opened:
        grey = opened.convert("L")
        assert [grey.getpixel((grey.width * part // 4, 8)) for part in range(4)] == [0, 64, 128, 192]


@pytest.mark.parametrize(
    "note",
    ["ID3 is an algorithm", "BZhang wrote", "Rar! and others", "The ftyp box", "It begins with %PDF-1.7 ."],
)
async def test_a_note_about_files_is_text(tmp_path: Path, note: str) -> None:
    found = await read_file(written(tmp_path, note.encode()), "note.txt", tmp_path, PATIENT)
    assert isinstance(found, Text)


@pytest.mark.parametrize(("kind", "what"), [("bmp", "a BMP picture"), ("tar", "a tar archive")])
async def test_a_file_of_another_kind_is_named(tmp_path: Path, kind: str, what: str) -> None:
    out = io.BytesIO()
    if kind == "bmp":
        Image.new("RGB", (4, 4)).save(out, "BMP")
    else:
        with tarfile.open(fileobj=out, mode="w") as archive:
            archive.addfile(tarfile.TarInfo("a.txt"))
    with pytest.raises(Invalid, match=what):
        await read_file(written(tmp_path, out.getvalue()), f"x.{kind}", tmp_path, PATIENT)


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
async def test_texts_are_read_in_the_encodings_that_people_have(
    tmp_path: Path, content: bytes, text: str
) -> None:
    found = await read_file(written(tmp_path, content), "x", tmp_path, PATIENT)
    assert isinstance(found, Text)
    assert (tmp_path / found.text).read_text("utf-8") == text


TABLE = "date,account,amount,currency,comment\n" + "".join(
    f"2026-01-0{day},DE89370400440532013000,{day}0.50,EUR,{{}}\n" for day in range(1, 4)
)


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        ("cp1251", ("Аренда квартиры", "Продукты", "card payment")),
        ("cp1251", ("АРЕНДА КВАРТИРЫ", "ПРОДУКТЫ", "CASH")),
        ("cp932", ("ﾔﾁﾝ", "ｽｰﾊﾟｰ", "cash")),
        ("cp1252", ("Åhléns", "Hyra", "cash")),
        ("cp1257", ("Buto nuoma, šildymas", "Pirkiniai, žuvis, ąžuolas", "cash")),
        ("koi8-r", ("Аренда квартиры", "зарплата за январь", "Возврат")),
        ("koi8-u", ("Оренда квартири", "Львів", "cash")),
        ("koi8-r", ("АРЕНДА КВАРТИРЫ", "ПРОДУКТЫ", "CASH")),
        ("mac-cyrillic", ("Аренда квартиры", "Продукты", "card payment")),
        ("mac-cyrillic", ("«Война и мир» — роман", "зарплата за январь", "Москва")),
        ("mac-cyrillic", ("Оренда квартири", "Львів", "cash")),
        ("cp1251", ("имя, день, месяц, год", "яблоко", "«Ромашка»")),
        ("cp866", ("Продукты", "Москва", "cash")),
        ("iso8859-5", ("АРЕНДА КВАРТИРЫ", "ПРОДУКТЫ", "CASH")),
        ("iso8859-5", ("зарплата за январь", "Москва", "cash")),
        ("gbk", ("房租", "超市购物", "card payment")),
        ("gb18030", ("工资", "北京市海淀区", "cash")),
        ("big5", ("超市購物", "臺北市信義區", "cash")),
        ("cp932", ("apple (りんご)", "orange", "sweet")),
        ("euc-jp", ("家賃", "東京都新宿区", "りんご")),
        ("iso2022-jp", ("家賃", "東京都新宿区", "cash")),
        ("euc-kr", ("서울특별시 강남구", "급여", "cash")),
        ("cp1250", ("Łódź, śródmieście", "żółty ser", "cash")),
        ("iso8859-2", ("Łódź, śródmieście", "żółty ser", "cash")),
        ("iso8859-2", ("příkazy", "nájem bytu", "děkuji")),
        ("cp1252", ("Müller – Söhne", "Café", "Zoë")),
        ("cp1252", ("alquiler de año", "compañía", "Málaga")),
        ("cp850", ("Größe", "München", "Café")),
        ("mac-roman", ("Épicerie", "café crème", "Noël")),
        ("cp1253", ("Ενοίκιο", "Αθήνα", "cash")),
        ("cp1254", ("İstanbul", "kira ödemesi", "müşteri")),
        ("cp1255", ("שכר דירה", "תל אביב", "cash")),
        ("cp1256", ("إيجار الشقة", "القاهرة", "cash")),
        ("cp874", ("ค่าเช่า", "กรุงเทพ", "cash")),
        ("utf-16-le", ("Аренда квартиры", "Продукты", "cash")),
        ("utf-16-be", ("房租", "超市购物", "cash")),
        ("utf-32", ("房租", "超市购物", "cash")),
    ],
)
async def test_a_table_with_a_few_foreign_words_is_read_as_it_was_written(
    tmp_path: Path, encoding: str, words: tuple[str, ...]
) -> None:
    table = TABLE.format(*words)
    found = await read_file(written(tmp_path, table.encode(encoding)), "t.csv", tmp_path, PATIENT)
    assert isinstance(found, Text)
    assert (tmp_path / found.text).read_text("utf-8") == table
    assert (found.encoding is None) == (encoding == "utf-32"), "its mark says it"


async def test_foreign_words_far_down_a_table_are_seen(tmp_path: Path) -> None:
    table = "date,comment\n" + "2026-01-01,cash\n" * 20_000 + "2026-01-02,Аренда квартиры\n"
    found = await read_file(written(tmp_path, table.encode("cp1251")), "t.csv", tmp_path, PATIENT)
    assert (tmp_path / "text").read_text("utf-8") == table
    assert isinstance(found, Text)
    assert found.encoding == "cp1251"


async def test_a_text_in_utf_8_with_one_broken_byte_stays_utf_8(tmp_path: Path) -> None:
    content = "Łódź, żółty ser, Gdańsk, książka, ściana, część, źródło, żagiel\n".encode() * 2
    found = await read_file(written(tmp_path, content[:-2] + b"\xff\n"), "t.txt", tmp_path, PATIENT)
    assert isinstance(found, Text)
    assert found.encoding == "utf-8"
    assert (tmp_path / "text").read_text("utf-8").startswith("Łódź, żółty ser")


@pytest.mark.parametrize("content", [bytes(range(256)) * 40, b"\x00\x01" * 500, b"\xff\xfe\x00\xd8" * 50])
async def test_bytes_that_are_no_text_are_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(Invalid, match="neither a picture nor text"):
        await read_file(written(tmp_path, content), "x.bin", tmp_path, PATIENT)
