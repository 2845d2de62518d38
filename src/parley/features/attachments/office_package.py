"""An opened Office document: a ZIP archive of XML parts, and Markdown tables of what it holds."""

import posixpath
from collections.abc import Iterator, Sequence
from typing import IO
from xml.etree.ElementTree import Element, TreeBuilder, XMLParser
from zipfile import ZipFile

from parley.features.attachments.file_content import damaged, too_much
from parley.features.attachments.limits import PART_BYTES


class Package:
    """An open Office document: its parts by name, without namespaces, and how they refer to each other."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._names = {name.lower(): name for name in archive.namelist()}

    def part(self, name: str) -> Element | None:
        """Return the root of a part; None if the document has no such part. Raises RefusedFile, ParseError."""
        stored = self._names.get(name.lower())
        return None if stored is None else _parsed(self.bytes(stored))

    def bytes(self, name: str) -> bytes:
        """Return the bytes of a part. Raises RefusedFile if there are too many, KeyError if there is none."""
        with self._archive.open(self._names[name.lower()]) as file:
            return _bounded(file)

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """Return what a part refers to inside the document: the last word of the type, and the part, by id."""
        folder, name = posixpath.split(part)
        root = self.part(posixpath.join(folder, "_rels", f"{name}.rels"))
        return {
            each.get("Id", ""): (
                each.get("Type", "").rpartition("/")[2],
                posixpath.normpath(posixpath.join("/", folder, each.get("Target", ""))).lstrip("/"),
            )
            for each in (root if root is not None else ())
            if each.get("TargetMode") != "External"
        }

    def main(self) -> str:
        """Return the part that is the document itself. Raises KeyError."""
        return dict(self.related("").values())["officeDocument"]

    def of_type(self, part: str, kind: str) -> Element | None:
        """Return the root of the part of a type to which a part refers; None if there is none."""
        name = dict(self.related(part).values()).get(kind)
        return None if name is None else self.part(name)

    def content_type(self) -> str:
        """Return the media type of the document itself, as its own list has it; of other archives, nothing."""
        if "mimetype" in self._names:
            return self.bytes("mimetype").decode("ascii", "replace")
        listed, main = self.part("[Content_Types].xml"), dict(self.related("").values()).get("officeDocument")
        types = {each.get("PartName", "").lower(): each.get("ContentType", "") for each in listed or ()}
        return types.get(f"/{main}".lower(), "") if main else ""


def markdown_table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return the lines of a table; the first row becomes its head, and empty columns are left out."""
    columns = [
        column
        for column in range(max(map(len, rows), default=0))
        if any(column < len(row) and row[column] for row in rows)
    ]
    for number, row in enumerate(rows):
        cells = (_cell(row[column]) if column < len(row) else "" for column in columns)
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"|{' --- |' * len(columns)}"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _bounded(file: IO[bytes]) -> bytes:
    content = file.read(PART_BYTES + 1)
    if len(content) > PART_BYTES:
        raise too_much(
            f"unpacks to more than {PART_BYTES >> 20} MB, which is the limit.", "Attach a part of it."
        )
    return content


class _Builder(TreeBuilder):
    """Builds a tree whose names have no namespace: there are two sets of them for the same elements."""

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        return super().start(_local(tag), {_local(name): value for name, value in attrs.items()})

    def end(self, tag: str, /) -> Element:
        return super().end(_local(tag))

    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        # Office writes none; an attacker's defines entities that grow without end.
        raise damaged("an Office document")


def _parsed(content: bytes) -> Element:
    parser = XMLParser(target=_Builder())  # noqa: S314 - it refuses entities, in a confined process
    parser.feed(content)
    return parser.close()


def _local(name: str) -> str:
    return name.rpartition("}")[2]
