import type { Database } from '@roster/db';
import type { CellFault } from '@roster/import/files';
import { type RawBuilder, sql, type Transaction } from 'kysely';

export type NewError = CellFault & { row: number; line: number };

/** The numbers of the errors of one row, by when they are found. */
const stages = { read: 0, compare: 0x1000, check: 0x2000, write: 0x3000 };
type Stage = keyof typeof stages;

const hex = (number: number, length: number) => number.toString(16).padStart(length, '0');

/** The id of a row of a file, by which it is listed in the order of the file. */
export function rowId(row: number): string {
  return `${hex(row, 8)}-0000-8000-8000-000000000000`;
}

/** The id of an error of a row, in the order in which they were found. */
function errorId(row: number, number: number): string {
  return `${hex(row, 8)}-0000-8000-8000-${hex(number, 12)}`;
}

/** The id that no error of a row comes after, by the id of the row. */
export function lastErrorId(row: RawBuilder<unknown>): RawBuilder<string> {
  return sql`overlay(${row}::text placing 'ffffffffffff' from 25)::uuid`;
}

/** The longest value of a cell that an error shows. */
const VALUE_MAX = 500;

/** The numbers of the errors that rows have by comparison with others. */
export const isOfComparison = sql<boolean>`right(id::text, 12) between ${sql.lit(hex(stages.compare, 12))} and ${sql.lit(hex(stages.check - 1, 12))}`;

/**
 * Inserts errors of rows, each with the text of its cell. All have the time of the import, so that they are in the order of the rows.
 */
export async function insertErrors(
  trx: Transaction<Database>,
  { id, stage }: { id: string; stage: Stage },
  errors: readonly NewError[],
): Promise<void> {
  if (errors.length === 0) return;
  const numbers = new Map<number, number>();
  const values = errors.map(({ value, ...error }) => {
    const number = numbers.get(error.row) ?? 0;
    numbers.set(error.row, number + 1);
    return { ...error, id: errorId(error.row, stages[stage] + number), value };
  });
  await sql`
    insert into import_error (import_id, id, created_at, row, line, "column", value, code, detail)
    select ${id}::uuid, given.id, job.created_at, given.row, given.line, "column",
      left(nullif(coalesce(import_row.corrections ->> "column", import_row.cells ->> (array_position(headers, "column") - 1), value), ''),
        ${sql.lit(VALUE_MAX)}),
      code, detail
    from json_to_recordset(${JSON.stringify(values)}::json) as given (
      id uuid, row int, line int, "column" text, value text, code text, detail text)
    cross join (select created_at from job where id = ${id}) as job
    cross join (
      select array(select json_array_elements_text(settings -> 'headers')) as headers from import where id = ${id}
    ) as file
    left join import_row on import_row.import_id = ${id} and import_row.row = given.row`.execute(trx);
}
