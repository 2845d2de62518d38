"""The OpenAI door: other programs reach every model by `/v1`, with API keys."""
