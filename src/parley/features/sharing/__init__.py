"""Sharing: a session as a page that anybody with its link can read."""
