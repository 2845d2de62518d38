"""Runs: versions of a prompt × models × rows × repeats, as durable jobs."""
