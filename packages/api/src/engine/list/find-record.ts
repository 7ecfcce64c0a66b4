import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import { RawJson } from '../json/raw-json.ts';
import type { OfficeLimit } from '../office-limit.ts';
import { andMeets, limitFilter, shapeFor } from '../sql/limited-rows.ts';
import type { Listable } from './list-records.ts';

interface RecordRow {
  record: string;
  /** The version of the record; absent for what has none. */
  version?: string;
}

const findStatements = compiledVariants<RecordRow>({ isReadOnly: true, isShort: true, isText: true });

/** The row of one record, or undefined if there is none within the limit. */
async function recordRow(
  db: Kysely<Database>,
  listable: Listable,
  { id, limit }: { id: string; limit: OfficeLimit | undefined },
): Promise<RecordRow | undefined> {
  const { table, materialized, isVersioned = false } = listable;
  const within = limitFilter(listable, limit);
  const name = [listable.name, within?.shape].join(' ');
  const values = { id, ...within?.values };
  const version = () => (isVersioned ? sql`, version::text as version` : sql``);
  const isOwnShape = within === undefined || listable.limited === undefined;
  if (materialized !== undefined && isOwnShape) {
    const statement = findStatements(
      `materialized ${name}`,
      (param) => sql`
        select ${materialized.record} as record${version()} from ${sql.table(table)}
        where id = ${param('id')} and ${materialized.isCurrent}${andMeets(within, param)}`,
    );
    const [row] = await statement.execute(db, values);
    if (row !== undefined) return row;
  }
  const statement = findStatements(
    name,
    (param) => sql`
      select ${shapeFor(listable, within, param).record} as record${version()} from ${sql.table(table)}
      where id = ${param('id')}${andMeets(within, param)}`,
  );
  const [row] = await statement.execute(db, values);
  return row;
}

/** One record, or undefined if there is none, or none that a caller with this limit may see. */
export async function findRecord<Row extends { id: string }>(
  db: Kysely<Database>,
  listable: Listable<Row>,
  one: { id: string; limit: OfficeLimit | undefined },
): Promise<RawJson<Row> | undefined> {
  const row = await recordRow(db, listable, one);
  if (row === undefined) return undefined;
  const { record, version } = row;
  return new RawJson([record], { version: version === undefined ? undefined : Number(version) });
}

/** The error that a list has no row with an id. */
export function noRecordError({ noun, table }: Pick<Listable, 'noun' | 'table'>, id: string): RosterError {
  return new RosterError('not_found', `No ${noun ?? table} has the ID ${id}.`);
}

/** One record. Throws `not_found` if there is none, or none that a caller with this limit may see. */
export async function requireRecord<Row extends { id: string }>(
  db: Kysely<Database>,
  listable: Listable<Row>,
  one: { id: string; limit: OfficeLimit | undefined },
): Promise<Row> {
  const record = await findRecord(db, listable, one);
  if (record === undefined) throw noRecordError(listable, one.id);
  return record.decode();
}
