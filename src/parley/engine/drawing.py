"""Drawing: a question as a request for pictures, and the progress of a drawing as it is shown."""

import hashlib

from parley.kernel.calls import Call
from parley.kernel.connector import ChatRequest, Progress
from parley.kernel.ids import random_id
from parley.kernel.messages import Attached, text_of
from parley.kernel.models import Model
from parley.kernel.pictures import MOST_PICTURES, NO_SETTINGS, DrawRequest, PictureSettings
from parley.kernel.ports import StepRecord
from parley.kernel.progress import ReplyProgress


def draw_request(model: Model, request: ChatRequest, call: Call) -> DrawRequest:
    """Return a question to a model that draws: its last message, with the settings of seat and model."""
    settings = (request.picture or NO_SETTINGS).or_else(model.picture)
    prompts = [text for each in request.messages if each.role == "user" and (text := text_of(each).strip())]
    return DrawRequest(
        model=request.model,
        prompt=prompts[-1] if prompts else "",
        settings=settings.in_blind_match() if call.blind else settings,
        job=_job(call, call.attempt),
        earlier_job=_job(call, call.attempt - 1) if call.resumed else None,
        seat_seed=request.seat_seed,
    )


def pictures_of(model: Model | None, settings: PictureSettings | None) -> int:
    """Return the pictures that a call asks for."""
    if model is None or not model.draws:
        return 0
    return min((settings or NO_SETTINGS).or_else(model.picture).count or 1, MOST_PICTURES)


def shown_progress(progress: Progress, preview: Attached | None) -> ReplyProgress:
    """Return the progress of a drawing as a viewer sees it."""
    return ReplyProgress(
        share=progress.share,
        step=progress.step,
        steps=progress.steps,
        left_s=progress.left_s,
        ahead=progress.ahead,
        preview=preview,
        phase=progress.phase,
        why=progress.why,
    )


def drawn_alone(record: StepRecord) -> bool:
    """Return whether a reply is pictures without text: showing it again reveals no speed, drawing it again costs."""
    return bool(record.parts) and not record.text


def is_cut_off(record: StepRecord | None) -> bool:
    """Return whether a step was asked before, and its end is unknown."""
    return record is not None and record.status in ("waiting", "streaming")


def _job(call: Call, attempt: int) -> str:
    """Return the name of a drawing: the same however often the same attempt is made."""
    if call.turn_id is None:
        return random_id()
    step = f"{call.owner_id}/{call.turn_id}/{call.reply_id}/{call.place}/{attempt}"
    return hashlib.sha256(step.encode()).hexdigest()[:32]
