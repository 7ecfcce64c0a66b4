import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

type Patch = Record<string, unknown>;

export interface JobTables {
  job: {
    id: string;
    resource: string;
    status: 'queued' | 'running' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled';
    /** Null if the job undoes another. */
    filter: ColumnType<unknown, string | null, never>;
    /** Null if the job undoes another. */
    change: ColumnType<unknown, string | null, never>;
    undoes: string | null;
    reason: string | null;
    total: number;
    /** Numbers of records that changed, already had the values, or failed. */
    changed: Generated<number>;
    /** Changed records that kept some fields. */
    partly_changed: Generated<number>;
    unchanged: Generated<number>;
    rejected: Generated<number>;
    batches: number;
    /** All earlier batches are done. */
    next_batch: Generated<number>;
    created_at: Timestamp;
    created_by: string | null;
    request_id: string | null;
    started_at: Timestamp | null;
    /** The last time a server took a batch. The longest waiting job is next. */
    worked_at: Timestamp;
    /** The limit of who started it; null for none. */
    office_ids: Generated<string[] | null>;
    finished_at: Timestamp | null;
    /** Null unless it failed. */
    failure_code: Generated<string | null>;
    failure_detail: Generated<string | null>;
  };
  job_batch: {
    job_id: string;
    /** From 0, in order. */
    number: number;
    ids: string[];
    changed: Generated<string[]>;
  };
  job_error: {
    job_id: string;
    id: string;
    code: string;
    detail: string;
    fields: ColumnType<unknown, string, never>;
    created_at: Timestamp;
  };
  scheduled_change: {
    id: string;
    resource: string;
    subject_id: string;
    change: StoredScheduledChange['change'];
    effective_at: Timestamp;
    office_id: string | null;
    is_cascade: Generated<boolean>;
    /** The fields of an update, as a merge patch; otherwise null. */
    patch: ColumnType<Patch | null, string | null | undefined, never>;
    /** The job that scheduled it; null for one that was scheduled alone. */
    job_id: Generated<string | null>;
    reason: string | null;
    status: Generated<'pending' | 'done' | 'failed' | 'cancelled'>;
    scheduled_by: string;
    scheduled_at: Timestamp;
    /** Temporary failures. */
    attempts: Generated<number>;
    /** The time of the change, or later after a failed attempt. */
    due_at: Timestamp;
    finished_at: Timestamp | null;
    error_code: string | null;
    error: string | null;
    /** The limit of who scheduled it; null for none. */
    office_ids: Generated<string[] | null>;
  };
}

export interface StoredScheduledChange {
  id: string;
  change: 'deactivate' | 'reactivate' | 'transfer' | 'transfer_agents' | 'update';
  effectiveAt: string;
  officeId: string | null;
  fields: string[];
  jobId: string | null;
  reason: string | null;
  scheduledBy: string;
  scheduledAt: string;
}
