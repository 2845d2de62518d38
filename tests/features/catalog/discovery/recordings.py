"""What servers of each kind answer: recorded in shape, shortened in length."""

from pathlib import Path

import msgspec

from tests.fakes.model_server import Says

OLLAMA_TAGS = {
    "models": [
        {
            "name": "llama3.2:3b",
            "model": "llama3.2:3b",
            "modified_at": "2026-10-01T09:12:44.1+02:00",
            "size": 2019393189,
            "digest": "a80c4f17acd55265feec403c7aef86be0c25983ab279d83f3bcd3abbcb5b8b72",
            "details": {"format": "gguf", "family": "llama", "families": ["llama"], "parameter_size": "3.2B"},
        },
        {
            "name": "gemma3:latest",
            "model": "gemma3:latest",
            "size": 3338801804,
            "digest": "a2af6cc3eb7fa8be8504abaf9b04e88f17a119ec3f04a3addf55f92841195f5a",
            "details": {
                "format": "gguf",
                "family": "gemma3",
                "families": ["gemma3"],
                "parameter_size": "4.3B",
            },
        },
        {
            "name": "nomic-embed-text:latest",
            "model": "nomic-embed-text:latest",
            "size": 274302450,
            "digest": "0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f",
            "details": {"format": "gguf", "family": "nomic-bert", "families": ["nomic-bert"]},
        },
        {
            "name": "gpt-oss:120b-cloud",
            "model": "gpt-oss:120b-cloud",
            "remote_model": "gpt-oss:120b",
            "remote_host": "https://ollama.com:443",
            "size": 384,
            "digest": "569662207105",
            "details": {"format": "", "family": "gptoss", "families": ["gptoss"], "parameter_size": "116.8B"},
        },
    ]
}
OLLAMA_SHOW = {
    "license": "LLAMA 3.2 COMMUNITY LICENSE AGREEMENT",
    "parameters": 'stop                           "<|eot_id|>"',
    "template": "{{ .Prompt }}",
    "details": {"format": "gguf", "family": "llama"},
    "model_info": {
        "general.architecture": "llama",
        "general.parameter_count": 3212749888,
        "llama.attention.head_count": 24,
        "llama.context_length": 131072,
    },
    "capabilities": ["completion", "tools"],
}
OLLAMA = {
    "/": Says("Ollama is running", media_type="text/plain"),
    "/api/version": Says({"version": "0.12.6"}),
    "/api/tags": Says(OLLAMA_TAGS),
    "POST /api/show": Says(OLLAMA_SHOW),
    "/v1/models": Says(
        {
            "object": "list",
            "data": [
                {"id": name, "object": "model", "created": 1, "owned_by": "library"}
                for name in ("llama3.2:3b", "gemma3:latest", "nomic-embed-text:latest", "gpt-oss:120b-cloud")
            ],
        }
    ),
}

LM_STUDIO_ERROR = Says({"error": "Unexpected endpoint or method. (GET /). Returning 200 anyway"})
LM_STUDIO_MODELS = {
    "models": [
        {
            "type": "llm",
            "publisher": "qwen",
            "key": "qwen/qwen3-vl-8b",
            "display_name": "Qwen3 VL 8B",
            "architecture": "qwen3_vl",
            "quantization": {"name": "Q4_K_M", "bits_per_weight": 4},
            "size_bytes": 6190000000,
            "params_string": "8B",
            "loaded_instances": [{"id": "qwen/qwen3-vl-8b", "config": {"context_length": 8192}}],
            "max_context_length": 262144,
            "format": "gguf",
            "capabilities": {"vision": True, "trained_for_tool_use": True},
        },
        {
            "type": "embedding",
            "publisher": "nomic-ai",
            "key": "text-embedding-nomic-embed-text-v1.5",
            "display_name": "Nomic Embed Text v1.5",
            "quantization": {"name": "Q4_K_M", "bits_per_weight": 4},
            "size_bytes": 84106624,
            "params_string": None,
            "loaded_instances": [],
            "max_context_length": 2048,
            "format": "gguf",
        },
    ]
}
LM_STUDIO = {"/api/v1/models": Says(LM_STUDIO_MODELS)}
LM_STUDIO_0_3 = {
    "/api/v0/models": Says(
        {
            "object": "list",
            "data": [
                {
                    "id": "qwen2-vl-7b-instruct",
                    "object": "model",
                    "type": "vlm",
                    "publisher": "mlx-community",
                    "arch": "qwen2_vl",
                    "compatibility_type": "mlx",
                    "quantization": "4bit",
                    "state": "not-loaded",
                    "max_context_length": 32768,
                },
                {
                    "id": "text-embedding-nomic-embed-text-v1.5",
                    "object": "model",
                    "type": "embeddings",
                    "publisher": "nomic-ai",
                    "compatibility_type": "gguf",
                    "state": "not-loaded",
                    "max_context_length": 2048,
                },
            ],
        }
    )
}
LM_STUDIO_0_2 = {
    "/v1/models": Says(
        {
            "data": [
                {"id": "phi-3-mini", "object": "model", "owned_by": "organization_owner", "permission": [{}]}
            ],
            "object": "list",
        }
    )
}

