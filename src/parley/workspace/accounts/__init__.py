"""Accounts: who sends a request."""
