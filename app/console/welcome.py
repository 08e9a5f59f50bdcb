"""Sign-in addresses: who reads one in the terminal owns the account, and chooses its password."""

import hashlib
import secrets
from datetime import UTC, datetime, timedelta

from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import Account
from app.models.sign_in_link import SignInLink, insert_sign_in_link

VALID_FOR = timedelta(days=1)


async def new_sign_in_address(session: AsyncSession, account: Account, base: str) -> str:
    """Make an address that signs the owner of an account in, once; only its hash is kept.

    Args:
        session: the transaction it is stored in.
        account: whose owner it is for.
        base: the address of the service.
    """
    assert account.id is not None
    token = secrets.token_urlsafe(32)
    expires_at = datetime.now(UTC) + VALID_FOR
    link = SignInLink(digest=link_digest(token), account_id=account.id, expires_at=expires_at)
    await insert_sign_in_link(session, link)
    return f"{base.rstrip('/')}/welcome?token={token}"


def link_digest(token: str) -> bytes:
    """Return what is stored of the token of an address."""
    # The tokens are random and long, so one round of SHA-256 cannot be searched through.
    return hashlib.sha256(token.encode()).digest()
