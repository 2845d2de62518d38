"""Reads one attachment in a process of its own, and receives what it found."""

from pathlib import Path

import msgspec

from parley.engine.reader_process import Finished, run_reader
from parley.features.attachments.file_content import Found, Picture, Refused, Task, Text
from parley.features.attachments.limits import AttachmentLimits
from parley.kernel.errors import Invalid, TooLarge, Unsupported

WORKER = "parley.features.attachments.worker"
ADVICE = "Attach a part of it, or save it as text."


async def read_file(
    path: Path,
    name: str,
    folder: Path,
    limits: AttachmentLimits,
    *,
    neutral: bool = False,
    alike: bool = False,
    encoding: str | None = None,
) -> Picture | Text:
    """Return what was found in a file; results are in the folder, a picture in a `neutral` format if asked.

    `alike`: a picture gets the size and format of all pictures in blind matches. `encoding` is that of a text, where a
    person chose it.

    Raises Invalid if the file can't be used: unsupported, damaged, or beyond a limit.
    """
    task = Task(path=str(path), folder=str(folder), neutral=neutral, alike=alike, encoding=encoding)
    content = _content(await run_reader(WORKER, task, limits.reader), limits)
    if isinstance(content, Refused):
        raise _refuse(name, content)
    return content


def _content(finished: Finished, limits: AttachmentLimits) -> Found:
    if finished.failure == "time":
        seconds = limits.reader.seconds
        why = f"takes more than {seconds:g} seconds to read, which is the limit."
        return Refused(why, ADVICE, code="attachment_too_large")
    if finished.failure == "memory":
        return Refused("needs more memory to read than is allowed.", ADVICE, code="attachment_too_large")
    try:
        return msgspec.msgpack.decode(finished.output, type=Found)
    except msgspec.DecodeError:
        return Refused(
            "can't be read: it is damaged.", "Save it again, or convert it.", code="attachment_damaged"
        )


def _refuse(name: str, refused: Refused) -> Invalid:
    kinds = {"attachment_too_large": TooLarge, "attachment_unsupported": Unsupported}
    kind = kinds.get(refused.code, Invalid)
    return kind("file", f"“{name}” {refused.title}", refused.detail, code=refused.code)
