"""Storage: the only floor that knows SQL tables; implements the kernel's ports."""
