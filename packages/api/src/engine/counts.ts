import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { count } from './fields/schemas.ts';

/** The schemas and the SQL of counts by status, which the counts of all resources have. */

/** The numbers of active and inactive records. */
export const byStatus = (what: string) => ({
  active: count(`Active ${what}`, 1140),
  inactive: count(`Inactive ${what}`, 67),
});

/** The columns of these numbers. */
export const statusCounts = sql`count(*) filter (where status = 'active') as active, count(*) filter (where status = 'inactive') as inactive`;

/** The rows of a select as a JSON array, empty if there are none. */
export function listOf(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(listed), '[]') from (${rows}) as listed)`;
}

/** Counts of the directory that are about one resource alone: their schemas, and their SQL by the same names. */
export interface OwnStats {
  shape: z.ZodRawShape;
  sql: RawBuilder<unknown>;
  /** The columns that it reads beside those that are counted of every resource. */
  columns: readonly string[];
}