VLLM = {
    "/version": Says({"version": "0.11.0"}),
    "/v1/models": Says(
        {
            "object": "list",
            "data": [
                {
                    "id": "Qwen/Qwen3-8B",
                    "object": "model",
                    "created": 1760000000,
                    "owned_by": "vllm",
                    "root": "Qwen/Qwen3-8B",
                    "parent": None,
                    "max_model_len": 40960,
                    "permission": [{"id": "modelperm-1", "object": "model_permission", "allow_view": True}],
                }
            ],
        }
    ),
}
VLLM_WITH_A_KEY = {
    "/version": Says({"version": "0.11.0"}),
    "/v1/models": Says({"error": "Unauthorized"}, 401),
}

LLAMA_CPP = {
    "/props": Says(
        {
            "default_generation_settings": {"id": 0, "n_ctx": 16384, "params": {"temperature": 0.8}},
            "total_slots": 4,
            "model_path": "/models/gemma-3-4b-it-Q4_K_M.gguf",
            "modalities": {"vision": True, "audio": False},
            "chat_template": "{{ messages }}",
            "chat_template_caps": {"supports_tools": True},
            "build_info": "b6730-e60f01d94",
        }
    ),
    "/v1/models": Says(
        {
            "models": [{"name": "/models/gemma-3-4b-it-Q4_K_M.gguf", "capabilities": ["completion"]}],
            "object": "list",
            "data": [
                {
                    "id": "/models/gemma-3-4b-it-Q4_K_M.gguf",
                    "object": "model",
                    "created": 1760000000,
                    "owned_by": "llamacpp",
                    "meta": {
                        "n_vocab": 262144,
                        "n_ctx_train": 131072,
                        "n_params": 3880099328,
                        "size": 2483241984,
                    },
                }
            ],
        }
    ),
    "/api/tags": Says({"models": [{"name": "/models/gemma-3-4b-it-Q4_K_M.gguf"}]}),
}

LOCAL_AI_MODELS = Says(
    {
        "object": "list",
        "data": [
            {"id": "qwen3-4b", "object": "model"},
            {"id": "whisper-1", "object": "model"},
            {"id": "stablediffusion-sdxl", "object": "model"},
        ],
    }
)
LOCAL_AI = {
    "/.well-known/localai.json": Says(
        {
            "version": "v3.7.0",
            "endpoints": {"chat_completions": "/v1/chat/completions", "models": "/v1/models"},
            "capabilities": {"p2p": False},
        }
    ),
    "/v1/models": LOCAL_AI_MODELS,
    "/api/version": Says({"version": "0.9.0"}),
    "/api/tags": Says({"models": [{"name": "qwen3-4b"}]}),
}
LOCAL_AI_2 = {
    "/system": Says({"backends": ["llama-cpp", "whisper"], "loaded_models": []}),
    "/version": Says({"version": "2.26.0 (a1b2c3d4)"}),
    "/v1/models": LOCAL_AI_MODELS,
}

JAN = {
    "/v1/models": Says(
        {
            "object": "list",
            "data": [{"id": "jan-v3-4b", "object": "model", "created": 1, "owned_by": "user"}],
        }
    )
}
JAN_WITHOUT_MODELS = {
    "/v1/models": Says({"object": "list", "data": []}),
    "/openapi.json": Says(
        {"openapi": "3.0.0", "info": {"title": "Jan API Server Endpoints", "version": "1.0"}}
    ),
}
JAN_WITH_A_KEY = {"/v1/models": Says(b"Missing authorization header", 401, media_type="text/plain")}

MLX = {
    "/v1/models": Says(
        {
            "object": "list",
            "data": [{"id": "mlx-community/Qwen3-4B-4bit", "object": "model", "created": 1760000000}],
        }
    )
}
"""A server of no known kind that speaks the OpenAI dialect: `mlx_lm.server`."""

