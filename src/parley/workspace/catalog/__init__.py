"""The catalog room: which models there are and how they are reached."""
