"""Accounts: who makes a request."""
