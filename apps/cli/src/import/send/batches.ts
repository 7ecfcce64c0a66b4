import type { Input } from '../../input/fields.ts';
import type { Ledger } from '../journal.ts';

/** One row on its way to the service. */
export interface Sent {
  row: number;
  line: number;
  /** Null where its id says which record it is. */
  source: string | null;
  id: string | null;
  status: string | null;
  /** The row of its main office, where that is in the file. */
  main_row: number | null;
  record: Input;
}

/** Rows that are sent together. */
export interface Batch {
  /** From 0, in the order of the file; the same whenever the ledger is gone through. */
  number: number;
  /** How far the offices in it are below others of the file. */
  level: number;
  rows: Sent[];
}

/** Records in one call, as the service takes them. */
const ROWS_MAX = 500;
/** Bytes of the records of one call: the service takes 4 MiB. */
const BYTES_MAX = 3 * 1024 * 1024;
/** Values of the records of one call: the service takes 50,000. */
const VALUES_MAX = 40_000;

/** How many values the JSON of a record has at most: a comma in a text counts as one, too. */
function valuesIn(record: string): number {
  return 1 + (record.match(/[,[{]/g)?.length ?? 0);
}

/** The rows of a page that fit into one call. */
function fitting(page: (Omit<Sent, 'record'> & { record: string })[]): Sent[] {
  let bytes = 0;
  let values = 0;
  const rows: Sent[] = [];
  for (const { record, ...row } of page) {
    bytes += Buffer.byteLength(record);
    values += valuesIn(record);
    if (rows.length > 0 && (bytes > BYTES_MAX || values > VALUES_MAX)) break;
    rows.push({ ...row, record: JSON.parse(record) as Input });
  }
  return rows;
}

/** The rows that are not refused, batch by batch: main offices before their branches, else in the order of the file. */
export function* batchesOf(ledger: Ledger): Generator<Batch> {
  const levels = ledger.all('select distinct level from row order by level') as { level: number }[];
  let number = 0;
  for (const { level } of levels) {
    let after = -1;
    while (true) {
      const page = ledger.all(
        `select row, line, source, id, status, main_row, record from row
         where level = ? and row > ? and record is not null order by row limit ?`,
        ...[level, after, ROWS_MAX],
      ) as (Omit<Sent, 'record'> & { record: string })[];
      const rows = fitting(page);
      const last = rows.at(-1);
      if (last === undefined) break;
      yield { number, level, rows };
      number += 1;
      after = last.row;
    }
  }
}

/**
 * Works on a few batches at the same time; one of a level begins when all of the level before have ended. Throws what
 * the first failure was, after the others have ended.
 */
export async function eachBatch(
  batches: Iterable<Batch>,
  inFlightMax: number,
  work: (batch: Batch) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let level = 0;
  for (const batch of batches) {
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
