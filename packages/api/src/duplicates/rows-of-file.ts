import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { DirectoryResource } from '../directory.ts';
import { withIndexes } from '../resources/write/transaction.ts';
import {
  type ComparedRecord,
  compareWithOthers,
  type Others,
  type Profiles,
  readProfiles,
  withKeys,
} from './candidates.ts';
import { type Reason, SCORE_DEFAULT } from './score.ts';

type Resource = DirectoryResource<{ id: string }>;
type Trx = Transaction<Database>;

/** A row of a file that would create a record, by its number. */
interface FileRow {
  row: number;
  /** Validated, with telephones in E.164. */
  record: object;
}

/** An earlier row that a row of the same file looks like. */
export interface RowLookAlike {
  row: number;
  name: string;
  score: number;
  reasons: Reason[];
}

/** The rows of a file are compared with each other and with those of no other file. */
const scopeOf = ({ name }: Resource, importId: string) => `${name} ${importId}`;

/** Reads what is compared of rows that would create records. A new record has no id: the number of its row stands for it. */
export function readRowProfiles(resource: Resource, rows: readonly FileRow[]): Profiles {
  return readProfiles(
    resource,
    rows.map(({ row, record }) => ({ ...record, id: String(row) })),
  );
}

/** The name of a record as it would be created, which has the one that it is given, or that of its parts. */
function nameOf({ nameField, imports }: Resource, record: ComparedRecord): string {
  return String(record[nameField] ?? imports.nameFields.map((field) => record[field]).join(' '));
}

/** Keeps the rows of a batch that would create records, for `compareRowsOfFile`, until `forgetRows`. */
export async function keepRows(
  trx: Trx,
  resource: Resource,
  {
    importId,
    batch,
    rows,
    profiles,
  }: { importId: string; batch: number; rows: readonly FileRow[]; profiles: Profiles },
): Promise<void> {
  if (rows.length === 0) return;
  const { keys } = withKeys(scopeOf(resource, importId), profiles);
  const kept = rows.map((one) => ({ ...one, keys: [...(keys.get(String(one.row)) ?? new Map()).keys()] }));
  await sql`
    insert into compared_row (import_id, batch, row, keys, record)
    select ${importId}, ${batch}::int, row, keys, record
    from json_to_recordset(${JSON.stringify(kept)}::json) as given (row int, keys bigint[], record json)
    on conflict do nothing`.execute(trx);
}

export async function forgetRows(trx: Trx, importId: string): Promise<void> {
  await sql`delete from compared_row where import_id = ${importId}`.execute(trx);
}

/**
 * Compares the rows of batches that were kept with all rows of the same file that were kept by now.
 *
 * @returns for rows that look like an earlier one which those are
 */
export async function compareRowsOfFile(
  trx: Trx,
  resource: Resource,
  { importId, first, count }: { importId: string; first: number; count: number },
): Promise<Map<number, RowLookAlike[]>> {
  await withIndexes(trx);
  const read = async (which: RawBuilder<unknown>) => {
    const { rows } = await sql<{ row: number; record: object }>`
      select row, record from compared_row where import_id = ${importId} and ${which}`.execute(trx);
    return new Map(
      rows.map(({ row, record }): [string, ComparedRecord] => [String(row), { ...record, id: String(row) }]),
    );
  };
  const own = await read(sql`batch between ${first}::int and ${first + count - 1}::int`);
  const others: Others = {
    table: 'compared_row',
    id: 'row',
    read: (numbers) => read(sql`row = any(${numbers}::int[])`),
    profilesOf: (records) => readProfiles(resource, records.values()),
  };
  const compared = withKeys(scopeOf(resource, importId), readProfiles(resource, own.values()));
  const alike = await compareWithOthers(trx, resource, { ...compared, isStored: true, others });
  const found = new Map<number, RowLookAlike[]>();
  for (const { id, other, score, reasons } of alike) {
    if (score < SCORE_DEFAULT) continue;
    const isLater = Number(id) > Number(other.id);
    const [earlier, later] = isLater ? [other, Number(id)] : [own.get(id), Number(other.id)];
    const name = earlier === undefined ? '' : nameOf(resource, earlier);
    const row = Number(earlier?.id);
    found.set(later, [...(found.get(later) ?? []), { row, name, score, reasons }]);
  }
  return found;
}
