import { recordVersions } from '@roster/db';
import type { Summary } from '@roster/db/backup';

/**
 * Describes the content of a backup: the time of its snapshot, the numbers of its offices, agents and events, and the number of
 * rows of all tables.
 */
export function formatSummary({ takenAt, rows }: Summary): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const count = (table: string) => (rows[table] ?? 0).toLocaleString('en');
  const named = Object.keys(recordVersions).map((table) => `${table}s ${count(table)}`);
  const records = [...named, `events ${count('event')}`].join(', ');
  return `the state of ${takenAt.toISOString()} (${records}; rows of all tables ${all.toLocaleString('en')})`;
}

/** A number of bytes in megabytes (10⁶ bytes): `12.3 MB`. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * The time since a moment: `1.5 s`.
 *
 * @param startedAt what `performance.now()` returned at that moment
 */
export function formatSecondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
