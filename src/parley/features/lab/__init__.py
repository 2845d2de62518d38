"""The Prompt Lab: prompts in versions, rows of data, and runs that measure which prompt and model is best."""
