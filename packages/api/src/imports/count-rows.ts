import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { batchByLevel } from './compare-rows.ts';
import { type Import, type ImportFindings, MANY, type WarningKind, warningKinds } from './schemas.ts';
import { isOfComparison, type StoredImport } from './stored-import.ts';

/** Counts rows by their outcomes. */
const countRows = (areCounted: RawBuilder<unknown>) => sql`
  select
    count(*) filter (where outcome = 'created')::int as created, count(*) filter (where outcome = 'updated')::int as updated,
    count(*) filter (where outcome = 'unchanged')::int as unchanged, count(*) filter (where outcome = 'error')::int as errors,
    count(*) filter (where outcome = 'warning')::int as warnings, count(*) filter (where outcome = 'skipped')::int as skipped
  from import_row where ${areCounted}`;

/** Adds rows to the numbers of an import and of its job. A check changes nothing. */
async function addRows(
  trx: Transaction<Database>,
  { id, step }: { id: string; step: Import['step'] },
  areAdded: RawBuilder<unknown>,
): Promise<void> {
  const changed = step === 'write' ? sql`counted.created + counted.updated` : sql`0`;
  const unchanged =
    step === 'write' ? sql`counted.unchanged` : sql`counted.created + counted.updated + counted.unchanged`;
  await sql`
    with counted as materialized (${countRows(sql`import_id = ${id} and ${areAdded}`)}), added as (
      update import set
        created = import.created + counted.created, updated = import.updated + counted.updated,
        unchanged = import.unchanged + counted.unchanged, errors = import.errors + counted.errors,
        skipped = import.skipped + counted.skipped
      from counted where import.id = ${id}
    )
    update job set
      changed = job.changed + ${changed}, unchanged = job.unchanged + ${unchanged}, rejected = job.rejected + counted.errors,
      worked_at = clock_timestamp()
    from counted where job.id = ${id}`.execute(trx);
}

/** Puts the job of an import at the beginning of a step. The rows in no batch could not be read: they have errors. */
export async function startStep(
  trx: Transaction<Database>,
  { id, step }: { id: string; step: Import['step'] },
): Promise<void> {
  const none = { created: 0, updated: 0, unchanged: 0, errors: 0, warnings: 0, skipped: 0 };
  await trx
    .updateTable('import')
    .set({ step, ...none })
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('job')
    .set({ status: 'running', finished_at: null, next_batch: 0, changed: 0, unchanged: 0, rejected: 0 })
    .where('id', '=', id)
    .execute();
  await addRows(trx, { id, step }, sql`batch is null`);
}

/** Counts the rows of the next batches, which are done. */
export async function endBatches(
  trx: Transaction<Database>,
  { id, step, first, count }: { id: string; step: Import['step']; first: number; count: number },
): Promise<void> {
  const next = first + count;
  await trx.updateTable('job').set({ next_batch: next }).where('id', '=', id).execute();
  await addRows(trx, { id, step }, sql`batch between ${first} and ${next - 1}`);
}

/** The kinds of warnings that one row is enough for. */
const ofOneRow: ReadonlySet<WarningKind> = new Set(['renames', 'clears', 'damaged', 'guessed', 'notRecord']);

const countOf = (kind: WarningKind) =>
  sql`count(*) filter (where outcome <> 'error' and ${sql.lit(kind)} = any(warnings))::int as ${sql.ref(kind)}`;

/** Whether a row certainly is an existing record. */
const isCertain = sql<boolean>`(look_alikes -> 0 ->> 'isCertain')::boolean`;

