import type { Importable } from '../importable.ts';
import type { Ledger } from '../journal.ts';
import { type Headers, headerOf } from '../read/rows.ts';

/** Refuses each row that has in a column what a row before it has. */
function refuseRepeated(ledger: Ledger, column: 'source' | 'id' | 'email', header: string): void {
  ledger.run(`create index row_${column} on row (${column}, row) where ${column} is not null`);
  ledger.run(
    `insert into fault
     select row.row, row.line, ?, 'repeated', 'is that of row ' || repeated.first || ' too'
     from (
       select ${column} as value, min(row) as first from row where ${column} is not null
       group by ${column} having count(*) > 1
     ) as repeated
     join row on row.${column} = repeated.value and row.row <> repeated.first`,
    header,
  );
}

/** Which row stands below which; the main offices that are rows of the file themselves. */
function findMains(ledger: Ledger): Map<number, number> {
  ledger.run(
    `update row set main_row = (select min(other.row) from row as other where other.source = row.main)
     where main is not null`,
  );
  const edges = ledger.all('select row, main_row from row where main_row is not null') as {
    row: number;
    main_row: number;
  }[];
  return new Map(edges.map(({ row, main_row }) => [row, main_row]));
}

/** How far each office of the file is below one that stands below none; offices in a circle are in none of these. */
function levelsOf(mains: ReadonlyMap<number, number>): {
  levels: Map<number, number>;
  circling: Set<number>;
} {
  const levels = new Map<number, number>();
  const circling = new Set<number>();
  for (const start of mains.keys()) {
    const path: number[] = [];
    const onPath = new Set<number>();
    let at: number | undefined = start;
    while (at !== undefined && !levels.has(at) && !circling.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = mains.get(at);
    }
    if (at !== undefined && onPath.has(at)) {
      for (const row of path.slice(path.indexOf(at))) circling.add(row);
    }
    let level = at === undefined ? -1 : (levels.get(at) ?? -1);
    for (const row of path.toReversed()) {
      if (circling.has(row)) continue;
      level += 1;
      levels.set(row, level);
    }
  }
  return { levels, circling };
}

/** Orders offices so that a main office comes before its branches, and refuses those that are above themselves. */
function orderOffices(ledger: Ledger, header: string): void {
  const mains = findMains(ledger);
  const { levels, circling } = levelsOf(mains);
  for (const [row, level] of levels) {
    if (level > 0) ledger.run('update row set level = ? where row = ?', level, row);
  }
  for (const row of circling) {
    ledger.run(
      `insert into fault select row, line, ?, 'cycle', 'names an office below this one, or itself (row ' || main_row || ')'
       from row where row = ?`,
      header,
      row,
    );
  }
}

/**
 * Finds what is wrong with rows beside each other: what may be there once and is there twice, and circles of offices.
 * Takes the memory of a cache; for offices with main offices in the same file a few dozen bytes each more.
 */
export function compareRows(ledger: Ledger, importable: Importable, headers: Headers): void {
  refuseRepeated(ledger, 'source', headerOf(headers, 'source.key'));
  refuseRepeated(ledger, 'id', headerOf(headers, 'id'));
  if (importable.isEmailUnique) refuseRepeated(ledger, 'email', headerOf(headers, 'email'));
  if (importable.name === 'offices') orderOffices(ledger, headerOf(headers, importable.officeSource));
  ledger.run('update row set record = null where record is not null and row in (select row from fault)');
}
