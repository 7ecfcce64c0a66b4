import { UnreadableCell, valueOfMember } from './cell-values.ts';
import { utf8Of } from './encoding.ts';
import type { ColumnReader } from './header.ts';
import type { InputFile } from './input-file.ts';
import { BrokenRow, type ReadRow, ROW_MAX, type Rows } from './rows.ts';

const NEWLINE = 0x0a;

/** The lines of a file, each with the bytes that were read when it ended. */
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

/** Reads a member of an object into the row. */
function readMember(read: ReadRow, [name, member]: [string, unknown], columnOf: ColumnReader): void {
  const { row, line, faults } = read;
  const found = columnOf(name);
  const faultOf = (code: string, reason: string) => ({ row, line, column: name, code, reason });
  if ('why' in found) {
    faults.push(faultOf('unknown_field', found.why));
    return;
  }
  if (found.isKey) read.key = member === null ? '' : String(member);
  const { column } = found;
  if (column === undefined) return;
  const isRepeated = read.values.some(([before]) => before.place === column.place);
  if (isRepeated) faults.push(faultOf('repeated', `says ${column.place} once more`));
  try {
    read.values.push([column, valueOfMember(member, column)]);
  } catch (error) {
    if (!(error instanceof UnreadableCell)) throw error;
    faults.push(faultOf('invalid_format', error.message));
  }
}

function rowOf({ text, row, share }: { text: string; row: number; share: number }, columnOf: ColumnReader) {
  const read: ReadRow = { row, line: row, values: [], key: undefined, faults: [], share };
  const whole = { row, line: row, column: '' };
  if (text.length > ROW_MAX) {
    const reason = `the line is longer than ${ROW_MAX} bytes; nothing after it can be read`;
    throw new BrokenRow({ ...whole, code: 'unreadable', reason });
  }
  const object = objectOf(text);
  if (object === undefined)
    read.faults.push({ ...whole, code: 'unreadable', reason: 'is not a JSON object' });
  else for (const member of Object.entries(object)) readMember(read, member, columnOf);
  return read;
}

/** The rows of a file with a JSON object on each line; row and line are the same, and empty lines are no rows. */
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
