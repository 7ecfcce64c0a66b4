import type { Input } from './rows.ts';

/** A row to be sent to the service. */
export interface OutgoingRow {
  row: number;
  line: number;
  /** Null if the record is identified by its id. */
  source: string | null;
  id: string | null;
  status: string | null;
  /** The row of its main office, if that is in the file. */
  main_row: number | null;
  record: Input;
}

/** Rows that are sent in one batch. */
export interface Batch {
  /** From 0. The same for the same rows, so that a resumed import skips batches that were sent. */
  number: number;
  /** The level of its offices: main offices of the file are sent before their branches. */
  level: number;
  rows: OutgoingRow[];
}

/** Records in one call: the limit of the service. */
export const ROWS_PER_BATCH_MAX = 500;
/** Bytes of the records of one call; the service accepts 4 MiB. */
const BYTES_MAX = 3 * 1024 * 1024;
/** Values of the records of one call; the service accepts 50,000. */
const VALUES_MAX = 40_000;

/** An upper bound of the number of values in the JSON of a record: commas in texts count as well. */
function valuesIn(record: string): number {
  return 1 + (record.match(/[,[{]/g)?.length ?? 0);
}

const encoder = new TextEncoder();

/** The rows of a page that fit into one call: at least one. */
export function fittingRows<Row extends { record: string }>(page: readonly Row[]): Row[] {
  let bytes = 0;
  let values = 0;
  const rows: Row[] = [];
  for (const row of page) {
    bytes += encoder.encode(row.record).length;
    values += valuesIn(row.record);
    if (rows.length > 0 && (bytes > BYTES_MAX || values > VALUES_MAX)) break;
    rows.push(row);
  }
  return rows;
}

/**
 * Processes a few batches concurrently. Batches of a level start after all of the previous level are done. Rejects with the
 * first error after the running batches have settled.
 */
export async function eachBatch<Item extends Pick<Batch, 'level'>>(
  batches: Iterable<Item> | AsyncIterable<Item>,
  inFlightMax: number,
  work: (batch: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let level = 0;
  for await (const batch of batches) {
    while (running.size >= inFlightMax || (batch.level !== level && running.size > 0))
      await Promise.race(running);
    if (failures.length > 0) break;
    level = batch.level;
    const run: Promise<void> = work(batch)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(run));
    running.add(run);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
