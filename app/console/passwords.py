"""Passwords of owners: only their Argon2 hashes are stored."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MIN_LENGTH = 10
MAX_LENGTH = 200
"""A longer one would only cost time."""

# The parameters of RFC 9106 for memory that is scarce: 64 MiB, three passes.
_HASHER = PasswordHasher()


async def hash_password(password: str) -> str:
    """Return the hash of a password, beside the event loop: it takes a twentieth of a second."""
    return await asyncio.to_thread(_HASHER.hash, password)


async def is_password(password: str, password_hash: str) -> bool:
    """Tell whether this is the password."""
    if len(password) > MAX_LENGTH:
        return False
    try:
        return await asyncio.to_thread(_HASHER.verify, password_hash, password)
    except (VerificationError, InvalidHashError):
        return False


def what_is_wrong_with(password: str) -> str | None:
    """Return why nobody may choose this password, or None."""
    if len(password) < MIN_LENGTH:
        return f"Choose a password of at least {MIN_LENGTH} characters."
    if len(password) > MAX_LENGTH:
        return f"Choose a password of at most {MAX_LENGTH} characters."
    return None
