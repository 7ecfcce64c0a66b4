import type { Database } from '@roster/db';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { definitionOf } from '../directory/registry.ts';
import { nameKeySql, withoutCaseSql } from '../engine/sameness/sql.ts';
import type { FileSettings } from './file-format.ts';
import { batchLinked } from './link-rows.ts';
import { importRules } from './rules.ts';
import { BATCH, type FileFormats, insertErrors, type NewError, type ReadJob } from './stored-import.ts';

type Found = Pick<NewError, 'row' | 'line' | 'value'> & { other: number };

async function reject(
  trx: Transaction<Database>,
  { id }: ReadJob,
  errors: readonly NewError[],
): Promise<void> {
  if (errors.length === 0) return;
  await insertErrors(trx, { id, stage: 'compare' }, errors);
  const rejected = errors.map(({ row }) => row);
  await trx
    .updateTable('import_row')
    .set({ outcome: 'error' })
    .where('import_id', '=', id)
    .where((row) => row('row', '=', row.fn.any(row.val(rejected))))
    .execute();
}

/** The rows whose value in a column is that of an earlier row, but for those that are items of one record. */
async function findRepeated(
  trx: Transaction<Database>,
  id: string,
  name: 'source' | 'record_id' | 'email',
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select row, line, value, other from (
      select row, line, ${sql.ref(name)} as value,
        first_value(row) over (partition by ${sql.ref(name)} order by row) as other
      from import_row where import_id = ${id} and ${sql.ref(name)} is not null and item_rows is null
    ) as compared where row <> other`.execute(trx);
  return rows;
}

/** The key of a source, as the file has it. */
const keyOf = (source: string | null) => (JSON.parse(source ?? '[]') as string[])[1] ?? null;

/** The rows that can still be written. */
const isOpen = (row: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${row}.outcome`)} is distinct from 'error'`;

/**
 * Counts how many offices of the file are above that of each row, and returns the rows that are above themselves. A row that
 * is in no circle is reached from one without an office of the file above it.
 */
async function placeBelow(trx: Transaction<Database>, id: string): Promise<Found[]> {
  const { rows } = await sql<Found>`
    with recursive placed (row, source, level) as (
      select top.row, top.source, 0 from import_row as top
      where top.import_id = ${id} and ${isOpen('top')} and (top.main is null or not exists (
        select from import_row as above
        where above.import_id = ${id} and above.source = top.main and ${isOpen('above')}))
      union all
      select below.row, below.source, placed.level + 1
      from placed join import_row as below
        on below.import_id = ${id} and below.main = placed.source and ${isOpen('below')}
    ), moved as (
      update import_row set level = placed.level from placed
      where import_row.import_id = ${id} and import_row.row = placed.row and placed.level > 0
    )
    select row, line, main as value, row as other from import_row
    where import_id = ${id} and ${isOpen('import_row')} and main is not null and row not in (select row from placed)
    order by row`.execute(trx);
  return rows;
}

/**
 * Puts rows into other batches: those of offices that are above others come first.
 *
 * @param areMoved the rows; they come after the batches of all others
 */
export async function batchByLevel(
  trx: Transaction<Database>,
  id: string,
  areMoved: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with measured as (
      select row, level,
        (row_number() over levels - 1) / ${sql.lit(BATCH.rows)} as rows,
        sum(octet_length(record::text)) over levels / ${sql.lit(BATCH.bytes)} as bytes
      from import_row where import_id = ${id} and ${areMoved} window levels as (partition by level order by row)
    ), numbered as (
      select row, dense_rank() over (order by level, greatest(rows, bytes)) - 1 + (
        select coalesce(max(batch) + 1, 0) from import_row
        where import_id = ${id} and (${areMoved}) is not true
      ) as batch from measured
    )
    update import_row set batch = numbered.batch from numbered
    where import_id = ${id} and import_row.row = numbered.row`.execute(trx);
  await countBatches(trx, id);
}

/** Notes the number of batches that rows are in. */
async function countBatches(trx: Transaction<Database>, id: string): Promise<void> {
  await sql`
    update job set batches = (select coalesce(max(batch) + 1, 0) from import_row where import_id = ${id})
    where id = ${id}`.execute(trx);
}

/**
 * Compares the rows of a file with each other: rejects those that repeat what identifies a record, and offices that are above
 * themselves. Rows that pass on email addresses to each other come into one batch. The job has its batches then.
 */
