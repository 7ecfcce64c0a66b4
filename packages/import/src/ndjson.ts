import type { FileColumn, UnknownColumn } from './header.ts';
import { findMembers, hasRepeatedMembers } from './json-members.ts';
import { BrokenRow, type ReadRow, ROW_MAX } from './rows.ts';
import { CellParseError, parseMember } from './values/cell-values.ts';

/** Interprets the name of a column; `why` explains why it is not a column. */
export type ColumnReader = (header: string) => FileColumn | UnknownColumn;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The places of names that objects in the line have twice, of which only the last member would be read. */
function findRepeated(text: string, value: unknown): Set<string> {
  if (!hasRepeatedMembers(text, value)) return new Set();
  const repeated = findMembers(text, ({ isRepeated }) => isRepeated);
  return new Set(repeated.map(({ path }) => path.join('.')));
}

/** Parses a member of an object into the row. */
function readMember(read: ReadRow, [name, member]: [string, unknown], columnOf: ColumnReader): void {
  const { row, line, rowErrors } = read;
  const found = columnOf(name);
  const rowErrorOf = (code: string, message: string) => ({ row, line, column: name, code, message });
  if ('why' in found) {
    rowErrors.push(rowErrorOf('unknown_field', found.why));
    return;
  }
  if (found.isKey) read.key = member === null ? '' : String(member);
  const { column } = found;
  if (column === undefined) return;
  const isRepeated = read.values.some(([before]) => before.field === column.field);
  if (isRepeated) rowErrors.push(rowErrorOf('repeated', `sets ${column.field} again`));
  try {
    read.values.push([column, parseMember(member, column)]);
  } catch (error) {
    if (!(error instanceof CellParseError)) throw error;
    rowErrors.push(rowErrorOf('invalid_format', error.message));
  }
}

/** Parses a line of an NDJSON file, and returns its members too. Row and line numbers are equal. Throws `BrokenRow` for one that is too long. */
export function ndjsonRowOf(
  { text, row }: { text: string; row: number },
  columnOf: ColumnReader,
  settle: (name: string, text: string) => string,
): { read: ReadRow; members: [name: string, member: unknown][] } {
  const read: ReadRow = { row, line: row, values: [], key: undefined, rowErrors: [] };
  const whole = { row, line: row, column: '' };
  if (text.length > ROW_MAX) {
    const message = `the line is longer than ${ROW_MAX} bytes; the rest of the file cannot be read`;
    throw new BrokenRow({ ...whole, code: 'unreadable', message });
  }
  const object = parse(text);
  const members = isObject(object) ? Object.entries(object) : [];
  if (!isObject(object))
    read.rowErrors.push({ ...whole, code: 'unreadable', message: 'is not a JSON object' });
  else
    for (const name of findRepeated(text, object))
      read.rowErrors.push({
        ...whole,
        column: name,
        code: 'repeated',
        message: 'is there twice in its object',
      });
  for (const [name, member] of members)
    readMember(read, [name, typeof member === 'string' ? settle(name, member) : member], columnOf);
  return { read, members };
}
