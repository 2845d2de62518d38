"""Contestants: saved consortia and teams that answer and compete like models."""
