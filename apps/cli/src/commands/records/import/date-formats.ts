import type { ImportPreview } from '@roster/client';

/** The format of the days of a column. */
export type DateFormat = NonNullable<ImportPreview['columns'][number]['dates']>;

export const dateFormats: readonly DateFormat[] = ['iso', 'day-first', 'month-first', 'year-first'];
