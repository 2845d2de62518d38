"""Tables of accounts, with their rows: accounts, logins and links."""

from typing import Annotated

from sqlalchemy import Index, Integer, LargeBinary, String, Text, UniqueConstraint

from parley.storage.tables.rows import Digest, Document, Id, Key, Name, Row, Time, column, stored_in


@stored_in("accounts", UniqueConstraint("email"))
class AccountRow(Row):
    """The means by which a person signs in, and their role.

    `email` is in lower case; null for a guest. `password_hash` is argon2's; null if the person signs in another way.
    """

    user_id: Annotated[Id, column(references="users.id", primary_key=True)]
    email: Annotated[str, String(320)] | None
    password_hash: Annotated[str, Text] | None
    role: Name
    created_at: Time
    disabled_at: Time | None = None


@stored_in("logins", UniqueConstraint("token_sha256"), Index("ix_logins_user_id", "user_id"))
class LoginRow(Row):
    """A person's signed-in browser. `network` is the part of its address that its neighbours share."""

    id: Key
    user_id: Annotated[Id, column(references="users.id")]
    token_sha256: Digest
    agent: Annotated[str, String(300)]
    network: Name
    created_at: Time
    seen_at: Time
    expires_at: Time


@stored_in("refresh_tokens", Index("ix_refresh_tokens_login_id", "login_id"))
class RefreshTokenRow(Row):
    """A token with which a program renews its login once. One that is used again ends the login."""

    token_sha256: Annotated[str, String(64), column(primary_key=True)]
    login_id: Annotated[Id, column(references="logins.id", ondelete="CASCADE")]
    used_at: Time | None = None


@stored_in("links", UniqueConstraint("token_sha256"), Index("ix_links_purpose_target", "purpose", "target"))
class LinkRow(Row):
    """A link that gives who has it one right, until it expires, is used up or revoked.

    `purpose`: `invitation`, `reset` or `first_administrator`. `target` is the id of what the right is about, empty
    where there is none yet. `terms` are the purpose's own.
    """

    id: Key
    purpose: Name
    target: Id
    token_sha256: Digest
    terms: Document
    created_by: Annotated[Id, column(references="users.id")]
    created_at: Time
    expires_at: Time | None
    used_at: Time | None = None


@stored_in("identities", Index("ix_identities_user_id", "user_id"))
class IdentityRow(Row):
    """A person as an identity provider knows them; only by this are they found again, never by an address."""

    issuer: Annotated[str, String(300), column(primary_key=True)]
    subject: Annotated[str, String(300), column(primary_key=True)]
    user_id: Annotated[Id, column(references="users.id")]
    email: Annotated[str, String(320)]
    created_at: Time
    used_at: Time


@stored_in("sign_in_rules")
class SignInRulesRow(Row):
    """The rules of signing in, in one row. `second_factor`: of everybody with a password."""

    id: Annotated[int, Integer, column(primary_key=True, autoincrement=False)]
    second_factor: bool
    providers_only: bool


@stored_in("workspaces")
class WorkspaceRow(Row):
    """A place that several people share. Its things belong to a user of the same id, who never signs in."""

    id: Annotated[Id, column(references="users.id", primary_key=True)]
    created_by: Annotated[Id, column(references="users.id")]
    created_at: Time


@stored_in("members", Index("ix_members_user_id", "user_id"))
class MemberRow(Row):
    """A person's place in a workspace: `owner`, `editor` or `viewer`."""

    workspace_id: Annotated[Id, column(references="workspaces.id", ondelete="CASCADE", primary_key=True)]
    user_id: Annotated[Id, column(references="users.id", primary_key=True)]
    role: Name
    added_at: Time


@stored_in("credentials", UniqueConstraint("key"), Index("ix_credentials_user_id", "user_id"))
class CredentialRow(Row):
    """A factor besides the password. `kind`: `totp`, `passkey` or `recovery`.

    `key`: a passkey's id, or the hash of a recovery code; null for an app. `secret`: a passkey's public key, or the
    sealed secret of an app; null for a code. `counter`: a passkey's signatures, or the time step of an app's last code.
    `confirmed_at` is null while an app has not shown its first code.
    """

    id: Key
    user_id: Annotated[Id, column(references="users.id")]
    kind: Name
    name: Annotated[str, String(64)]
    key: Annotated[str, String(1400)] | None
    secret: Annotated[bytes, LargeBinary] | None
    counter: int
    created_at: Time
    confirmed_at: Time | None
    used_at: Time | None = None
