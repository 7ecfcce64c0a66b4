import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { count } from './fields/schemas.ts';

export const byStatus = (what: string) => ({
  active: count(`Active ${what}`, 1140),
  inactive: count(`Inactive ${what}`, 67),
});

export const statusCounts = sql`count(*) filter (where status = 'active') as active, count(*) filter (where status = 'inactive') as inactive`;

export function listOf(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(listed), '[]') from (${rows}) as listed)`;
}

export interface OwnStats {
  shape: z.ZodRawShape;
  sql: RawBuilder<unknown>;
  columns: readonly string[];
  /** The columns with the regions of records, if they are not those of the address. */
  regions?: {
    country: string;
    region: string;
    /** Whether a row's region may be seen under a limit. */
    isWithin: (offices: RawBuilder<unknown>) => RawBuilder<boolean>;
  };
}
