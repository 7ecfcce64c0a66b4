import { setImmediate } from 'node:timers/promises';
import type { FieldError } from '@roster/client';
import { faultsOf } from '../../input/validation.ts';
import type { Importable } from '../importable.ts';
import type { Ledger } from '../journal.ts';
import { BrokenRow, type Fault, type Headers, headerOf, type ReadRow, type Rows } from '../read/rows.ts';
import { type RowRecord, recordOf, type Source } from './row-record.ts';

/** What reading needs to know. */
export interface Reading {
  importable: Importable;
  /** The name of `--source`. */
  sourceName: string | undefined;
  /** Is told how much of the file has been read, from 0 to 1, and how many rows. */
  progress: (share: number, rows: number) => void;
}

/** A source as one text, to compare it by. */
function sourceText({ name, key }: Source): string {
  return JSON.stringify([name, key]);
}

/** The place in a record that a pointer into a call names: `#/records/3/address/city` is `address.city`. */
export function placeOf(pointer: string | undefined): string {
  const [, , , ...path] = (pointer ?? '').split('/');
  return path.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')).join('.');
}

const ROWS_BETWEEN_PAUSES = 200;

const states = new Set(['active', 'inactive']);

/** What the schema of an import says of a record. */
async function schemaFaults({ record, source, id }: RowRecord, { name }: Importable): Promise<FieldError[]> {
  // A record that its id names is changed, which may leave out what a new one needs.
  if (source === undefined && id !== undefined)
    return (await faultsOf(`${name}.update`, { ...record, id })).map((error) => ({
      ...error,
      pointer: `#/records/0${error.pointer?.slice(1)}`,
    }));
  return faultsOf(`imports.${name}`, { records: [record] });
}

async function judge(read: ReadRow, row: RowRecord, { importable }: Reading, headers: Headers) {
  // Of a row that could not be read nothing more is known.
  if (read.faults.some(({ column }) => column === '')) return read.faults;
  const faultAt = (place: string, code: string, reason: string): Fault => ({
    row: read.row,
    line: read.line,
    column: headerOf(headers, place),
    code,
    reason,
  });
  const faults = [
    ...read.faults,
    ...row.faults.map(({ place, code, reason }) => faultAt(place, code, reason)),
  ];
  const { status } = row;
  if (status !== undefined && status !== null && !states.has(String(status)))
    faults.push(faultAt('status', 'invalid_choice', 'must be one of active, inactive'));
  // What could not be read is left out of the record, so that its schema would miss it.
  if (read.faults.length > 0) return faults;
  const errors = await schemaFaults(row, importable);
  return [...faults, ...errors.map(({ pointer, code, detail }) => faultAt(placeOf(pointer), code, detail))];
}

function mainOf({ record }: RowRecord, { name, officeSource }: Importable): string | null {
  const main = record[officeSource] as Partial<Source> | undefined;
  if (name !== 'offices' || typeof main?.name !== 'string' || typeof main.key !== 'string') return null;
  return sourceText({ name: main.name, key: main.key });
}

async function add(ledger: Ledger, read: ReadRow, reading: Reading, { headers }: Rows): Promise<void> {
  const { importable, sourceName } = reading;
  const row = recordOf(read, importable, sourceName);
  const faults = await judge(read, row, reading, headers);
  const { record, source, id, status } = row;
  const email = importable.isEmailUnique && typeof record.email === 'string' ? record.email : null;
  ledger.addRow({
    row: read.row,
    line: read.line,
    source: source === undefined ? null : sourceText(source),
    id: id?.toLowerCase() ?? null,
    email: email?.trim().toLowerCase() ?? null,
    main: mainOf(row, importable),
    status: typeof status === 'string' ? status : null,
    record: faults.length > 0 ? null : JSON.stringify(record),
  });
  for (const fault of faults) ledger.addFault(fault);
}

/** Reads all rows into the ledger, with what is wrong with each of them by itself. */
export async function readRows(
  rows: Rows,
  ledger: Ledger,
  reading: Reading,
  signal: AbortSignal,
): Promise<void> {
  let count = 0;
  try {
    for await (const read of rows.rows) {
      signal.throwIfAborted();
      await add(ledger, read, reading, rows);
      count += 1;
      reading.progress(read.share, count);
      // Nothing of this waits for anything, and Ctrl-C is to be heard.
      if (count % ROWS_BETWEEN_PAUSES === 0) await setImmediate();
    }
  } catch (error) {
    if (!(error instanceof BrokenRow)) throw error;
    ledger.addFault(error.fault);
  }
}