export async function compareRows(
  trx: Transaction<Database>,
  job: ReadJob,
  { settings, formats }: { settings: FileSettings; formats: FileFormats },
): Promise<void> {
  const { id, resource } = job;
  const { parent, uniqueBy } = definitionOf(resource);
  const columnOf = (field: string) => formats.columnOf(resource, settings, field);
  const repeated = (found: readonly Found[], field: string): NewError[] =>
    found.map(({ other, ...row }) => ({
      ...row,
      column: columnOf(field),
      code: 'repeated',
      detail: `is also that of row ${other}`,
    }));
  const contradictions = await joinItems(trx, job, columnOf);
  const sources = await findRepeated(trx, id, 'source');
  const errors = [
    ...contradictions,
    ...repeated(
      sources.map((row) => ({ ...row, value: keyOf(row.value) })),
      'source.key',
    ),
    ...repeated(await findRepeated(trx, id, 'record_id'), 'id'),
    ...(uniqueBy.includes('email') ? repeated(await findRepeated(trx, id, 'email'), 'email') : []),
  ];
  await reject(trx, job, errors);
  await reject(trx, job, await batchLinked(trx, job, columnOf('email')));
  if (parent?.isTree) {
    const { officeNames = {} } = importRules[resource];
    const [source = parent.field] = Object.keys(officeNames).filter(
      (field) => officeNames[field] === 'source',
    );
    const circular = await placeBelow(trx, id);
    const detail = 'is this office, or an office below it';
    const column = columnOf(source);
    await reject(
      trx,
      job,
      circular.map(({ other: _, value, ...row }) => ({
        ...row,
        value: keyOf(value),
        column,
        code: 'cycle',
        detail,
      })),
    );
    await batchByLevel(trx, id, sql`outcome is null`);
  }
  await countBatches(trx, id);
}

/** A row that says of its record something else than an earlier one. */
interface Contradiction {
  row: number;
  line: number;
  field: string;
  value: string | null;
  other: number;
}

/**
 * Joins the rows of a file that are items of a list of one record: the first has all of them then, with the numbers of their rows, and
 * the others are no rows by themselves. Rows are of one record if they have its source, its id, or its name and email address.
 *
 * @returns the errors of rows that say of the record something else than an earlier one, which are not joined
 */
async function joinItems(
  trx: Transaction<Database>,
  { id, resource }: ReadJob,
  columnOf: (field: string) => string,
): Promise<NewError[]> {
  const { itemRows } = importRules[resource];
  const { nameParts } = definitionOf(resource);
  if (itemRows === undefined) return [];
  const list = sql.lit(itemRows.field);
  const textOf = (field: string) => sql`normalize(record ->> ${sql.lit(field)}, nfc)`;
  const name = nameKeySql(sql`concat_ws(' ', ${sql.join(nameParts.map(textOf))})`);
  const email = sql`${withoutCaseSql(textOf('email'))} collate "C"`;
  const { rows } = await sql<Contradiction>`
    with keyed as (
      select row, line, record::jsonb as record, coalesce(
        source, record_id, nullif(concat_ws(' ', ${name}, ${email}), '')
      ) as key
      from import_row where import_id = ${id} and outcome is null and item_rows is not null
    ), placed as (
      select *, first_value(row) over of_record as first, first_value(record) over of_record as shared
      from keyed where key is not null window of_record as (partition by key order by row)
    ), contradictions as (
      select row, line, first as other, own.key as field, own.value #>> '{}' as value
      from placed cross join lateral jsonb_each(record - ${list}) as own
      where row <> first and own.value <> 'null' and own.value is distinct from shared -> own.key
    ), joined as (
      select first, max(row) as last, json_agg(item order by row) as items, json_agg(json_build_array(row, line) order by row) as rows
      from placed cross join lateral jsonb_array_elements(record -> ${list}) as item
      where row not in (select row from contradictions) group by first
    ), merged as (
      update import_row set item_rows = joined.rows, record = jsonb_set(import_row.record::jsonb, array[${list}], joined.items::jsonb)::json
      from joined where import_id = ${id} and import_row.row = joined.first and joined.last > joined.first
    ), gone as (
      delete from import_row where import_id = ${id} and row in (
        select row from placed where row <> first and row not in (select row from contradictions)
      ) returning row
    ), counted as (
      update job set total = total - (select count(*) from gone) where id = ${id}
    )
    select row, line, field, value, other from contradictions order by row`.execute(trx);
  return rows.map(({ row, line, field, value, other }) => ({
    row,
    line,
    column: columnOf(field),
    value,
    code: 'contradicts',
    detail: `differs from row ${other} for the same record`,
  }));
}
