import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { definitionOf } from '../directory/registry.ts';
import { nameKeySql, withoutCaseSql } from '../engine/sameness/sql.ts';
import type { NewError } from './row-errors.ts';
import { importRules } from './rules.ts';
import type { ReadJob } from './stored-import.ts';

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
export async function joinItems(
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
