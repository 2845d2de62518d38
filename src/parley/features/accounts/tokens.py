"""Secrets of logins and links: random, given out once, stored as their hash."""

import hashlib
import hmac
import secrets


def new_token() -> str:
    """Return 256 random bits as 43 characters that a URL can hold."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return the SHA-256 of a token, in hex, under which it is stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def same(ours: str, theirs: str) -> bool:
    """Return whether somebody sent our secret, in a time that tells nothing; they may have sent any text."""
    return hmac.compare_digest(ours.encode(), theirs.encode("utf-8", "replace"))


def proof_of_browser(user_id: str, password_hash: str) -> str:
    """Return what a browser keeps to prove that it has signed in to an account; a new password makes it worthless."""
    return hmac.new(password_hash.encode(), f"browser of {user_id}".encode(), "sha256").hexdigest()
