import type { ColumnType } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** Offices include their branches; null for all. */
export interface StoredGrant {
  role: 'viewer' | 'editor' | 'manager' | 'admin';
  officeIds: string[] | null;
}

export interface PeopleTables {
  person: {
    id: string;
    name: string;
    email: string;
    status: 'invited' | 'active' | 'inactive';
    grants: ColumnType<StoredGrant[], string, string>;
    /** `iss` and `sub` at the identity provider; null before the first sign-in there. */
    issuer: string | null;
    subject: string | null;
    created_at: Timestamp;
    /** A key or a person; null for the service. */
    created_by: string | null;
    updated_at: Timestamp;
    last_signed_in_at: Timestamp | null;
  };
  /** A WebAuthn public key. */
  passkey: {
    id: string;
    person_id: string;
    /** Chosen by the authenticator. */
    credential_id: Buffer;
    /** COSE (RFC 9052). */
    public_key: Buffer;
    /** As counted by the authenticator; 0 if it does not count. */
    counter: string;
    transports: string[];
    /** Whether it is on several devices. */
    is_synced: boolean;
    name: string;
    created_at: Timestamp;
    last_used_at: Timestamp | null;
  };
  /** A link to set up a passkey, once. */
  invitation: {
    id: string;
    /** SHA-256 of its secret. */
    hash: Buffer;
    person_id: string;
    created_at: Timestamp;
    /** A key or a person. */
    created_by: string | null;
    expires_at: Timestamp;
    accepted_at: Timestamp | null;
    revoked_at: Timestamp | null;
    /** Null unless emailed. */
    mailed_to: string | null;
    mailed_at: Timestamp | null;
    /** Null until the mail server has responded. */
    is_mail_accepted: boolean | null;
    mail_response: string | null;
  };
  /** Of a person, a key, or ROSTER_ADMIN_KEY. */
  session: {
    id: string;
    /** SHA-256 of its token. */
    hash: Buffer;
    person_id: string | null;
    key_id: string | null;
    admin_key_hash: Buffer | null;
    method: 'oidc' | 'link' | 'key' | 'passkey' | 'email';
    passkey_id: string | null;
    /** The User-Agent, shortened. */
    client: string | null;
    /** The provider's `sid`, and the ID token that its logout requires. */
    provider_session: string | null;
    id_token: string | null;
    /** The session whose link opened it; it ends with that one. */
    opened_by: string | null;
    /** For a session opened by a link, the time of the session that made it. */
    signed_in_at: Timestamp;
    created_at: Timestamp;
    /** Even if in use. */
    expires_at: Timestamp;
    /** To the minute. */
    last_used_at: Timestamp;
    ended_at: Timestamp | null;
  };
  /** By the SHA-256 of a secret that works once. */
  sign_in: {
    hash: Buffer;
    kind: 'provider' | 'link' | 'terminal' | 'logout' | 'passkey' | 'email';
    data: ColumnType<unknown, string, string>;
    /** The owner of the new session: at most one. Without an owner, a link creates the first person. */
    person_id: string | null;
    key_id: string | null;
    admin_key_hash: Buffer | null;
    /** The session that made a link; null for a key. */
    session_id: string | null;
    provider_session: string | null;
    expires_at: Timestamp;
  };
  saved_view: {
    id: string;
    name: string;
    resource: string;
    is_shared: boolean;
    query: ColumnType<Record<string, string | string[]>, string, string>;
    columns: ColumnType<StoredViewColumn[], string, string>;
    version: number;
    created_at: Timestamp;
    /** A key or a person. */
    created_by: string;
    updated_at: Timestamp;
  };
}

export interface StoredViewColumn {
  name: string;
  width?: number | undefined;
  isHidden?: boolean | undefined;
}
