"""The kernel: pure values and ports that every other floor speaks in. No I/O."""
