import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { definitionOf } from '../../directory.ts';
import { withoutCaseSql } from '../../engine/sameness/sql.ts';
import { linkedSets } from '../../records/linked-sets.ts';
import { BATCH, type ReadJob } from './import-job.ts';
import type { NewError } from './row-errors.ts';

const UUID = String.raw`^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$`;

interface Place {
  row: number;
  line: number;
  email: string | null;
  bytes: number;
}

/** The rows with each email address that a record has and gives up in the file, and the rows that give it up. */
async function findLinks(trx: Transaction<Database>, { id, resource }: ReadJob): Promise<number[][]> {
  const { table } = definitionOf(resource);
  const folded = (email: string) => sql`${withoutCaseSql(sql.ref(email))} collate "C"`;
  const given = sql`select given.row, ${folded('holder.email')} as email
      from import_row as given join ${sql.table(table)} as holder`;
  const isGiven = sql`given.import_id = ${id} and given.outcome is null and given.record -> 'email' is not null
        and ${folded('holder.email')} is distinct from ${folded('given.email')}`;
  const { rows } = await sql<{ rows: number[] }>`
    with given as (
      ${given} on (source_name, source_key) = (given.source::json ->> 0, given.source::json ->> 1)
      where given.source is not null and ${isGiven}
      union all
      ${given} on holder.id = (case when given.record_id ~ ${UUID} then given.record_id::uuid end)
      where given.record_id is not null and ${isGiven}
    ), named as (
      select row, email, true as is_given from given where email is not null
      union all
      select row, ${folded('email')}, false from import_row
      where import_id = ${id} and outcome is null and email is not null
    )
    select json_agg(row order by row) as rows from named group by email having bool_or(is_given) and count(*) > 1`.execute(
    trx,
  );
  return rows.map((link) => link.rows);
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
  const sets = linkedSets(await findLinks(trx, job));
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
    update import_row set batch = given.batch, linked_to = given.linked_to
    from json_to_recordset(${JSON.stringify(batches)}::json) as given (row int, batch int, linked_to int)
    where import_id = ${id} and import_row.row = given.row`.execute(trx);
  const tooMany = placed.filter((set) => set.length > BATCH.rows);
  return tooMany.flatMap((set) =>
    set.map(({ row, line, email: value }) => {
      const detail = `is one of ${set.length.toLocaleString('en-US')} that agents pass on to each other; at most ${BATCH.rows} can be passed on in one file`;
      return { row, line, column, value, code: 'too_many', detail };
    }),
  );
}
