import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FieldError } from '@roster/client';
import {
  BrokenRow,
  fieldPathOf,
  type Headers,
  headerOf,
  type Importable,
  type ReadRow,
  type RowError,
  type RowRecord,
  type Rows,
  recordOf,
  rowIdentityOf,
} from '@roster/import';
import { validateInput } from '../../input/validation.ts';
import type { Journal } from '../journal.ts';

/** The options of `validateRows`. */
export interface ValidateOptions {
  importable: Importable;
  /** The value of `--source`. */
  sourceName: string | undefined;
  /** Called with the fraction of the file that was read, from 0 to 1, and the number of rows. */
  progress: (share: number, rows: number) => void;
}

const ROWS_PER_YIELD = 200;

const states = new Set(['active', 'inactive']);

/** Validates a record against the schema of the import. */
async function schemaErrors({ record, source, id }: RowRecord, { name }: Importable): Promise<FieldError[]> {
  // A record with an id is updated, and may omit fields that a new one requires.
  if (source === undefined && id !== undefined)
    return (await validateInput(`${name}.update`, { ...record, id })).map((error) => ({
      ...error,
      pointer: `#/records/0${error.pointer?.slice(1)}`,
    }));
  return validateInput(`imports.${name}`, { records: [record] });
}

async function validateRow(read: ReadRow, row: RowRecord, { importable }: ValidateOptions, headers: Headers) {
  // A row that could not be parsed is not validated further.
  if (read.rowErrors.some(({ column }) => column === '')) return read.rowErrors;
  const rowErrorAt = (field: string, code: string, message: string): RowError => ({
    row: read.row,
    line: read.line,
    column: headerOf(headers, field),
    code,
    message,
  });
  const rowErrors = [
    ...read.rowErrors,
    ...row.rowErrors.map(({ field, code, message }) => rowErrorAt(field, code, message)),
  ];
  const { status } = row;
  if (status !== undefined && status !== null && !states.has(String(status)))
    rowErrors.push(rowErrorAt('status', 'invalid_choice', 'must be one of active, inactive'));
  // Cells that could not be parsed are missing in the record, so the schema would report them again.
  if (read.rowErrors.length > 0) return rowErrors;
  const errors = await schemaErrors(row, importable);
  return [
    ...rowErrors,
    ...errors.map(({ pointer, code, detail }) => rowErrorAt(fieldPathOf(pointer), code, detail)),
  ];
}

/** The key of a row without one: a hash of its values. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function add(
  journal: Journal,
  read: ReadRow,
  options: ValidateOptions,
  { headers }: Rows,
): Promise<void> {
  const { importable, sourceName } = options;
  const row = recordOf(read, importable, { sourceName, hashOf });
  const rowErrors = await validateRow(read, row, options, headers);
  journal.addRow({
    row: read.row,
    line: read.line,
    ...rowIdentityOf(row, importable),
    record: rowErrors.length > 0 ? null : JSON.stringify(row.record),
  });
  for (const rowError of rowErrors) journal.addRowError(rowError);
}

/** Writes all rows into the journal, with the errors that each row has by itself. */
export async function validateRows(
  rows: Rows,
  journal: Journal,
  options: ValidateOptions,
  signal: AbortSignal,
): Promise<void> {
  let count = 0;
  try {
    for await (const read of rows.rows) {
      signal.throwIfAborted();
      await add(journal, read, options, rows);
      count += 1;
      options.progress(read.share, count);
      // Yields to the event loop, so that Ctrl-C is handled.
      if (count % ROWS_PER_YIELD === 0) await setImmediate();
    }
  } catch (error) {
    if (!(error instanceof BrokenRow)) throw error;
    journal.addRowError(error.rowError);
  }
}
