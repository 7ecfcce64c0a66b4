import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** The tables of what runs without a request. */
export interface BackgroundTables {
  /** That a licence of an office or an agent was noticed before it expires. */
  license_notice: {
    subject_id: string;
    license: ColumnType<unknown, string, never>;
    /** The threshold: so many days before its last day. */
    days_before: number;
    noticed_at: Timestamp;
  };
  /** A job that one server at a time runs; unlogged. */
  periodic_job: {
    name: string;
    /** When the next run is due, or the lease of the current one ends, by the clock of the database. */
    due_at: Timestamp;
  };
  /** One row: the counts of the directory that were made last. */
  directory_stats: {
    is_only: Generated<boolean>;
    /** As the API returns them. */
    counts: ColumnType<unknown, string, string>;
  };
  /** A server that runs; unlogged. */
  running_server: {
    /** One for each start. */
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
