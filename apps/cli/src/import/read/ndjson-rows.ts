import { CellParseError, parseMember } from './cell-values.ts';
import { utf8Of } from './encoding.ts';
import type { ColumnReader } from './header.ts';
import type { InputFile } from './input-file.ts';
import { BrokenRow, type ReadRow, ROW_MAX, type Rows } from './rows.ts';

const NEWLINE = 0x0a;

/** The lines of a file, each with the offset of its end in bytes. */
function* linesOf(pieces: Iterable<Buffer>): Generator<{ text: string; end: number }> {
  let held: Buffer[] = [];
  let [heldLength, end] = [0, 0];
  const taken = (last: Buffer) => {
    const text = Buffer.concat([...held, last]).toString();
    held = [];
    heldLength = 0;
    return text;
  };
  for (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      yield { text: taken(piece.subarray(from, at)), end: end + at + 1 };
      from = at + 1;
    }
    end += piece.length;
    const rest = piece.subarray(from);
    heldLength += rest.length;
    if (heldLength > ROW_MAX) yield { text: taken(rest), end };
    else if (rest.length > 0) held.push(Buffer.from(rest));
  }
  if (held.length > 0) yield { text: taken(Buffer.alloc(0)), end };
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
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

function rowOf({ text, row, share }: { text: string; row: number; share: number }, columnOf: ColumnReader) {
  const read: ReadRow = { row, line: row, values: [], key: undefined, rowErrors: [], share };
  const whole = { row, line: row, column: '' };
  if (text.length > ROW_MAX) {
    const message = `the line is longer than ${ROW_MAX} bytes; the rest of the file cannot be read`;
    throw new BrokenRow({ ...whole, code: 'unreadable', message });
  }
  const object = objectOf(text);
  if (object === undefined)
    read.rowErrors.push({ ...whole, code: 'unreadable', message: 'is not a JSON object' });
  else for (const member of Object.entries(object)) readMember(read, member, columnOf);
  return read;
}

/** Reads the rows of an NDJSON file. Row and line numbers are equal; empty lines are skipped. */
export function readNdjson(
  input: InputFile,
  { encoding, columnOf }: { encoding: string; columnOf: ColumnReader },
): Rows {
  async function* rows(): AsyncGenerator<ReadRow> {
    let row = 0;
    for (const { text, end } of linesOf(utf8Of(input.path, encoding))) {
      row += 1;
      const line = row === 1 ? text.replace(/^\uFEFF/, '') : text;
      const share = Math.min(1, end / input.size);
      if (line.trim() !== '') yield rowOf({ text: line, row, share }, columnOf);
    }
  }
  return { rows: rows(), headers: new Map() };
}
