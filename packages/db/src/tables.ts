import type { ColumnType, Generated, Insertable, Selectable, Updateable } from 'kysely';

/**
 * The tables as Kysely sees them. The source of truth is `migrations/`; a test compares the two.
 * SQL is snake_case and singular; JSON is built from it in SQL and is camelCase.
 */
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

/** `timestamptz(3)`: milliseconds, because JavaScript's dates have no more and cursors compare them. */
type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A column whose value is computed by the database and never written. */
type Computed<T> = ColumnType<T, never, never>;

/** One licence as stored in `licenses`; the order of the keys is not kept by jsonb. */
export interface StoredLicense {
  number: string;
  region: string | null;
  type: string | null;
  expiresOn: string | null;
}

type Licenses = ColumnType<StoredLicense[], string | undefined, string>;
type Metadata = ColumnType<Record<string, string>, string | undefined, string>;

/** What offices and agents have in common. */
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
  /** What `q` looks in. */
  search_text: Computed<string>;
  /** The record as the API shows it, made by the trigger that keeps it. */
  record: Computed<object | null>;
  /** The number of its shape; another than the reader's, or none: to be made anew. */
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

export interface MailingAddressColumns {
  mailing_address_line1: string | null;
  mailing_address_line2: string | null;
  mailing_address_city: string | null;
  mailing_address_county: string | null;
  mailing_address_region: string | null;
  mailing_address_postal_code: string | null;
  mailing_address_country: string | null;
}

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
  /** null means the default: first name, a space, last name. */
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

/** The last state of a deleted record, kept for the retention time so that it can be restored. */
export interface TombstoneTable {
  collection: 'offices' | 'agents';
  id: string;
  /** The record's JSON exactly as the API last showed it. */
  record: ColumnType<unknown, string, string>;
  deleted_at: Timestamp;
}

/** Who may call, and what for. */
export interface ApiKeyTable {
  id: string;
  name: string;
  scopes: string[];
  created_at: Timestamp;
  updated_at: Timestamp;
  expires_at: Timestamp | null;
  revoked_at: Timestamp | null;
  last_used_at: Timestamp | null;
  /** The key that made it; null where the service did, and for keys from before this was kept. */
  created_by: string | null;
}

/** A secret of a key, as its SHA-256; the hint is its beginning, for people to tell secrets apart. */
export interface ApiKeySecretTable {
  hash: Buffer;
  key_id: string;
  hint: string;
  created_at: Timestamp;
  /** When it stops by itself, after a rotation; null while it is the current one. */
  ends_at: Timestamp | null;
}

/** What was answered to a request with an Idempotency-Key. */
export interface IdempotentAnswerTable {
  actor_id: string;
  operation: string;
  key: string;
  input_hash: Buffer;
  answer: ColumnType<unknown, string, string>;
  created_at: Timestamp;
}

/** A change that was made, written in the transaction of the change itself. */
export interface EventTable {
  /** The order of writing, which is not the order of committing. */
  id: Generated<string>;
  /** The place in the log; null until it is given. */
  position: string | null;
  type: string;
  subject_id: string;
  /** The version of the record after the change. */
  version: number;
  occurred_at: Timestamp;
  /** The key that asked for it; null where the service did it by itself. */
  actor_id: string | null;
  request_id: string | null;
  reason: string | null;
  /** The record's JSON after the change (for a deletion, before it); null once it is purged. */
  record: ColumnType<unknown, string | null, never>;
  /** The values that the changed fields had before. */
  previous: ColumnType<Generated<unknown>, string | undefined, never>;
}

/** Events of keys and webhooks: a part of the log that is read on demand. */
export interface AdminEventTable {
  /** The place in the log, among those of the events of records. */
  position: string;
  type: string;
  subject_id: string;
  /** Counts the events of the subject. */
  version: number;
  occurred_at: Timestamp;
  /** The key that asked for it; null where the service did it by itself. */
  actor_id: string | null;
  request_id: string | null;
  /** The key or webhook as it is shown after the change; of a deleted one, before it. */
  record: ColumnType<unknown, string, never>;
  previous: ColumnType<Generated<unknown>, string | undefined, never>;
}

/** One row: how far the log has come, and up to where it has been compacted. */
export interface EventLogTable {
  is_only: Generated<boolean>;
  last_position: Generated<string>;
  compacted_to: Generated<string>;
}

/** Who is told of events. */
export interface WebhookTable {
  id: string;
  url: string;
  description: string | null;
  /** The types of events it is told of; null for all. */
  types: string[] | null;
  status: 'active' | 'disabled';
  status_reason: string | null;
  status_changed_at: Timestamp;
  /** When the last attempt failed, the time of the first one since which none succeeded. */
  failing_since: Timestamp | null;
  /** When the last attempt was slow, the time of the first one since which none was quick. */
  slow_since: Timestamp | null;
  /** The receiver asked for no attempt before this time (Retry-After). */
  paused_until: Timestamp | null;
  /** Until when somebody tests it; cleared when the test ends. */
  test_ends_at: Timestamp | null;
  /** The key that made it; null for webhooks from before this was kept. */
  created_by: string | null;
  /** The position of the log up to which deliveries have been made. */
  read_to: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** A secret that signs, kept as it is, because it must sign. */
export interface WebhookSecretTable {
  secret: string;
  webhook_id: string;
  created_at: Timestamp;
  /** When it stops signing, after a rotation; null while it is the current one. */
  ends_at: Timestamp | null;
}

/** One event on its way to one webhook. */
export interface WebhookDeliveryTable {
  id: string;
  /** The order in which those of one record are delivered. */
  seq: Generated<string>;
  webhook_id: string;
  position: string;
  type: string;
  subject_id: string;
  status: Generated<'pending' | 'delivered' | 'failed' | 'superseded'>;
  /** What came of each attempt, as the API shows it. */
  attempts: ColumnType<unknown, string | undefined, string>;
  /** When to try next; of a claimed one, when another server may take it over. Null when it is finished. */
  due_at: Timestamp | null;
  /** Names the attempt that is being made. */
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
  /** A key or an address, in words. */
  caller: string;
  /** When all requests so far would have been made at the steady rate, by the clock of the database. */
  spent_until: Timestamp;
  /** The transaction that changed the row last (xid8), set by a trigger. */
  changed_in: Computed<string>;
}

/** The primaries that have written this database. */
export interface PrimaryTermTable {
  term: number;
  id: string;
  system_identifier: string;
  timeline: string;
  begun_at: Timestamp;
}

export type OfficeRow = Selectable<OfficeTable>;
export type NewOfficeRow = Insertable<OfficeTable>;
export type OfficeChange = Updateable<OfficeTable>;
export type AgentRow = Selectable<AgentTable>;
export type NewAgentRow = Insertable<AgentTable>;
export type AgentChange = Updateable<AgentTable>;
