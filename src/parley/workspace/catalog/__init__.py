"""The catalog: which models there are and how to reach them."""
