import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** The tables of API keys and webhooks. */
export interface KeyAndWebhookTables {
  /** An API key with its scopes. */
  api_key: {
    id: string;
    name: string;
    scopes: string[];
    created_at: Timestamp;
    updated_at: Timestamp;
    expires_at: Timestamp | null;
    revoked_at: Timestamp | null;
    last_used_at: Timestamp | null;
    /** The key or person that created it; null if the service did. */
    created_by: string | null;
    /** The offices it is limited to, with their branches; null for all. */
    office_ids: Generated<string[] | null>;
  };
  /** The SHA-256 of a secret of an API key; the hint is the secret's prefix, by which people recognise it. */
  api_key_secret: {
    hash: Buffer;
    key_id: string;
    hint: string;
    created_at: Timestamp;
    /** When it expires after a rotation; null for the current secret. */
    ends_at: Timestamp | null;
  };
  /** A subscription to events, which are delivered to a URL. */
  webhook: {
    id: string;
    url: string;
    description: string | null;
    /** The types of events that are delivered; null for all. */
    types: string[] | null;
    status: 'active' | 'disabled';
    status_reason: string | null;
    status_changed_at: Timestamp;
    /** The time of the first failed attempt since the last success; null if the last attempt succeeded. */
    failing_since: Timestamp | null;
    /** The time of the first slow attempt since the last fast one; null if the last attempt was fast. */
    slow_since: Timestamp | null;
    /** No attempt is made before this time, which the receiver asked for (Retry-After). */
    paused_until: Timestamp | null;
    /** When the running test request times out; null if no test is running. */
    test_ends_at: Timestamp | null;
    /** The key or person that created it. */
    created_by: string | null;
    /** The position up to which deliveries have been enqueued. */
    read_to: string;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** The offices whose events it gets, with their branches; null for all. */
    office_ids: Generated<string[] | null>;
  };
  /** A signing secret of a webhook, stored in plain text because it is needed to sign. */
  webhook_secret: {
    secret: string;
    webhook_id: string;
    created_at: Timestamp;
    /** When it expires after a rotation; null for the current secret. */
    ends_at: Timestamp | null;
  };
  /** The delivery of one event to one webhook. */
  webhook_delivery: {
    id: string;
    /** The order of deliveries of one record. */
    seq: Generated<string>;
    webhook_id: string;
    position: string;
    type: string;
    subject_id: string;
    status: Generated<'pending' | 'delivered' | 'failed' | 'superseded'>;
    /** The result of each attempt, as the API returns it. */
    attempts: ColumnType<unknown, string | undefined, string>;
    /** When the next attempt is due; if claimed, when the claim expires; null if finished. */
    due_at: Timestamp | null;
    /** Identifies the attempt in progress; null if there is none. */
    claim: string | null;
    created_at: Timestamp;
    finished_at: Timestamp | null;
  };
}
