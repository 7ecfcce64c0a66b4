import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

export interface KeyAndWebhookTables {
  api_key: {
    id: string;
    name: string;
    scopes: string[];
    created_at: Timestamp;
    updated_at: Timestamp;
    expires_at: Timestamp | null;
    revoked_at: Timestamp | null;
    last_used_at: Timestamp | null;
    /** A key or a person; null for the service. */
    created_by: string | null;
    /** With their branches; null for all. */
    office_ids: Generated<string[] | null>;
  };
  /** The SHA-256 of a secret; the hint is its prefix, for people. */
  api_key_secret: {
    hash: Buffer;
    key_id: string;
    hint: string;
    created_at: Timestamp;
    /** Null for the current secret. */
    ends_at: Timestamp | null;
  };
  webhook: {
    id: string;
    url: string;
    description: string | null;
    /** Null for all. */
    types: string[] | null;
    status: 'active' | 'disabled';
    status_reason: string | null;
    status_changed_at: Timestamp;
    /** The first failed attempt since the last success; null if the last one succeeded. */
    failing_since: Timestamp | null;
    /** The first slow attempt since the last fast one; null if the last one was fast. */
    slow_since: Timestamp | null;
    /** No attempts before this time (Retry-After). */
    paused_until: Timestamp | null;
    /** When the running test times out; null if none. */
    test_ends_at: Timestamp | null;
    /** A key or a person. */
    created_by: string | null;
    /** Deliveries are enqueued up to here. */
    read_to: string;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** With their branches; null for all. */
    office_ids: Generated<string[] | null>;
  };
  /** In plain text, because it is needed to sign. */
  webhook_secret: {
    secret: string;
    webhook_id: string;
    created_at: Timestamp;
    /** Null for the current secret. */
    ends_at: Timestamp | null;
  };
  webhook_delivery: {
    id: string;
    /** Orders deliveries of a record. */
    seq: Generated<string>;
    webhook_id: string;
    position: string;
    type: string;
    subject_id: string;
    status: Generated<'pending' | 'delivered' | 'failed' | 'superseded'>;
    attempts: ColumnType<unknown, string | undefined, string>;
    /** When the next attempt is due or the claim expires; null if finished. */
    due_at: Timestamp | null;
    /** The attempt in progress; null if none. */
    claim: string | null;
    created_at: Timestamp;
    finished_at: Timestamp | null;
  };
}
