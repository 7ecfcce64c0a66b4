import { compiledVariants, type Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { BinaryString } from '../json/binary-string.ts';
import { RawJson } from '../json/raw-json.ts';
import type { Listable } from './list-records.ts';

interface RecordRow {
  record: BinaryString;
  /** The version of the record; absent for what has none. */
  version?: BinaryString;
}

const findStatements = compiledVariants<RecordRow>({ isReadOnly: true, isBinary: true });

/** The row of one record, or undefined if there is none. */
async function recordRow(
  db: Kysely<Database>,
  { name, table, record, materialized, isVersioned = false }: Listable,
  id: string,
): Promise<RecordRow | undefined> {
  const version = isVersioned ? sql`, version::text as version` : sql``;
  if (materialized !== undefined) {
    const statement = findStatements(
      `materialized ${name}`,
      (param) => sql`
        select ${materialized.record} as record${version} from ${sql.table(table)}
        where id = ${param('id')} and ${materialized.isCurrent}`,
    );
    const [row] = await statement.execute(db, { id });
    if (row !== undefined) return row;
  }
  const statement = findStatements(
    name,
    (param) => sql`select ${record} as record${version} from ${sql.table(table)} where id = ${param('id')}`,
  );
  const [row] = await statement.execute(db, { id });
  return row;
}

/** One record, or undefined if there is none. */
export async function findRecord<Row extends { id: string }>(
  db: Kysely<Database>,
  listable: Listable<Row>,
  id: string,
): Promise<RawJson<Row> | undefined> {
  const row = await recordRow(db, listable, id);
  if (row === undefined) return undefined;
  const { record, version } = row;
  return new RawJson([record], { version: version === undefined ? undefined : Number(version) });
}
