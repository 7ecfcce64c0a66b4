const NEWLINE = 0x0a;

/**
 * Joins the chunks of rows in COPY text format into larger ones, each of whole rows: in that format a newline ends a row
 * and occurs nowhere else. Memory holds one chunk and one row at a time.
 *
 * @param chunks as they arrive, cut anywhere
 * @param bytesMin the minimum size of a chunk, except the last
 */
export async function* chunkRows(
  chunks: AsyncIterable<Buffer>,
  bytesMin: number,
): AsyncGenerator<Buffer, void, void> {
  let buffered: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const end = size + chunk.length < bytesMin ? 0 : chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      yield Buffer.concat([...buffered, chunk.subarray(0, end)]);
      buffered = [];
      size = 0;
    }
    if (end < chunk.length) buffered.push(chunk.subarray(end));
    size += chunk.length - end;
  }
  if (size > 0) yield Buffer.concat(buffered);
}
