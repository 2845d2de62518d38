"""The graph that ComfyUI runs for one request: a checkpoint, two texts, a sampler, pictures."""

from collections.abc import Mapping

from parley.kernel.pictures import DrawRequest

SIDE = 1024
STEPS = 25

SAVED = "9"
"""The node with the pictures."""


def graph_of(request: DrawRequest) -> dict[str, object]:
    """Return the graph of a request."""
    settings = request.settings
    sampled = {
        "model": ["4", 0],
        "positive": ["6", 0],
        "negative": ["7", 0],
        "latent_image": ["5", 0],
        "seed": request.seed,
        "steps": settings.steps or STEPS,
        "cfg": 7.0,
        "sampler_name": "euler",
        "scheduler": "normal",
        "denoise": 1.0,
    }
    size = {
        "width": settings.width or SIDE,
        "height": settings.height or SIDE,
        "batch_size": request.count,
    }
    return {
        "3": _node("KSampler", sampled),
        "4": _node("CheckpointLoaderSimple", {"ckpt_name": request.model}),
        "5": _node("EmptyLatentImage", size),
        "6": _node("CLIPTextEncode", {"text": request.prompt, "clip": ["4", 1]}),
        "7": _node("CLIPTextEncode", {"text": settings.negative_prompt or "", "clip": ["4", 1]}),
        "8": _node("VAEDecode", {"samples": ["3", 0], "vae": ["4", 2]}),
        SAVED: _node("SaveImage", {"filename_prefix": "parley", "images": ["8", 0]}),
    }


def _node(kind: str, inputs: Mapping[str, object]) -> dict[str, object]:
    return {"class_type": kind, "inputs": dict(inputs)}
