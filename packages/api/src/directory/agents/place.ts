import { fragment } from '@roster/db';
import { type RawBuilder, sql } from 'kysely';
import { partColumn } from '../../engine/fields/columns.ts';
import { addressParts } from '../../engine/fields/composite.ts';
import type { ComputedValue } from '../../engine/list/cursor.ts';
import { type Asked, equals, equalsWithoutCase } from '../../engine/list/filters.ts';
import { isWithin } from '../../engine/office-limit.ts';
import { withoutCaseSql } from '../../engine/sameness/sql.ts';
import type { Condition, Filter } from '../../engine/sql/filter.ts';
import { LIMIT_OFFICES } from '../../engine/sql/limited-rows.ts';
import type { WorkPlace } from './schemas.ts';

/**
 * The place of work of an agent: the agent's own address, else that of the office, else that of the nearest
 * office above. The database keeps it in columns (`baseline/places.ts`). Under a limit, the address of an
 * office that is out of it is no place.
 */

/** The last of the searched fields, because `agent_text_within` leaves it out. */
export const searchedPlace = {
  columns: ['place_office_id', 'place_city'],
  text: (row: string) =>
    `case when ${row}.place_office_id is not null then replace(${row}.place_city, '|', ' ') end`,
};

export const isPlaceWithin = (offices: RawBuilder<unknown>) =>
  sql<boolean>`(agent.place_office_id is null or ${isWithin(sql.ref('agent.place_office_id'), offices)})`;

function addressOf(table: 'agent' | 'office'): RawBuilder<unknown> {
  return sql.join(
    Object.keys(addressParts).map(
      (part) => sql`${sql.lit(part)}, ${sql.ref(`${table}.${partColumn('address', part)}`)}`,
    ),
  );
}

/** The whole address, or null; `officeId` is the office whose address it is, or null if it is the agent's own. */
export function placeRecord(offices?: RawBuilder<unknown>): RawBuilder<WorkPlace | null> {
  const own = Object.keys(addressParts).map((part) => sql.ref(`agent.${partColumn('address', part)}`));
  const ofOffice = offices === undefined ? sql`` : sql` and ${isWithin(sql.ref('office.id'), offices)}`;
  return sql<WorkPlace | null>`case
    when agent.place_office_id is not null then (
      select json_build_object('officeId', office.id, ${addressOf('office')})
      from office where office.id = agent.place_office_id${ofOffice})
    when num_nonnulls(${sql.join(own)}) > 0 then json_build_object('officeId', null, ${addressOf('agent')}) end`;
}

/** The last character of the collation: agents without a place come after all cities. */
const AFTER_ALL_CITIES = '\uffff';

/** Same expression as the index, which filters and sorts. */
const keptCity = (city: RawBuilder<unknown>) =>
  sql`coalesce(${withoutCaseSql(city)}, ${sql.lit(AFTER_ALL_CITIES)})`;

const placeCity = sql.ref('place_city');
const cityOfPlace = fragment(() => keptCity(placeCity));

const cityOrder: ComputedValue = {
  value: keptCity(placeCity),
  limited: (offices) => keptCity(sql`case when ${isPlaceWithin(offices)} then ${placeCity} end`),
  position: withoutCaseSql,
  ordered: (city) => city,
};

export const placeSort = { city: cityOrder };

type PlaceColumn = 'place_city' | 'place_region' | 'place_postal_code' | 'place_country';

const isPlace = fragment<{ column: PlaceColumn; isOne: boolean; isLimited: boolean }, Condition>(
  ({ column, isOne, isLimited }, param) => {
    const is =
      column === 'place_city' || column === 'place_postal_code'
        ? equalsWithoutCase({ column, isOne, ...(column === 'place_city' && { of: cityOfPlace({}) }) })
        : equals({ column, isOne, type: 'text' });
    if (!isLimited) return is.sql(param);
    return sql`(${is.sql(param)} and ${isPlaceWithin(param(LIMIT_OFFICES))})`;
  },
);

const byPlace =
  (column: PlaceColumn) =>
  (values: string[], { isLimited }: Asked): Filter => {
    const isOne = values.length === 1;
    return {
      condition: isPlace({ column, isOne, isLimited }),
      ...(isOne && { one: column }),
      values: { [column]: isOne ? values[0] : values },
    };
  };

export const placeFilters = {
  city: byPlace('place_city'),
  region: byPlace('place_region'),
  postalCode: byPlace('place_postal_code'),
  country: byPlace('place_country'),
};
