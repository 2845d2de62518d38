"""promptfoo's files: prompts, rows and checks of a promptfooconfig.yaml, in and out."""
