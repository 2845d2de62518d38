"""The catalog: the configured models and how to reach them."""
