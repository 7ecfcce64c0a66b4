import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** A change of many records, which runs in the background. */
export interface JobTable {
  id: string;
  resource: 'offices' | 'agents';
  status: 'queued' | 'running' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled';
  /** The filter that selected the records; null if it undoes another job. */
  filter: ColumnType<unknown, string | null, never>;
  /** What is done to each record; null if it undoes another job. */
  change: ColumnType<unknown, string | null, never>;
  /** The job that it undoes. */
  undoes: string | null;
  reason: string | null;
  /** The number of records. */
  total: number;
  /** The numbers of records that were changed, that had the values already, and that could not be changed. */
  changed: Generated<number>;
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
}

/** The ids of some records of a job, in their order. */
export interface JobBatchTable {
  job_id: string;
  /** From 0, in the order in which they are done. */
  number: number;
  ids: string[];
  /** Those that the job has changed. */
  changed: Generated<string[]>;
}

/** Why a record of a job was not changed. */
export interface JobErrorTable {
  job_id: string;
  /** The id of the record. */
  id: string;
  code: string;
  detail: string;
  created_at: Timestamp;
}
