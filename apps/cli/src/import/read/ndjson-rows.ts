import { type ColumnReader, ndjsonRowOf, type ReadRow, ROW_MAX, type Rows } from '@roster/import';
import { utf8Of } from './encoding.ts';
import type { InputFile } from './input-file.ts';

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
      if (line.trim() !== '') yield ndjsonRowOf({ text: line, row, share }, columnOf).read;
    }
  }
  return { rows: rows(), headers: new Map() };
}
