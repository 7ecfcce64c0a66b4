import { CellParseError, parseMember } from './cell-values.ts';
import type { Column } from './columns.ts';
import { type FileColumn, overlaps, type UnknownColumn } from './header.ts';
import { findLostMembers } from './json-members.ts';
import { type ReadRow, ROW_MAX } from './rows.ts';

/** Interprets the name of a column; `why` explains why it is not a column. */
export type ColumnReader = (header: string) => FileColumn | UnknownColumn;

/** Reads the text of a member as the mapping says it. */
type Settle = (name: string, text: string, column: Column | undefined) => string;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The key in a member: a text, or a whole number that is the one in the file. Throws `CellParseError`. */
function keyOf(member: unknown): string {
  if (member === null) return '';
  if (typeof member === 'string' || Number.isSafeInteger(member)) return String(member);
  throw new CellParseError('must be a text, because it is the key of the row', 'invalid_type');
}

/** Parses a member of an object into the row. */
function readMember(
  read: ReadRow,
  [name, given]: [string, unknown],
  { columnOf, settle }: { columnOf: ColumnReader; settle: Settle },
): void {
  const { row, line, rowErrors } = read;
  const found = columnOf(name);
  const rowErrorOf = (code: string, message: string) => ({ row, line, column: name, code, message });
  if ('why' in found) {
    rowErrors.push(rowErrorOf('unknown_field', found.why));
    return;
  }
  const { column } = found;
  const member = typeof given === 'string' ? settle(name, given, column) : given;
  const before = column && read.values.find(([{ path }]) => overlaps(path, column.path))?.[0];
  if (before !== undefined) rowErrors.push(rowErrorOf('repeated', `sets ${before.field} again`));
  try {
    if (found.isKey) read.key = keyOf(member);
    if (column !== undefined) read.values.push([column, parseMember(member, column)]);
  } catch (error) {
    if (!(error instanceof CellParseError)) throw error;
    rowErrors.push(rowErrorOf(error.code, error.message));
  }
}

/** Parses a line of an NDJSON file, and returns its members too. Row and line numbers are equal. */
export function ndjsonRowOf(
  { text, row }: { text: string; row: number },
  columnOf: ColumnReader,
  settle: Settle,
): { read: ReadRow; members: [name: string, member: unknown][] } {
  const read: ReadRow = { row, line: row, values: [], key: undefined, rowErrors: [] };
  const whole = { row, line: row, column: '' };
  if (text.length > ROW_MAX) {
    read.rowErrors.push({
      ...whole,
      code: 'unreadable',
      message: `the line is longer than ${ROW_MAX} bytes`,
    });
    return { read, members: [] };
  }
  const object = parse(text);
  const members = isObject(object) ? Object.entries(object) : [];
  if (!isObject(object))
    read.rowErrors.push({ ...whole, code: 'unreadable', message: 'is not a JSON object' });
  else
    for (const { path, code, detail } of findLostMembers(text, object))
      read.rowErrors.push({ ...whole, column: path.join('.'), code, message: detail });
  for (const [name, member] of members) readMember(read, [name, member], { columnOf, settle });
  return { read, members };
}
