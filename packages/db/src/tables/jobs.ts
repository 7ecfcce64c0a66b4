import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** The tables of jobs and of scheduled changes. */
export interface JobTables {
  /** A change of many records, which runs in the background. */
  job: {
    id: string;
    resource: string;
    status: 'queued' | 'running' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled';
    /** The filter that selected the records; null if it undoes another job. */
    filter: ColumnType<unknown, string | null, never>;
    /** The change of each record; null if the job undoes another one. */
    change: ColumnType<unknown, string | null, never>;
    /** The job that it undoes. */
    undoes: string | null;
    reason: string | null;
    /** The number of records. */
    total: number;
    /** The numbers of records that were changed, that had the values already, and that could not be changed. */
    changed: Generated<number>;
    /** Of the changed records those of which some fields could not be changed. */
    partly_changed: Generated<number>;
    unchanged: Generated<number>;
    rejected: Generated<number>;
    batches: number;
    /** The number of the batch that is next; all before it are done. */
    next_batch: Generated<number>;
    created_at: Timestamp;
    created_by: string | null;
    request_id: string | null;
    started_at: Timestamp | null;
    /** When a server last took a batch of it; the job that has waited longest is next. */
    worked_at: Timestamp;
    /** The offices that who started it is limited to, with their branches; null for all. */
    office_ids: Generated<string[] | null>;
    finished_at: Timestamp | null;
    /** Why it failed, as an error code and in words; null if it has not. */
    failure_code: Generated<string | null>;
    failure_detail: Generated<string | null>;
  };
  /** The ids of some records of a job, in their order. */
  job_batch: {
    job_id: string;
    /** From 0, in the order in which they are done. */
    number: number;
    ids: string[];
    /** Those that the job has changed. */
    changed: Generated<string[]>;
  };
  /** Why a record of a job was not changed. */
  job_error: {
    job_id: string;
    /** The id of the record. */
    id: string;
    code: string;
    detail: string;
    /** The fields that an undo keeps, each with its values. */
    fields: ColumnType<unknown, string, never>;
    created_at: Timestamp;
  };
  /** A change of an office or an agent that happens at a time. */
  scheduled_change: {
    id: string;
    resource: string;
    subject_id: string;
    change: StoredScheduledChange['change'];
    effective_at: Timestamp;
    /** The office that a transfer leads to. */
    office_id: string | null;
    /** Whether the active agents of an office are deactivated with it. */
    is_cascade: Generated<boolean>;
    reason: string | null;
    status: Generated<'pending' | 'done' | 'failed' | 'cancelled'>;
    /** The API key of the request that scheduled it. */
    scheduled_by: string;
    scheduled_at: Timestamp;
    /** The number of attempts that failed for a cause that may pass. */
    attempts: Generated<number>;
    /** When it is tried: at its time, and after an attempt that failed later. */
    due_at: Timestamp;
    finished_at: Timestamp | null;
    /** Why it failed, as an error code and in words. */
    error_code: string | null;
    error: string | null;
    /** The offices to which who scheduled it was limited, with their branches; null for all. */
    office_ids: Generated<string[] | null>;
  };
}

/** One scheduled change in `scheduled_changes`. */
export interface StoredScheduledChange {
  id: string;
  change: 'deactivate' | 'reactivate' | 'transfer' | 'transfer_agents';
  effectiveAt: string;
  officeId: string | null;
  reason: string | null;
  scheduledBy: string;
  scheduledAt: string;
}
