import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { isPlaceWithin } from '../directory/agents/place.ts';
import type { ResourceName } from '../directory/registry.ts';
import { returnedId } from '../engine/fields/field.ts';
import { count } from '../engine/fields/schemas.ts';

export const byStatus = (what: string) => ({
  active: count(`Active ${what}`, 1140),
  inactive: count(`Inactive ${what}`, 67),
});

export const statusCounts = sql`count(*) filter (where status = 'active') as active, count(*) filter (where status = 'inactive') as inactive`;

export function listOf(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(listed), '[]') from (${rows}) as listed)`;
}

export interface OwnCounts {
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

export const OFFICES_MAX = 100;

const byOffice = z
  .array(
    z.strictObject({
      officeId: returnedId("ID of the agents' primary office"),
      name: z.string().meta({ description: 'Name of the office', example: 'Atlântico Imóveis' }),
      ...byStatus('agents'),
    }),
  )
  .meta({ description: 'Counts by primary office, largest first', maxItems: OFFICES_MAX });

const byOfficeSql = listOf(sql`
  select counted.office_id as "officeId", name, counted.active, counted.inactive
  from (
    select office_id, ${statusCounts}, count(*) as total from agent where office_id is not null
    group by office_id order by total desc, office_id limit ${sql.lit(OFFICES_MAX)}
  ) as counted join office on office.id = counted.office_id
  order by total desc, counted.office_id`);

const agentCounts = {
  shape: {
    withoutOffice: count('Number of agents without a primary office, active and inactive', 5),
    byOffice,
  },
  sql: sql`'withoutOffice', (select count(*) from agent where office_id is null), 'byOffice', ${byOfficeSql}`,
  columns: ['office_id'],
  regions: { country: 'place_country', region: 'place_region', isWithin: isPlaceWithin },
} satisfies OwnCounts;

/** Counts of one kind of record alone. */
export const ownCounts = {
  offices: undefined,
  agents: agentCounts,
  teams: undefined,
} as const satisfies Record<ResourceName, OwnCounts | undefined>;
