import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Computed, Timestamp } from './tables/column-types.ts';
import type { DuplicateTables } from './tables/duplicates.ts';
import type { ImportTables } from './tables/imports.ts';
import type { JobTables, StoredScheduledChange } from './tables/jobs.ts';
import type { KeyAndWebhookTables } from './tables/keys-and-webhooks.ts';
import type { PeopleTables } from './tables/people.ts';

export type { MovedReferences, MovedView } from './tables/duplicates.ts';
export type { StoredScheduledChange } from './tables/jobs.ts';
export type { StoredGrant, StoredViewColumn } from './tables/people.ts';

/** The tables in Kysely. `migrations/` is the source of truth; a test compares both. */
export interface Database
  extends BackgroundTables,
    DuplicateTables,
    ImportTables,
    JobTables,
    KeyAndWebhookTables,
    PeopleTables {
  office: OfficeTable;
  agent: AgentTable;
  team: TeamTable;
  /** Derived from `affiliations` of an agent by triggers. */
  agent_affiliation: {
    agent_id: string;
    affiliated_office_id: string;
    /** For lists in that order. */
    agent_created_at: Timestamp;
  };
  /** Derived from `members` of a team by triggers. */
  team_member: {
    team_id: string;
    agent_id: string;
  };
  /** Offices whose agents may have another place of work than is kept. */
  place_backlog: {
    id: Generated<string>;
    office_id: string;
  };
  /** One row, or none before the first setting is chosen. */
  directory_setting: {
    is_only: Generated<boolean>;
    /** For phone numbers without any other country; null for none. */
    default_country: string | null;
    /** The name of the directory; null for the usual one. */
    name: string | null;
    updated_at: Timestamp;
  };
  tombstone: {
    collection: string;
    id: string;
    /** As the API last returned it. */
    record: ColumnType<unknown, string, string>;
    deleted_at: Timestamp;
  };
  /** The response to a request with an Idempotency-Key. */
  idempotent_response: {
    actor_id: string;
    operation: string;
    key: string;
    input_hash: Buffer;
    response: ColumnType<unknown, string, string>;
    created_at: Timestamp;
  };
  /** Written in the transaction of the change (transactional outbox). */
  event: {
    /** In insertion order, which is not commit order. */
    id: Generated<string>;
    /** Null until the sequencer assigns it. */
    position: string | null;
    type: string;
    subject_id: string;
    version: number;
    occurred_at: Timestamp;
    /** Null if the service made the change. */
    actor_id: string | null;
    request_id: string | null;
    reason: string | null;
    /** After the change, or before a deletion; null after a purge. */
    record: ColumnType<unknown, string | null, never>;
    previous: ColumnType<Generated<unknown>, string | undefined, never>;
    /** Null if there are none. */
    details: ColumnType<unknown, string | null | undefined, never>;
  };
  /** Events of API keys and webhooks, which are read on request. */
  admin_event: {
    /** In one sequence with events of records. */
    position: string;
    type: string;
    subject_id: string;
    /** Counts the events of the subject. */
    version: number;
    occurred_at: Timestamp;
    actor_id: string | null;
    request_id: string | null;
    record: ColumnType<unknown, string, never>;
    previous: ColumnType<Generated<unknown>, string | undefined, never>;
  };
  /** One row. Purged records' events are erased up to the last column. */
  event_log: {
    is_only: Generated<boolean>;
    last_position: Generated<string>;
    compacted_to: Generated<string>;
    erased_to: Generated<string>;
  };
}

/** jsonb does not keep the order of keys. */
export interface StoredLicense {
  number: string;
  region: string | null;
  type: string | null;
  expiresOn: string | null;
}

type Licenses = ColumnType<StoredLicense[], string | undefined, string>;
type ScheduledChanges = ColumnType<StoredScheduledChange[], string | undefined, string>;
export interface StoredAffiliation {
  officeId: string;
  title: string | null;
  isVisible: boolean;
  since: string | null;
}

type Affiliations = ColumnType<StoredAffiliation[], string | undefined, string>;
type Metadata = ColumnType<Record<string, string>, string | undefined, string>;

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
  scheduled_changes: ScheduledChanges;
  search_text: Computed<string>;
  /** Materialised JSON, written by a trigger. */
  record: Computed<object | null>;
  /** The schema version of `record`. If null or not current, the JSON is rebuilt. */
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
  first_name: string | null;
  last_name: string | null;
  /** The name to sort by: the other one if this one is not set. */
  sorted_first_name: Computed<string>;
  sorted_last_name: Computed<string>;
  middle_name: string | null;
  nickname: string | null;
  name_prefix: string | null;
  name_suffix: string | null;
  /** Null for the default: first and last name. */
  display_name: string | null;
  title: string | null;
  type: string | null;
  office_id: string | null;
  affiliations: Affiliations;
  transferred_at: Timestamp | null;
  email: string | null;
  /** True only inside a transaction in which the agent takes an address before its holder has left it. */
  is_email_moving: Generated<boolean>;
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
  /** The place of work and the name of the office, kept by triggers (`migrations/baseline/places.ts`). */
  place_office_id: Computed<string | null>;
  place_city: Computed<string | null>;
  place_region: Computed<string | null>;
  place_postal_code: Computed<string | null>;
  place_country: Computed<string | null>;
  office_name: Computed<string | null>;
  bio: string | null;
}

export interface StoredMember {
  agentId: string;
  role:
    | 'lead'
    | 'member'
    | 'assistant'
    | 'buyer_agent'
    | 'listing_agent'
    | 'showing_agent'
    | 'lead_manager'
    | 'marketing_assistant'
    | 'operations_manager'
    | 'coordinator';
  title: string | null;
  since: string | null;
  until: string | null;
}

type Members = ColumnType<StoredMember[], string | undefined, string>;

export interface TeamTable extends RecordColumns, AddressColumns {
  name: string;
  description: string | null;
  mls_id: string | null;
  office_id: string | null;
  members: Members;
  phone: string | null;
  phone_ext: string | null;
  office_phone: string | null;
  office_phone_ext: string | null;
  mobile_phone: string | null;
  direct_phone: string | null;
  toll_free_phone: string | null;
  fax: string | null;
  email: string | null;
  website: string | null;
  social_links: Generated<string[]>;
}

export type OfficeRow = Selectable<OfficeTable>;
export type AgentRow = Selectable<AgentTable>;
export type TeamRow = Selectable<TeamTable>;

interface BackgroundTables {
  /** A notice given before a licence expires. */
  license_notice: {
    subject_id: string;
    license: ColumnType<unknown, string, never>;
    days_before: number;
    noticed_at: Timestamp;
  };
  /** Run by one server at a time; unlogged. */
  periodic_job: {
    name: string;
    /** The next run or the end of the current lease, by the clock of the database. */
    due_at: Timestamp;
  };
  /** One row. */
  directory_stats: {
    is_only: Generated<boolean>;
    counts: ColumnType<unknown, string, string>;
  };
  /** Unlogged. */
  running_server: {
    id: string;
    /** The name of the machine or the container. */
    host: string;
    pid: number;
    version: string;
    started_at: Timestamp;
    /** By the clock of the database. */
    seen_at: Timestamp;
  };
}
