import { plainColumns, type Row, valueAt } from '../../contract/columns.ts';
import { otherListCommand } from '../lists.ts';

type Pair = Row & { records: Row[]; reasons: { text: string }[] };

/** A pair in the lines of a table: both records and the pair, each with its id, and beside them why they may be the same. */
function linesOf({ id, score, records, reasons }: Pair, nameField: string): Row[] {
  const [first = {}, second = {}] = records;
  const named = [
    { record: valueAt(first, nameField), recordId: first.id },
    { record: valueAt(second, nameField), recordId: second.id },
    { record: '(this pair)', recordId: id },
  ];
  return Array.from({ length: Math.max(named.length, reasons.length) }, (_, line) => ({
    score: line === 0 ? score : null,
    ...named[line],
    why: reasons[line]?.text,
  }));
}

export const duplicatesCommand = otherListCommand({
  operation: 'duplicates',
  names: ({ name }) => [`pair of ${name}`, `pairs of ${name}`],
  columns: (_resource, isForPeople) =>
    isForPeople
      ? [
          { field: 'score', title: 'SCORE' },
          { field: 'record', title: 'RECORD', widthMin: 14 },
          { field: 'recordId', title: 'ID' },
          { field: 'why', title: 'WHY', widthMin: 16 },
        ]
      : plainColumns(['score', 'first', 'firstId', 'second', 'secondId', 'why', 'id']),
  shown:
    ({ printer }, { nameField }) =>
    (rows) =>
      (rows as Pair[]).flatMap((pair) => {
        if (printer.isForPeople) return linesOf(pair, nameField);
        const [first = {}, second = {}] = pair.records;
        const names = { first: valueAt(first, nameField), second: valueAt(second, nameField) };
        const why = pair.reasons.map(({ text }) => text).join('; ');
        return [{ ...pair, ...names, firstId: first.id, secondId: second.id, why }];
      }),
  advice: ({ commandLine }, { name }) =>
    `Merge two records with: ${commandLine(`${name} merge <id> --duplicate-id <id>`)}; keep both with: ${commandLine(`${name} dismiss-duplicate <ID of the pair>`)}`,
});
