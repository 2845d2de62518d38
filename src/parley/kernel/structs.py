"""Prepares all of msgspec's structs for use by several threads."""

import contextlib
from collections.abc import Iterator

import msgspec


def resolve_structs() -> int:
    """Resolve the annotations of every Struct defined so far; return how many there are. Call it before threads start.

    msgspec (0.22) resolves a Struct's annotations when it is first decoded, and other threads can see the unfinished
    result: two threads that first decode the same Struct at the same time crash the process.
    """
    structs = set(_below(msgspec.Struct))
    for struct in structs:
        with contextlib.suppress(TypeError, NameError):  # it can't be decoded, and so never is
            msgspec.json.Decoder(struct)
    return len(structs)


def _below(struct: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in struct.__subclasses__():
        yield each
        yield from _below(each)
