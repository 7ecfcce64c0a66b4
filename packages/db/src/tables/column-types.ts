import type { ColumnType } from 'kysely';

/** `timestamptz(3)`: milliseconds, because JavaScript's dates are not more precise, and cursors compare them. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;

/** A column that the database computes and that is never written. */
export type Computed<T> = ColumnType<T, never, never>;
