import type { Summary } from '@roster/db/backup';

/** What a backup holds, in words: its moment, records and rows. */
export function inWords({ takenAt, rows }: Summary): string {
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const count = (table: string) => (rows[table] ?? 0).toLocaleString('en');
  const records = `offices ${count('office')}, agents ${count('agent')}, events ${count('event')}`;
  return `the state of ${takenAt.toISOString()} (${records}; rows of all tables ${all.toLocaleString('en')})`;
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
