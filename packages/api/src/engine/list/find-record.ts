import { type Database, type Fragment, statement } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import { RawJson } from '../json/raw-json.ts';
import type { JsonShape } from '../json/record-json.ts';
import type { OfficeLimit } from '../office-limit.ts';
import type { Condition } from '../sql/filter.ts';
import { andMeets, limitFilter, shapeFor } from '../sql/limited-rows.ts';
import type { Listable } from './list-records.ts';

interface RecordRow {
  record: string;
  version?: string;
}

interface RecordStatement {
  of: Listable;
  shown: JsonShape<unknown>;
  isMaterialized: boolean;
  within: Fragment<Condition> | undefined;
}

const recordStatement = statement<RecordStatement, RecordRow>(
  ({ of, shown, isMaterialized, within }, param) => {
    const version = shown === of && of.isVersioned ? sql`, version::text as version` : sql``;
    const { materialized, record } = shapeFor(shown, { isLimited: within !== undefined, param });
    const stored = isMaterialized ? materialized : undefined;
    const isCurrent = stored === undefined ? sql`` : sql` and ${stored.isCurrent}`;
    return sql`
      select ${stored?.record ?? record} as record${version} from ${sql.table(of.table)}
      where id = ${param('id')}${isCurrent}${andMeets(within, param)}`;
  },
  { isReadOnly: true, lane: 'keys', isText: true },
);

interface One<Row> {
  id: string;
  limit: OfficeLimit | undefined;
  expanded?: JsonShape<Row> | undefined;
}

export async function findRecord<Row extends { id: string }>(
  db: Kysely<Database>,
  of: Listable<Row>,
  { id, limit, expanded }: One<Row>,
): Promise<RawJson<Row> | undefined> {
  const shown = expanded ?? of;
  const within = limitFilter(of, limit);
  const shape = { of, shown, within: within?.condition };
  const values = { id, ...within?.values };
  const isKept = shown.materialized !== undefined && (within === undefined || shown.limited === undefined);
  let [row] = await recordStatement({ ...shape, isMaterialized: isKept }).execute(db, values);
  if (row === undefined && isKept)
    [row] = await recordStatement({ ...shape, isMaterialized: false }).execute(db, values);
  if (row === undefined) return undefined;
  const { record, version } = row;
  return new RawJson([record], { version: version === undefined ? undefined : Number(version) });
}

export function noRecordError({ noun, table }: Pick<Listable, 'noun' | 'table'>, id: string): RosterError {
  return new RosterError('not_found', `No ${noun ?? table} has the ID ${id}.`);
}

/** Throws `not_found` if there is no such record within the limit. */
export async function requireRecord<Row extends { id: string }>(
  db: Kysely<Database>,
  listable: Listable<Row>,
  one: { id: string; limit: OfficeLimit | undefined },
): Promise<Row> {
  const record = await findRecord(db, listable, one);
  if (record === undefined) throw noRecordError(listable, one.id);
  return record.decode();
}
