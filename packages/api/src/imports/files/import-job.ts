import type { ResourceName } from '../../directory.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import type { CountrySources } from '../../engine/write/telephone-countries.ts';

/** The rows and the bytes of records of one batch, which is checked, and written, in one transaction. */
export const BATCH = { rows: 500, bytes: 2 * 1024 * 1024 };

/** The job of an import, whose file is read. */
export interface ReadJob {
  id: string;
  resource: ResourceName;
  now: Date;
}

/** The same, whose rows are checked or written. */
export interface RowsJob extends ReadJob, CountrySources {
  batch: number;
  cause: ChangeCause;
}

/** The reader of files, which a process loads with the first of them: most processes read none. */
export type FileFormats = typeof import('./formats.ts');
