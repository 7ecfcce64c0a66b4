import type { ColumnType, Generated, Selectable } from 'kysely';

/** The tables as Kysely sees them. The source of truth is `migrations/`; a test compares the two. */
export interface Database {
  office: OfficeTable;
  agent: AgentTable;
  tombstone: TombstoneTable;
  api_key: ApiKeyTable;
  api_key_secret: ApiKeySecretTable;
  idempotent_answer: IdempotentAnswerTable;
  event: EventTable;
  event_log: EventLogTable;
  admin_event: AdminEventTable;
  webhook: WebhookTable;
  webhook_secret: WebhookSecretTable;
  webhook_delivery: WebhookDeliveryTable;
  server: ServerTable;
  caller_rate: CallerRateTable;
  primary_term: PrimaryTermTable;
}

/** `timestamptz(3)`: milliseconds, because JavaScript's dates are not more precise, and cursors compare them. */
type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A column that the database computes and that is never written. */
type Computed<T> = ColumnType<T, never, never>;

/** One licence in `licenses`; jsonb does not keep the order of keys. */
export interface StoredLicense {
  number: string;
  region: string | null;
  type: string | null;
  expiresOn: string | null;
}

type Licenses = ColumnType<StoredLicense[], string | undefined, string>;
type Metadata = ColumnType<Record<string, string>, string | undefined, string>;

/** The columns that offices and agents have in common. */
export interface RecordColumns {
  id: string;
  status: Generated<'active' | 'inactive'>;
  status_reason: string | null;
  status_changed_at: Timestamp;
  deactivated_at: Timestamp | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  version: Generated<number>;
  source_name: string | null;
  source_key: string | null;
  metadata: Metadata;
  /** The text that the full-text search `q` searches. */
  search_text: Computed<string>;
  /** The materialised JSON of the record, as the API returns it, written by a trigger. */
  record: Computed<object | null>;
  /** The schema version of that JSON. If it is null or not the current one, the JSON is rebuilt. */
  record_shape: Computed<number | null>;
}

export interface AddressColumns {
  address_line1: string | null;
  address_line2: string | null;
  address_city: string | null;
  address_county: string | null;
  address_region: string | null;
  address_postal_code: string | null;
  address_country: string | null;
}

export type MailingAddressColumns = {
  [Column in keyof AddressColumns as `mailing_${Column}`]: AddressColumns[Column];
};

export interface OfficeTable extends RecordColumns, AddressColumns, MailingAddressColumns {
  name: string;
  legal_name: string | null;
  branch_type: 'main' | 'branch' | 'stand_alone' | null;
  type: string | null;
  main_office_id: string | null;
  broker_agent_id: string | null;
  manager_agent_id: string | null;
  franchise: string | null;
  mls_id: string | null;
  national_association_id: string | null;
  licenses: Licenses;
  phone: string | null;
  phone_ext: string | null;
  fax: string | null;
  email: string | null;
  website: string | null;
  time_zone: string | null;
  bio: string | null;
}

export interface AgentTable extends RecordColumns, AddressColumns {
  first_name: string;
  last_name: string;
  middle_name: string | null;
  nickname: string | null;
  name_prefix: string | null;
  name_suffix: string | null;
  /** If null, the default: first name, a space, last name. */
  display_name: string | null;
  title: string | null;
  type: string | null;
  office_id: string | null;
  transferred_at: Timestamp | null;
  email: string | null;
  phone: string | null;
  phone_ext: string | null;
  mobile_phone: string | null;
  direct_phone: string | null;
  fax: string | null;
  mls_id: string | null;
  national_association_id: string | null;
  licenses: Licenses;
  languages: Generated<string[]>;
  designations: Generated<string[]>;
  assistant_to_agent_id: string | null;
  website: string | null;
  photo_url: string | null;
  bio: string | null;
}

/** The last state of a deleted record, which can be restored within the retention time. */
export interface TombstoneTable {
  collection: 'offices' | 'agents';
  id: string;
  /** The record's JSON exactly as the API last returned it. */
  record: ColumnType<unknown, string, string>;
  deleted_at: Timestamp;
}

