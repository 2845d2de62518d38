"""A standing check against model servers that nobody here wrote: `make real`."""
