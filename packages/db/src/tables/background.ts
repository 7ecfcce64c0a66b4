import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

export interface BackgroundTables {
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
