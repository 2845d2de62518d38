"""The kind of a file, detected from its first bytes and never from its name."""

import re

from parley.features.attachments.file_content import unsupported

HEAD_BYTES = 1024

# A note that names a format is text: each signature has a byte or a form that prose has not.
_PDF = re.compile(rb"(?:\A|[^\x20-\x7e])%PDF-\d")
_BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")

_PICTURES = ((b"\x89PNG\r\n\x1a\n", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF87a", "GIF"), (b"GIF89a", "GIF"))
_HEIF = frozenset(b"heic heix heim heis hevc hevx hevm hevs mif1 mif2 mif3 msf1 miaf avif avis avio".split())
"""The brands of pictures, of bursts and of live photos."""

_OTHERS = (
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"OggS\x00", "an audio or video file"),
    (b"ID3\x02", "a sound"),
    (b"ID3\x03", "a sound"),
    (b"ID3\x04", "a sound"),
    (b"fLaC\x00", "a sound"),
)


def kind_of(head: bytes) -> str:
    """Return “PDF”, “ZIP”, “Parquet”, “OLE” (old Office), “text”, or the kind of a picture as Pillow names it.

    “text” is anything without a known signature, so its reader must check the content.
    Raises RefusedFile for other known kinds.
    """
    for start, kind in _PICTURES:
        if head.startswith(start):
            return kind
    if head.startswith(b"PK\x03\x04"):
        return "ZIP"
    if head.startswith(b"PAR1"):
        return "Parquet"
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        return "OLE"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WEBP"
    if _PDF.search(head[:HEAD_BYTES]):
        return "PDF"
    if head[:1] == b"\x00" and head[4:8] == b"ftyp":
        raise unsupported("a HEIC or AVIF picture" if head[8:12] in _HEIF else "a film")
    if head[:2] == b"BM" and head[6:10] == b"\x00" * 4:
        raise unsupported("a BMP picture")
    if head[257:262] == b"ustar":
        raise unsupported("a tar archive")
    if _BZIP2.match(head):
        raise unsupported("a bzip2 archive")
    for start, what in _OTHERS:
        if head.startswith(start):
            raise unsupported(what)
    return "text"