/** An API key with its scopes. */
export interface ApiKeyTable {
  id: string;
  name: string;
  scopes: string[];
  created_at: Timestamp;
  updated_at: Timestamp;
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  last_used_at: Timestamp | null;
  /** The key that created it; null if the service did, or before this was recorded. */
  created_by: string | null;
}

/** The SHA-256 of a secret of an API key; the hint is the secret's prefix, by which people recognise it. */
export interface ApiKeySecretTable {
  hash: Buffer;
  key_id: string;
  hint: string;
  created_at: Timestamp;
  /** When it expires after a rotation; null for the current secret. */
  ends_at: Timestamp | null;
}

/** The response to a request with an Idempotency-Key. */
export interface IdempotentAnswerTable {
  actor_id: string;
  operation: string;
  key: string;
  input_hash: Buffer;
  answer: ColumnType<unknown, string, string>;
  created_at: Timestamp;
}

/** A change of a record, written in the transaction of the change (transactional outbox). */
export interface EventTable {
  /** In the order of insertion, which is not the order of commits. */
  id: Generated<string>;
  /** The position in the event log; null until the sequencer assigns it. */
  position: string | null;
  type: string;
  subject_id: string;
  /** The version of the record after the change. */
  version: number;
  occurred_at: Timestamp;
  /** The API key of the request; null if the service made the change. */
  actor_id: string | null;
  request_id: string | null;
  reason: string | null;
  /** The record's JSON after the change, or before a deletion; null after it was purged. */
  record: ColumnType<unknown, string | null, never>;
  /** The previous values of the changed fields. */
  previous: ColumnType<Generated<unknown>, string | undefined, never>;
  /** What the event says of its change beside the record; null if nothing. */
  details: ColumnType<unknown, string | null | undefined, never>;
}

/** Events of API keys and webhooks, a part of the event log that is read on request. */
export interface AdminEventTable {
  /** The position in the event log, in one sequence with the events of records. */
  position: string;
  type: string;
  subject_id: string;
  /** Counts the events of the subject. */
  version: number;
  occurred_at: Timestamp;
  /** The API key of the request; null if the service made the change. */
  actor_id: string | null;
  request_id: string | null;
  /** The JSON of the key or webhook after the change, or before a deletion. */
  record: ColumnType<unknown, string, never>;
  previous: ColumnType<Generated<unknown>, string | undefined, never>;
}

/** One row: the last position of the event log, and the position up to which it was compacted. */
export interface EventLogTable {
  is_only: Generated<boolean>;
  last_position: Generated<string>;
  compacted_to: Generated<string>;
}

/** A subscription to events, which are delivered to a URL. */
export interface WebhookTable {
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
  /** The API key that created it; null before this was recorded. */
  created_by: string | null;
  /** The position up to which deliveries have been enqueued. */
  read_to: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A signing secret of a webhook, stored in plain text because it is needed to sign. */
export interface WebhookSecretTable {
  secret: string;
  webhook_id: string;
  created_at: Timestamp;
  /** When it expires after a rotation; null for the current secret. */
  ends_at: Timestamp | null;
}

/** The delivery of one event to one webhook. */
export interface WebhookDeliveryTable {
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
}

/** A server that synchronises the rates of callers with the others; unlogged. */
export interface ServerTable {
  id: string;
  /** When it last did, by the clock of the database. */
  seen_at: Timestamp;
  /** False; servers of the previous release set it while they let callers spend without telling the others. */
  is_alone: boolean;
}

/** What all servers together have counted of a caller's requests; unlogged. */
export interface CallerRateTable {
  /** A key or an address. */
  caller: string;
  /** When all requests so far would have been made at the steady rate, by the clock of the database. */
  spent_until: Timestamp;
  /** The transaction that changed the row last (xid8) and when, by the clock of the database; set by a trigger. */
  changed_in: Computed<string>;
  changed_at: Computed<Date>;
}

/** The primaries of this database, one row for each promotion. */
export interface PrimaryTermTable {
  term: number;
  id: string;
  system_identifier: string;
  timeline: string;
  begun_at: Timestamp;
}

export type OfficeRow = Selectable<OfficeTable>;
export type AgentRow = Selectable<AgentTable>;
