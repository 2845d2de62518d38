"""Storage: the only layer that knows SQL tables; implements the kernel's ports."""
