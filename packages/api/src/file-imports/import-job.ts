import type { ResourceName } from '../directory.ts';
import type { OfficeLimit } from '../resources/office-limit.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';

/** The rows and the bytes of records of one batch, which is checked, and written, in one transaction. */
export const BATCH = { rows: 500, bytes: 2 * 1024 * 1024 };

/** The job of an import, whose file is read. */
export interface ReadJob {
  id: string;
  resource: ResourceName;
  now: Date;
}

/** The same, whose rows are checked or written. */
export interface RowsJob extends ReadJob {
  /** The number of the batch. */
  batch: number;
  cause: ChangeCause;
  /** The offices to which its records are limited; undefined for all. */
  limit: OfficeLimit | undefined;
  /** The country of telephones without a country code, if the address of a record names none. */
  defaultCountry: string;
}
