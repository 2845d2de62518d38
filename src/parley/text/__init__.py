"""Pure analysis of texts: strings in, values out, no I/O."""
