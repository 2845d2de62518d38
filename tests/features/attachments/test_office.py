"""Tests of Word documents and Excel workbooks: their text is read as Markdown, hostile ones are refused in words."""

import io
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import msgspec
import pytest

from parley.features.attachments.file_content import EXCEL, WORD, Text
from parley.features.attachments.limits import READER, AttachmentLimits
from parley.features.attachments.reading import read_file
from parley.kernel.errors import Invalid

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"

PATIENT = AttachmentLimits(reader=msgspec.structs.replace(READER, seconds=200))
"""Where the time that it takes is not what is tried."""


def office(main: str, kind: str, parts: dict[str, str], related: dict[str, str]) -> bytes:
    """Return a document of these parts; `related` names, by type, what the main part refers to."""
    folder, name = main.split("/")
    types = (
        f'<Override PartName="/{main}" ContentType="application/vnd.openxmlformats-officedocument.{kind}"/>'
    )
    own = "".join(
        f'<Relationship Id="r{number}" Type="{R}/{each.rstrip("0123456789")}" Target="{target}"/>'
        for number, (each, target) in enumerate(related.items(), 1)
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">{types}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{R}/officeDocument" Target="/{main}"/></Relationships>',
        f"{folder}/_rels/{name}.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{own}</Relationships>',
        **parts,
    }
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return out.getvalue()


def docx(body: str, *, namespace: str = W, **parts: str) -> bytes:
    files = {f"word/{name}.xml": f'<w:{root} xmlns:w="{W}">{text}</w:{root}>' for name, text in parts.items()
             for root in [name]}  # fmt: skip
    files["word/document.xml"] = (
        f'<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'
        if "<!DOCTYPE" not in body
        else body
    )
    related = {name: f"{name}.xml" for name in parts}
    return office("word/document.xml", "wordprocessingml.document.main+xml", files, related)


def xlsx(sheets: dict[str, str], *, shared: str = "", styles: str = "", settings: str = "") -> bytes:
    listed = "".join(
        f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"/>' for number, name in enumerate(sheets, 1)
    )
    files = {
        "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}">{settings}<sheets>{listed}</sheets></workbook>',
        "xl/shared.xml": f'<sst xmlns="{S}">{shared}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{S}">{styles}</styleSheet>',
    }
    related = {f"worksheet{number}": f"worksheets/{number}.xml" for number in range(1, len(sheets) + 1)}
    for number, rows in enumerate(sheets.values(), 1):
        files[f"xl/worksheets/{number}.xml"] = (
            f'<worksheet xmlns="{S}"><sheetData>{rows}</sheetData></worksheet>'
        )
    related |= {"sharedStrings": "shared.xml", "styles": "styles.xml"}
    return office("xl/workbook.xml", "spreadsheetml.sheet.main+xml", files, related)


