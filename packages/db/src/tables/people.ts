import type { ColumnType } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** A role for some offices with their branches, or for everything (null). */
export interface StoredGrant {
  role: 'viewer' | 'editor' | 'manager' | 'admin';
  officeIds: string[] | null;
}

/** The tables of people and of their views. */
export interface PeopleTables {
  /** Someone who may sign in. */
  person: {
    id: string;
    name: string;
    /** Unique ignoring case. */
    email: string;
    status: 'invited' | 'active' | 'inactive';
    grants: ColumnType<StoredGrant[], string, string>;
    /** The issuer and the subject at the identity provider (`iss` and `sub`); null before they signed in there. */
    issuer: string | null;
    subject: string | null;
    created_at: Timestamp;
    /** The key or person that invited them; null if the service did. */
    created_by: string | null;
    updated_at: Timestamp;
    last_signed_in_at: Timestamp | null;
  };
  /** A passkey with which a person signs in: the public key of a credential (WebAuthn). */
  passkey: {
    id: string;
    person_id: string;
    /** The id of the credential, which the authenticator chose. */
    credential_id: Buffer;
    /** In COSE (RFC 9052). */
    public_key: Buffer;
    /** The number of signatures, as the authenticator counts them; 0 if it does not. */
    counter: string;
    transports: string[];
    /** Whether it is kept on several devices of the person. */
    is_synced: boolean;
    name: string;
    created_at: Timestamp;
    last_used_at: Timestamp | null;
  };
  /** A link with which a person sets up a passkey, once. */
  invitation: {
    id: string;
    /** The SHA-256 of its secret. */
    hash: Buffer;
    person_id: string;
    created_at: Timestamp;
    /** The key or person that made it. */
    created_by: string | null;
    expires_at: Timestamp;
    accepted_at: Timestamp | null;
    revoked_at: Timestamp | null;
    /** The address to which it was sent by e-mail, when, and what the mail server answered; null if it was not sent. */
    mailed_to: string | null;
    mailed_at: Timestamp | null;
    /** Null while the mail server has not answered. */
    is_mail_accepted: boolean | null;
    mail_answer: string | null;
  };
  /** A session of a person, of a key, or of ROSTER_ADMIN_KEY. */
  session: {
    id: string;
    /** The SHA-256 of its token. */
    hash: Buffer;
    person_id: string | null;
    key_id: string | null;
    admin_key_hash: Buffer | null;
    /** The way in which the person signed in. */
    method: 'oidc' | 'link' | 'key' | 'passkey';
    /** The passkey with which the person signed in; null otherwise. */
    passkey_id: string | null;
    /** The User-Agent of the browser or program that signed in, shortened. */
    client: string | null;
    /** The `sid` of the session at the identity provider, and the ID token, which its logout asks for. */
    provider_session: string | null;
    id_token: string | null;
    /** The session that made the link by which it was opened; null if it was opened otherwise. It ends with that one. */
    opened_by: string | null;
    /** When the person signed in: of a session that a link opened, that of the session that made the link. */
    signed_in_at: Timestamp;
    created_at: Timestamp;
    /** When it ends however much it is used. */
    expires_at: Timestamp;
    /** To the minute. */
    last_used_at: Timestamp;
    ended_at: Timestamp | null;
  };
  /** Secrets that sign in once: the SHA-256 of each, and what it leads to. */
  sign_in: {
    hash: Buffer;
    kind: 'provider' | 'link' | 'terminal' | 'logout' | 'passkey';
    data: ColumnType<unknown, string, string>;
    /** Whose session it gives: at most one of these. A link of nobody makes the first person. */
    person_id: string | null;
    key_id: string | null;
    admin_key_hash: Buffer | null;
    /** The session that made a link; null of a key. A link of a person has one. */
    session_id: string | null;
    /** The `sid` of the session at the identity provider. */
    provider_session: string | null;
    expires_at: Timestamp;
  };
  /** A saved view of a list, of a key or a person. */
  saved_view: {
    id: string;
    name: string;
    resource: string;
    is_shared: boolean;
    /** The parameters of the list, as they were sent. */
    query: ColumnType<Record<string, string | string[]>, string, string>;
    columns: ColumnType<StoredViewColumn[], string, string>;
    version: number;
    created_at: Timestamp;
    /** The owner: a key or a person. */
    created_by: string;
    updated_at: Timestamp;
  };
}

/** A column of a saved view. */
export interface StoredViewColumn {
  name: string;
  width?: number | undefined;
  isHidden?: boolean | undefined;
}
