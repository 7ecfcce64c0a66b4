import type { ColumnType } from 'kysely';

/** `timestamptz(3)`, because JavaScript's dates have milliseconds, and cursors compare them. */
export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export type Computed<T> = ColumnType<T, never, never>;
