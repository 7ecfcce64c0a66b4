import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { definitionOf } from '../directory/registry.ts';
import { withoutCaseSql } from '../engine/sameness/sql.ts';
import { withIndexes } from '../engine/write/transaction.ts';
import { linkedSets } from '../records/linked-sets.ts';
import { BATCH, type NewError, type ReadJob } from './stored-import.ts';

const UUID = String.raw`^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$`;

interface Place {
  row: number;
  line: number;
  email: string | null;
  bytes: number;
}

/**
 * Notes the address that each row from the first one on takes from its record, by the record as it is now. It is for some rows at
 * a time, because it looks up the record of each.
 */
export async function noteLeftEmails(
  trx: Transaction<Database>,
  { id, resource }: ReadJob,
  firstRow: number,
): Promise<void> {
  const { table, uniqueBy } = definitionOf(resource);
  if (!uniqueBy.includes('email')) return;
  const read = sql`select import_row.row, ${withoutCaseSql(sql`held.email`)} as email from import_row`;
  const named = sql.table(table);
  const sources = sql`(source::json ->> 0, source::json ->> 1)`;
  const isLeaving = sql`import_id = ${id} and row >= ${firstRow} and outcome is null
        and import_row.record -> 'email' is not null and held.email is not null
        and ${withoutCaseSql(sql`held.email`)} is distinct from ${withoutCaseSql(sql`import_row.email`)}`;
  // The record of each row is looked up, also if the tables were analysed when they were empty.
  await withIndexes(trx);
  const { rows } = await sql<{ row: number; email: string }>`
    ${read} cross join lateral (
      select email from ${named} where (source_name, source_key) = ${sources} limit 1
    ) as held
    where source is not null and ${isLeaving}
    union all
    ${read} cross join lateral (
      select survivor.email from record_merge as merged join ${named} as survivor on survivor.id = merged_into(duplicate_id)
      where collection = ${resource} and undone_at is null and (merged.source_name, merged.source_key) = ${sources} limit 1
    ) as held
    where source is not null and ${isLeaving}
    union all
    ${read} cross join lateral (
      select email from ${named} where id = (case when record_id ~ ${UUID} then record_id::uuid end) limit 1
    ) as held
    where record_id is not null and ${isLeaving}`.execute(trx);
  if (rows.length === 0) return;
  await sql`
    update import_row set left_email = leaving.email
    from json_to_recordset(${JSON.stringify(rows)}::json) as leaving (row int, email text)
    where import_id = ${id} and import_row.row = leaving.row`.execute(trx);
}

/** The rows with an email address that a row takes from its record: those that take it, and those that want it. */
interface Link {
  rows: number[];
  /** Whether one of them is to be checked. */
  isOpen: boolean;
}

async function findLinks(trx: Transaction<Database>, { id }: ReadJob): Promise<Link[]> {
  const canWrite = sql`import_id = ${id} and outcome is distinct from 'error'`;
  const { rows: some } = await sql`
    select from import_row where ${canWrite} and left_email is not null limit 1`.execute(trx);
  if (some.length === 0) return [];
  // Grouped and not joined: a plan for a table of other imports could compare each row with each other one.
  const { rows } = await sql<Link>`
    select json_agg(row) as rows, bool_or(is_open) as "isOpen" from (
      select row, left_email collate "C" as email, true as is_left, outcome is null as is_open
      from import_row where ${canWrite} and left_email is not null
      union all
      select row, email collate "C", false, outcome is null from import_row where ${canWrite} and email is not null
    ) as named
    group by email having bool_or(is_left) and count(*) > 1`.execute(trx);
  return rows;
}

/** Gives each set of rows to one batch, together with others as long as there is room. */
function batchesOf(sets: readonly (readonly Place[])[], first: number) {
  let [batch, rows, bytes] = [first, 0, 0];
  return sets.flatMap((set) => {
    const size = set.reduce((sum, place) => sum + place.bytes, 0);
    if (rows > 0 && (rows + set.length > BATCH.rows || bytes + size > BATCH.bytes))
      [batch, rows, bytes] = [batch + 1, 0, 0];
    [rows, bytes] = [rows + set.length, bytes + size];
    return set.map(({ row }) => ({ row, batch, linked_to: set[0]?.row }));
  });
}

/**
 * Puts rows into one batch that pass on email addresses to each other, because only together they leave every address to one
 * record. Returns the errors of those that are too many for a batch.
 */
export async function batchLinked(
  trx: Transaction<Database>,
  job: ReadJob,
  column: string,
): Promise<NewError[]> {
  const { id } = job;
  if (!definitionOf(job.resource).uniqueBy.includes('email')) return [];
  const links = await findLinks(trx, job);
  const open = new Set(links.flatMap(({ rows, isOpen }) => (isOpen ? rows : [])));
  const sets = linkedSets(links.map(({ rows }) => rows)).filter((set) => set.some((row) => open.has(row)));
  if (sets.length === 0) return [];
  const { rows } = await sql<Place & { next: number }>`
    select row, line, email, octet_length(record::text) as bytes,
      (select max(batch) + 1 from import_row where import_id = ${id}) as next
    from import_row where import_id = ${id} and row = any(${sets.flat()}) order by row`.execute(trx);
  const places = new Map(rows.map((place) => [place.row, place]));
  const placed = sets.map((set) =>
    set.sort((one, other) => one - other).flatMap((row) => places.get(row) ?? []),
  );
  const fitting = placed.filter((set) => set.length <= BATCH.rows);
  const batches = batchesOf(fitting, rows[0]?.next ?? 0);
  await sql`
    update import_row set batch = given.batch, linked_to = given.linked_to, outcome = null
    from json_to_recordset(${JSON.stringify(batches)}::json) as given (row int, batch int, linked_to int)
    where import_id = ${id} and import_row.row = given.row`.execute(trx);
  const tooMany = placed.filter((set) => set.length > BATCH.rows);
  return tooMany.flatMap((set) =>
    set.map(({ row, line, email: value }) => {
      const detail = `is one of ${set.length.toLocaleString('en-US')} that agents pass on to each other; at most ${BATCH.rows} can depend on each other`;
      return { row, line, column, value, code: 'too_many', detail };
    }),
  );
}
