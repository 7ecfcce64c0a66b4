import { sql } from 'kysely';
import { z } from 'zod';
import { byStatus, listOf, statusCounts } from '../../engine/counts.ts';
import { answeredId } from '../../engine/fields/field.ts';
import { count } from '../../engine/fields/schemas.ts';
import { isPlaceWithin } from './place.ts';

export const OFFICES_MAX = 100;

const byOffice = z
  .array(
    z.strictObject({
      officeId: answeredId("ID of the agents' primary office"),
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

export const agentStats = {
  shape: {
    withoutOffice: count('Number of agents without a primary office, active and inactive', 5),
    byOffice,
  },
  sql: sql`'withoutOffice', (select count(*) from agent where office_id is null), 'byOffice', ${byOfficeSql}`,
  columns: ['office_id'],
  regions: { country: 'place_country', region: 'place_region', isWithin: isPlaceWithin },
};
