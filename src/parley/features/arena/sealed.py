"""Sealed sessions: which turns they can have, and what they say where something is not possible."""

from collections.abc import Sequence
from typing import Any

from parley.features.arena.schemas import NewSession, SealWrap, StartSession
from parley.kernel.errors import Invalid, Problem
from parley.kernel.mode import Mode
from parley.kernel.models import Model
from parley.kernel.sealing import Seal, key_needed, wrong_key

KEY_NEEDED = key_needed().leaf_code

INTERRUPTED = Problem(
    code="sealed_interrupted",
    title="Parley was restarted during this turn, and can't continue it: it does not keep the session's key.",
    detail="What was written is kept, sealed. Send it again to go on.",
)


def seal_of_request(seal: Seal | None, request: StartSession) -> Sequence[SealWrap] | None:
    """Return how the key of a new session is wrapped; None if it is not sealed. Raises Invalid."""
    wanted = request.seal if isinstance(request, NewSession) else None
    if wanted is None and seal is not None:
        raise Invalid(
            "seal", "seal: is missing, and the request carries a key.", "Send the wrapped key with it."
        )
    if wanted is not None and seal is None:
        raise Invalid(
            "Parley-Seal", "Parley-Seal: is missing.", "Send the key of the session in this header."
        )
    return wanted.wraps if wanted else None


def check_key(needed: Seal | None, seal: Seal | None) -> None:
    """Raise Conflict or Forbidden unless a request has the key that a running turn has."""
    if needed is not None and seal is None:
        raise key_needed()
    if needed is not None and needed != seal:
        raise wrong_key()


def check_mode(mode: Mode[Any]) -> None:
    """Raise Invalid if a mode can't be played in a sealed session."""
    if not mode.sealable:
        raise Invalid(
            "mode",
            f"{mode.title} can't be played in a sealed session: it keeps votes, rounds or files outside of the seal.",
            "Nothing was saved. Choose Chat or Compare, or start an unsealed session.",
        )


def check_models(models: Sequence[Model]) -> None:
    """Raise Invalid if a model makes pictures: they are kept as files, which are not sealed."""
    for model in models:
        if "images" in model.capabilities:
            raise Invalid(
                "seats",
                f"{model.name} can't answer in a sealed session: it makes pictures, and files are not sealed.",
                "Nothing was saved. Choose a model that writes.",
            )


def no_files() -> Invalid:
    """Return the error for files in a sealed session."""
    return Invalid(
        "attachments",
        "attachments: a sealed session takes no files: files are kept by their content, outside of its seal.",
        "Nothing was saved. Put the text into the question, or ask in an unsealed session.",
    )


def no_auto() -> Invalid:
    """Return the error for a seat that is left to Auto."""
    return Invalid(
        "seats",
        "Auto can't choose in a sealed session: it keeps what it learns from questions.",
        "Nothing was saved. Choose a model.",
    )
