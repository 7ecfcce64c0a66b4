const NEWLINE = 0x0a;

/**
 * Cuts rows in COPY text format into parts of at least `sizeMin` bytes, each of whole rows: in that format a newline
 * ends a row and is nothing else. Holds one part and one row in memory, however many there are.
 */
export async function* partsOf(
  chunks: AsyncIterable<Buffer>,
  sizeMin: number,
): AsyncGenerator<Buffer, void, void> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const end = size + chunk.length < sizeMin ? 0 : chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield Buffer.concat([...held, chunk.subarray(0, end)]);
      held = [];
      size = 0;
    }
    if (end < chunk.length) held.push(chunk.subarray(end));
    size += chunk.length - end;
  }
  if (size > 0) yield Buffer.concat(held);
}
