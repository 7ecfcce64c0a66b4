import { type Headers, headerOf, type Importable, levelsOf } from '@roster/import';
import type { Journal } from '../journal.ts';

/** Rejects each row whose value in a column occurs in an earlier row. */
function rejectDuplicates(journal: Journal, column: 'source' | 'id' | 'email', header: string): void {
  journal.run(`create index row_${column} on row (${column}, row) where ${column} is not null`);
  journal.run(
    `insert into row_error
     select row.row, row.line, ?, 'repeated', 'is also that of row ' || repeated.first
     from (
       select ${column} as value, min(row) as first from row where ${column} is not null
       group by ${column} having count(*) > 1
     ) as repeated
     join row on row.${column} = repeated.value and row.row <> repeated.first`,
    header,
  );
}

/** The main office of each branch, by row, if both are in the file. */
function findMains(journal: Journal): Map<number, number> {
  journal.run(
    `update row set main_row = (select min(other.row) from row as other where other.source = row.main)
     where main is not null`,
  );
  const edges = journal.all('select row, main_row from row where main_row is not null') as {
    row: number;
    main_row: number;
  }[];
  return new Map(edges.map(({ row, main_row }) => [row, main_row]));
}

/** Sets the level of each office, so that main offices are sent before their branches, and rejects cycles. */
function orderOffices(journal: Journal, header: string): void {
  const mains = findMains(journal);
  const { levels, cyclic } = levelsOf(mains);
  for (const [row, level] of levels) {
    if (level > 0) journal.run('update row set level = ? where row = ?', level, row);
  }
  for (const row of cyclic) {
    journal.run(
      `insert into row_error select row, line, ?, 'cycle', 'is a branch of this office, or the office itself (row ' || main_row || ')'
       from row where row = ?`,
      header,
      row,
    );
  }
}

/**
 * Finds errors between rows: duplicates of unique values, and cycles of offices. Memory is that of the journal, plus a few
 * dozen bytes for each office whose main office is in the file.
 */
export function checkAcrossRows(journal: Journal, importable: Importable, headers: Headers): void {
  rejectDuplicates(journal, 'source', headerOf(headers, 'source.key'));
  rejectDuplicates(journal, 'id', headerOf(headers, 'id'));
  if (importable.isEmailUnique) rejectDuplicates(journal, 'email', headerOf(headers, 'email'));
  if (importable.isTree) orderOffices(journal, headerOf(headers, importable.officeSource));
  journal.run('update row set record = null where record is not null and row in (select row from row_error)');
}
