"""The kernel: pure values and ports that every other layer speaks in. No I/O."""