/** Counts the rows of an import by what the check says of them. */
async function findFindings(
  trx: Transaction<Database>,
  { id, hasKeyColumn }: { id: string; hasKeyColumn: boolean },
): Promise<ImportFindings> {
  const { rows } = await sql<Omit<ImportFindings, 'warnings' | 'isUpdateSuggested'> & { total: number }>`
    select
      (
        select coalesce(json_object_agg(field, count order by field), '{}') from (
          select field, count(*)::int as count from import_row cross join unnest(cleared) as field
          where import_id = ${id} and outcome <> 'error' group by field
        ) as counted
      ) as "clearedFields",
      count(*)::int as total,
      ${sql.join(warningKinds.map(countOf))},
      count(*) filter (where outcome = 'created' and source is null and record_id is null)::int as "createdWithoutKey",
      count(*) filter (
        where outcome = 'created' and source is null and record_id is null and record ->> 'email' is null and item_rows is null
      )::int as "createdWithoutEmail",
      count(*) filter (
        where outcome in ('updated', 'unchanged') and matched_by in ('email', 'emailAndName', 'name')
      )::int as "matchedByEmail",
      count(*) filter (where outcome = 'created' and json_array_length(look_alikes) > 0)::int as "lookAlikes",
      count(*) filter (where outcome = 'created' and ${isCertain})::int as "certainLookAlikes",
      (select coalesce(json_agg(json_build_object('country', country, 'rows', rows) order by rows desc, country), '[]') from (
        select phone_country as country, count(*)::int as rows from import_row
        where import_id = ${id} and phone_country is not null group by phone_country
      ) as counted) as "phoneCountries"
    from import_row where import_id = ${id}`.execute(trx);
  const { total, ...found } = rows[0] as (typeof rows)[number];
  const many = Math.max(MANY.count, MANY.share * total);
  const warnings = warningKinds.filter((kind) => found[kind] >= (ofOneRow.has(kind) ? 1 : many));
  return { ...found, warnings, isUpdateSuggested: hasKeyColumn && found.certainLookAlikes > 0 };
}

/**
 * Stores what the check of an import has found, and counts all its rows: those with warnings wait until these are accepted or
 * skipped.
 */
export async function storeFindings(
  trx: Transaction<Database>,
  { id, hasKeyColumn }: { id: string; hasKeyColumn: boolean },
): Promise<void> {
  const findings = await findFindings(trx, { id, hasKeyColumn });
  await sql`
    update import_row set outcome = 'warning'
    where import_id = ${id} and outcome <> 'error' and warnings && ${findings.warnings}::text[]`.execute(trx);
  await sql`
    update import set findings = ${JSON.stringify(findings)}, created = counted.created, updated = counted.updated,
      unchanged = counted.unchanged, errors = counted.errors, warnings = counted.warnings
    from (${countRows(sql`import_id = ${id}`)}) as counted where import.id = ${id}`.execute(trx);
}

/** The obstacles to writing an import: errors that are not skipped, and warnings that are neither accepted nor skipped. */
export function findOpen({
  errors,
  findings,
  acceptWarnings,
  skip,
}: Pick<StoredImport, 'errors' | 'findings' | 'acceptWarnings' | 'skip'>): ('errors' | WarningKind)[] {
  const open = [...(errors > 0 ? (['errors'] as const) : []), ...(findings?.warnings ?? [])];
  return open.filter((kind) => !acceptWarnings.includes(kind) && !skip.includes(kind));
}

/** Puts the job of an import back into its check, with rows without an outcome, which are read and checked again. */
async function checkAgain(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`
    delete from import_error where import_id = ${id} and row in (
      select row from import_row where import_id = ${id} and batch is null and outcome is null)`.execute(trx);
  await sql`
    update import set findings = null, created = counted.created, updated = counted.updated,
      unchanged = counted.unchanged, errors = counted.errors, warnings = counted.warnings
    from (${countRows(sql`import_id = ${id}`)}) as counted where import.id = ${id}`.execute(trx);
  await sql`
    update job set status = 'running', finished_at = null, failure_code = null, failure_detail = null, worked_at = clock_timestamp(),
      rejected = (select errors from import where import.id = job.id),
      next_batch = (select coalesce(max(batch) + 1, 0) from import_row where import_id = job.id)
    where id = ${id}`.execute(trx);
}

