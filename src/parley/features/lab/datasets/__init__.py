"""Data sets: rows of values for the variables of prompts."""