OPENAI = {
    "object": "list",
    "data": [
        {"id": model, "object": "model", "created": 1, "owned_by": "system"}
        for model in (
            "gpt-4o",
            "gpt-3.5-turbo",
            "text-embedding-3-small",
            "omni-moderation-latest",
            "whisper-1",
            "gpt-4o-mini-tts",
            "gpt-4o-transcribe",
            "gpt-realtime",
            "gpt-image-1",
            "dall-e-3",
            "sora-2",
            "babbage-002",
        )
    ],
}
OPENROUTER = {
    "data": [
        {
            "id": "anthropic/claude-sonnet-4.5",
            "canonical_slug": "anthropic/claude-4.5-sonnet-20250929",
            "name": "Anthropic: Claude Sonnet 4.5",
            "created": 1759161676,
            "context_length": 1000000,
            "architecture": {
                "modality": "text+image->text",
                "input_modalities": ["text", "image", "file"],
                "output_modalities": ["text"],
            },
            "pricing": {"prompt": "0.000003", "completion": "0.000015", "image": "0"},
            "supported_parameters": ["max_tokens", "structured_outputs", "tools"],
        },
        {
            "id": "openrouter/auto",
            "name": "Auto Router",
            "context_length": 2000000,
            "architecture": {"input_modalities": ["text"], "output_modalities": ["text"]},
            "pricing": {"prompt": "-1", "completion": "-1"},
            "supported_parameters": ["max_tokens"],
        },
        {
            "id": "google/gemini-2.5-flash-image",
            "name": "Google: Gemini 2.5 Flash Image",
            "context_length": 32768,
            "architecture": {"input_modalities": ["image", "text"], "output_modalities": ["image", "text"]},
            "pricing": {"prompt": "0.0000003", "completion": "0.0000025"},
        },
    ]
}
ANTHROPIC = {
    "data": [
        {
            "type": "model",
            "id": "claude-sonnet-4-5-20250929",
            "display_name": "Claude Sonnet 4.5",
            "created_at": "2025-09-29T00:00:00Z",
            "max_input_tokens": 200000,
            "max_tokens": 64000,
            "capabilities": {"image_input": {"supported": True}, "structured_outputs": {"supported": True}},
        }
    ],
    "has_more": False,
    "first_id": "claude-sonnet-4-5-20250929",
    "last_id": "claude-sonnet-4-5-20250929",
}
MISTRAL = {
    "object": "list",
    "data": [
        {
            "id": "mistral-medium-2508",
            "object": "model",
            "owned_by": "mistralai",
            "capabilities": {
                "completion_chat": True,
                "function_calling": True,
                "fine_tuning": False,
                "vision": True,
            },
            "name": "mistral-medium-2508",
            "max_context_length": 131072,
            "type": "base",
        },
        {
            "id": "mistral-moderation-2411",
            "object": "model",
            "capabilities": {"completion_chat": False, "function_calling": False, "vision": False},
            "max_context_length": 8192,
            "type": "base",
        },
    ],
}
TOGETHER = [
    {
        "id": "meta-llama/Llama-3.3-70B-Instruct-Turbo",
        "object": "model",
        "created": 0,
        "type": "chat",
        "display_name": "Meta Llama 3.3 70B Instruct Turbo",
        "organization": "Meta",
        "context_length": 131072,
        "pricing": {"hourly": 0, "input": 0.88, "output": 0.88, "base": 0, "finetune": 0},
    },
    {
        "id": "black-forest-labs/FLUX.1-schnell",
        "object": "model",
        "type": "image",
        "display_name": "FLUX.1 schnell",
    },
]
COHERE = {
    "models": [
        {
            "name": "command-a-03-2025",
            "endpoints": ["generate", "chat"],
            "finetuned": False,
            "context_length": 288000.0,
            "features": ["json_mode", "json_schema", "tools"],
        },
        {
            "name": "embed-v4.0",
            "endpoints": ["embed", "classify"],
            "context_length": 128000.0,
            "features": None,
        },
        {"name": "rerank-v3.5", "endpoints": ["rerank"], "context_length": 4096.0},
    ]
}
GEMINI = {
    "object": "list",
    "data": [
        {
            "id": "models/gemini-2.5-flash",
            "object": "model",
            "owned_by": "google",
            "display_name": "Gemini 2.5 Flash",
        },
        {"id": "models/gemini-embedding-001", "object": "model", "owned_by": "google"},
        {"id": "models/imagen-4.0-generate-001", "object": "model", "owned_by": "google"},
    ],
}
FIREWORKS = {
    "object": "list",
    "data": [
        {
            "id": "accounts/fireworks/models/kimi-k2-instruct",
            "object": "model",
            "owned_by": "fireworks",
            "kind": "HF_BASE_MODEL",
            "supports_chat": True,
            "supports_image_input": False,
            "supports_tools": True,
            "context_length": 131072,
        },
        {
            "id": "accounts/fireworks/models/flux-1-dev-fp8",
            "object": "model",
            "kind": "FLUMINA_BASE_MODEL",
            "supports_chat": False,
        },
    ],
}

_LITELLM = Path(__file__).parents[3] / "fixtures" / "litellm"
LITELLM_INFO = msgspec.json.decode((_LITELLM / "model-info.json").read_bytes())
LITELLM = {
    "/health/liveliness": Says('"I\'m alive!"'),
    "/v1/models": Says((_LITELLM / "models.json").read_bytes()),
    "/model/info": Says(LITELLM_INFO),
}
"""Version 1.106.2 with mock models."""

LITELLM_WRONG_KEY = Says((_LITELLM / "wrong-key.json").read_bytes(), 400)
LITELLM_NO_KEY = Says((_LITELLM / "no-key.json").read_bytes(), 401)
