import { type Batch, fittingRows, type Input, type OutgoingRow, ROWS_PER_BATCH_MAX } from '@roster/import';
import type { Journal } from '../journal.ts';

type StoredRow = Omit<OutgoingRow, 'record'> & { record: string };

/** The rows without errors in batches: main offices before their branches, otherwise in the order of the file. */
export function* batchesOf(journal: Journal): Generator<Batch> {
  const levels = journal.all('select distinct level from row order by level') as { level: number }[];
  let number = 0;
  for (const { level } of levels) {
    let after = -1;
    while (true) {
      const page = journal.all(
        `select row, line, source, id, status, main_row, record from row
         where level = ? and row > ? and record is not null order by row limit ?`,
        ...[level, after, ROWS_PER_BATCH_MAX],
      ) as StoredRow[];
      const rows = fittingRows(page).map((row) => ({ ...row, record: JSON.parse(row.record) as Input }));
      const last = rows.at(-1);
      if (last === undefined) break;
      yield { number, level, rows };
      number += 1;
      after = last.row;
    }
  }
}
