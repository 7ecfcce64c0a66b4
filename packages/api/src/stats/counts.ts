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
  sql: (now: RawBuilder<unknown>) => RawBuilder<unknown>;
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
      joined30Days: count('Number of agents created in the last 30 days and not deleted', 3),
      licensesExpired: count(
        'Number of active agents whose `nextLicenseExpiresOn` is before today, in UTC',
        1,
      ),
      licensesNext60Days: count(
        'Number of active agents whose `nextLicenseExpiresOn` is within the next 60 days, including today',
        4,
      ),
    }),
  )
  .meta({ description: 'Counts by primary office, largest first', maxItems: OFFICES_MAX });

/** Some days from now, in UTC. */
export const dayFrom = (now: RawBuilder<unknown>, days: number): RawBuilder<unknown> =>
  sql`to_char((${now}::timestamptz at time zone 'UTC')::date + ${sql.lit(days)}::int, 'YYYY-MM-DD')`;

/** Same expression as the index on the earliest last day, and as the filter `licenseExpiresBefore`. */
export const expiry = sql`next_license_expiry(licenses) collate "C"`;

const byOfficeSql = (now: RawBuilder<unknown>) =>
  listOf(sql`
  select counted.office_id as "officeId", name, counted.active, counted.inactive, counted."joined30Days",
    counted."licensesExpired", counted."licensesNext60Days"
  from (
    select office_id, ${statusCounts}, count(*) as total,
      count(*) filter (where created_at > ${now}::timestamptz - interval '30 days') as "joined30Days",
      count(*) filter (where status = 'active' and ${expiry} < ${dayFrom(now, 0)}) as "licensesExpired",
      count(*) filter (where status = 'active' and ${expiry} >= ${dayFrom(now, 0)}
        and ${expiry} < ${dayFrom(now, 61)}) as "licensesNext60Days"
    from agent where office_id is not null
    group by office_id order by total desc, office_id limit ${sql.lit(OFFICES_MAX)}
  ) as counted join office on office.id = counted.office_id
  order by total desc, counted.office_id`);

const agentCounts = {
  shape: {
    withoutOffice: count('Number of agents without a primary office, active and inactive', 5),
    byOffice,
  },
  sql: (now) =>
    sql`'withoutOffice', (select count(*) from agent where office_id is null), 'byOffice', ${byOfficeSql(now)}`,
  columns: ['office_id'],
  regions: { country: 'place_country', region: 'place_region', isWithin: isPlaceWithin },
} satisfies OwnCounts;

/** Counts of one kind of record alone. */
export const ownCounts = {
  offices: undefined,
  agents: agentCounts,
  teams: undefined,
} as const satisfies Record<ResourceName, OwnCounts | undefined>;