/** Checks rows again that certainly are existing records, as updates of these. Returns whether there are any. */
export async function updateLookAlikes(trx: Transaction<Database>, id: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update import_row set same_as = (look_alikes -> 0 ->> 'recordId')::uuid, batch = null, outcome = null
    where import_id = ${id} and outcome in ('created', 'warning') and same_as is null and ${isCertain}
      and not exists (
        select from import_row as other
        where other.import_id = ${id} and other.row <> import_row.row and (
          other.subject_id = (import_row.look_alikes -> 0 ->> 'recordId')::uuid
          or (other.row < import_row.row and other.look_alikes -> 0 ->> 'recordId' = import_row.look_alikes -> 0 ->> 'recordId'))
      )`.execute(trx);
  if (numAffectedRows === 0n) return false;
  await checkAgain(trx, id);
  return true;
}

/**
 * Corrects cells of an import whose check has ended: rows are checked again whose cells change, and those that depend on them. Returns
 * for each correction whether a row has the text that it is about, corrected already or not.
 */
export async function correctCells(
  trx: Transaction<Database>,
  { id, headers }: { id: string; headers: readonly string[] },
  corrections: readonly {
    column: string;
    value: string;
    text: string | null;
    rows?: readonly number[] | undefined;
  }[],
): Promise<boolean[]> {
  let count = 0n;
  const found: boolean[] = [];
  for (const { column, value, text, rows } of corrections) {
    const place = headers.indexOf(column);
    const cell =
      place < 0
        ? sql`(case when record is not null then (cells ->> 0)::json ->> ${column} end)`
        : sql`cells ->> ${sql.lit(place)}`;
    const own = sql`coalesce(${cell}, '') = ${value}`;
    const corrected = sql`corrections ->> ${column}`;
    const isNamed = rows === undefined ? sql`true` : sql`row = any(${[...rows]}::int[])`;
    const isRestored = text === null || text === value;
    const isChanged =
      text === null
        ? sql`${own} and ${corrected} is not null`
        : sql`coalesce(${corrected}, ${cell}, '') = ${value}`;
    const changed = isRestored
      ? sql`corrections::jsonb - ${column}::text`
      : sql`corrections::jsonb || jsonb_build_object(${column}::text, ${text}::text)`;
    const { numAffectedRows = 0n } = await sql`
      update import_row set corrections = (${changed})::json, batch = null, outcome = null, same_as = null
      where import_id = ${id} and ${isNamed} and ${isChanged}`.execute(trx);
    count += numAffectedRows;
    const { rows: some } =
      await sql`select from import_row where import_id = ${id} and ${isNamed} and ${own} limit 1`.execute(
        trx,
      );
    found.push(numAffectedRows > 0n || some.length > 0);
  }
  if (count === 0n) return found;
  // Errors by comparison with other rows may be mended by these, and offices below one that was rejected.
  await sql`
    update import_row set batch = null, outcome = null
    where import_id = ${id} and outcome = 'error' and (
      exists (
        select from import_error as error
        where error.import_id = ${id} and error.row = import_row.row and (code in ('rejected', 'cycle') or ${isOfComparison})
      ) or main in (select source from import_row where import_id = ${id} and batch is null and outcome is null)
    )`.execute(trx);
  await checkAgain(trx, id);
  return found;
}

/** Leaves out the rows with some warnings, or that look like an existing record, and starts to write the others. */
export async function startWriting(
  trx: Transaction<Database>,
  { id, skip, isTree }: { id: string; skip: readonly string[]; isTree: boolean },
): Promise<void> {
  const isAlike = sql`json_array_length(look_alikes) > 0`;
  const areAlikeSkipped = sql.lit(skip.includes('lookAlikes'));
  if (skip.some((kind) => kind !== 'errors'))
    await sql`
      update import_row set outcome = 'skipped'
      where import_id = ${id} and outcome <> 'error'
        and (warnings && ${skip}::text[] or (${areAlikeSkipped} and ${isAlike}))`.execute(trx);
  if (isTree) await batchByLevel(trx, id, sql`outcome in ('created', 'updated', 'unchanged', 'warning')`);
  await startStep(trx, { id, step: 'write' });
}