def p(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


async def text_of(folder: Path, content: bytes, media_type: str) -> str:
    path = folder / "upload"
    path.write_bytes(content)
    found = await read_file(path, "file", folder, PATIENT)
    assert isinstance(found, Text)
    assert found.media_type == media_type
    return (folder / found.text).read_text("utf-8").rstrip("\n")


async def refusal(folder: Path, content: bytes) -> Invalid:
    path = folder / "upload"
    path.write_bytes(content)
    with pytest.raises(Invalid) as caught:
        await read_file(path, "file", folder, PATIENT)
    return caught.value


async def test_headings_are_known_by_the_names_of_their_styles_in_any_language(tmp_path: Path) -> None:
    styles = (
        '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style>'
    )
    body = p("Zweck", '<w:pStyle w:val="berschrift2"/>') + p("Own", '<w:pStyle w:val="Mine"/>') + p("Text")
    assert await text_of(tmp_path, docx(body, styles=styles), WORD) == "## Zweck\n\n## Own\n\nText"


async def test_lists_have_dashes_or_numbers_at_their_depth(tmp_path: Path) -> None:
    def item(text: str, number: int, level: int) -> str:
        return p(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')

    numbering = (
        '<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    )
    body = item("a", 1, 0) + item("b", 1, 1) + item("c", 1, 0) + item("no list", 0, 0)
    text = await text_of(tmp_path, docx(body, numbering=numbering), WORD)
    assert text == "3. a\n   - b\n4. c\n\nno list"


async def test_a_table_keeps_its_columns_where_cells_span_them(tmp_path: Path) -> None:
    def cell(text: str, span: int = 1) -> str:
        return f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>{p(text)}</w:tc>'

    rows = (
        cell("A") + cell("B|C") + cell("D"),
        cell("wide", 2) + cell("d"),
        cell("1") + cell("2") + cell("3"),
    )
    table = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    text = await text_of(tmp_path, docx(f"<w:tbl>{table}</w:tbl>"), WORD)
    assert text == "| A | B\\|C | D |\n| --- | --- | --- |\n| wide |  | d |\n| 1 | 2 | 3 |"


async def test_deleted_text_is_left_out_and_inserted_text_is_not(tmp_path: Path) -> None:
    body = (
        "<w:p><w:ins><w:r><w:t>new </w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        '<w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    note = f'<w:footnote w:id="0" w:type="separator">{p("-")}</w:footnote><w:footnote w:id="2">{p("Why.")}</w:footnote>'
    text = await text_of(tmp_path, docx(body, footnotes=note), WORD)
    assert text == "new link[^2]\n\n[^2]: Why."


async def test_a_document_in_the_strict_format_is_read_too(tmp_path: Path) -> None:
    assert await text_of(tmp_path, docx(p("Hi"), namespace=STRICT), WORD) == "Hi"


async def test_cells_are_read_as_a_person_sees_them(tmp_path: Path) -> None:
    styles = (
        '<numFmts><numFmt numFmtId="170" formatCode="[$-407]d. mmmm yyyy"/>'
        '<numFmt numFmtId="171" formatCode="0.00 &quot;days&quot;"/></numFmts>'
        "<cellXfs>"
        + "".join(f'<xf numFmtId="{each}"/>' for each in (0, 14, 22, 10, 170, 171, 20))
        + "</cellXfs>"
    )
    cells = (
        '<c r="A1" t="s"><v>0</v></c><c r="B1"><v>0.30000000000000004</v></c><c r="C1" s="1"><v>46027</v></c>'
        '<c r="D1" s="2"><v>46027.604166666664</v></c><c r="E1" s="3"><v>0.125</v></c>'
        '<c r="F1" s="4"><v>59</v></c><c r="G1" s="5"><v>2</v></c><c r="H1" s="6"><v>0.5</v></c>'
        '<c r="I1" t="b"><v>1</v></c><c r="J1"><f>A1*2</f></c><c r="K1"><f>1+1</f><v>2</v></c>'
        '<c r="L1" t="e"><v>#DIV/0!</v></c><c r="M1" t="inlineStr"><is><t>in | line</t></is></c>'
    )
    shared = "<si><r><t>two </t></r><r><t>runs</t></r><rPh><t>reading</t></rPh></si>"
    text = await text_of(tmp_path, xlsx({"One": f"<row>{cells}</row>"}, shared=shared, styles=styles), EXCEL)
    assert text.splitlines()[2] == (
        "| two runs | 0.3 | 2026-01-05 | 2026-01-05 14:30:00 | 12.5% | 1900-02-28 | 2 | 12:00:00 | TRUE | =A1*2 "
        "| 2 | #DIV/0! | in \\| line |"
    )


async def test_each_sheet_has_a_heading_and_only_the_rows_and_columns_in_use(tmp_path: Path) -> None:
    rows = '<row r="3"><c r="B3"><v>1</v></c><c r="XFD3"><v>2</v></c></row><row r="9"><c r="B9"><v>3</v></c></row>'
    text = await text_of(tmp_path, xlsx({"Far": rows, "Empty": ""}), EXCEL)
    assert text == (
        "## Sheet: Far\n\n| 1 | 2 |\n| --- | --- |\n| 3 |  |\n\n"
        "## Sheet: Empty\n\nThis sheet has no cells with values."
    )


async def test_a_sheet_too_sparse_to_write_out_is_refused(tmp_path: Path) -> None:
    def cell(number: int) -> str:
        letters = "".join(chr(65 + digit) for digit in divmod(number, 26))
        return f'<row><c r="A{letters}{number}"><v>1</v></c></row>'

    rows = "".join(map(cell, range(676))) * 4
    assert (await refusal(tmp_path, xlsx({"S": rows}))).leaf_code == "attachment_too_large"


BOMB = f"""<!DOCTYPE w [<!ENTITY a "{"x" * 1000}"><!ENTITY b "{"&a;" * 1000}">]>
<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>{"&b;" * 1000}</w:t></w:r></w:p></w:body></w:document>"""


async def test_a_document_that_defines_entities_is_refused(tmp_path: Path) -> None:
    assert (await refusal(tmp_path, docx(BOMB))).leaf_code == "attachment_damaged"
    harmless = f'<!DOCTYPE w SYSTEM "file:///etc/passwd"><w:document xmlns:w="{W}"/>'
    assert (await refusal(tmp_path, docx(harmless))).leaf_code == "attachment_damaged"


async def test_a_part_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    error = await refusal(tmp_path, docx(p(" " * (70 << 20))))
    assert error.leaf_code == "attachment_too_large"
    assert "unpacks to more than 64 MB" in error.title


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("presentationml.presentation.main+xml", "a PowerPoint presentation"),
        ("unknown", "is a ZIP archive, so it can't be read"),
    ],
)
async def test_other_archives_are_named(tmp_path: Path, kind: str, words: str) -> None:
    error = await refusal(tmp_path, office("ppt/p.xml", kind, {"ppt/p.xml": "<p/>"}, {}))
    assert words in error.title
    assert error.leaf_code == "attachment_unsupported"


@pytest.mark.parametrize(
    ("entry", "words", "advice"),
    [
        ("WordDocument", "old Word document (.doc)", ".docx"),
        ("Workbook", "old Excel workbook (.xls)", ".xlsx"),
        ("EncryptedPackage", "protected with a password", "without one"),
        ("Something", "an old Office document", ".docx"),
    ],
)
async def test_an_old_document_is_refused_with_what_to_do(
    tmp_path: Path, entry: str, words: str, advice: str
) -> None:
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000) + entry.encode("utf-16-le")
    error = await refusal(tmp_path, old)
    assert words in error.title
    assert advice in (error.detail or "")
