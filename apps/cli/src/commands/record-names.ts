import type { ResourceName } from '@roster/client';
import { records } from '@roster/contract/records';
import { type Column, type Row, valueAt } from '../contract/columns.ts';
import { hasErrorCode } from '../errors.ts';
import { listsOf, type ReadList, recordsById } from '../service/lists.ts';
import type { CommandContext } from './context.ts';

type Names = Map<string, string>;

const isResource = (name: string | undefined): name is ResourceName => name !== undefined && name in records;

function kindOf({ refersTo }: Column, row: Row): ResourceName | undefined {
  const kind = typeof refersTo === 'function' ? refersTo(row) : refersTo;
  return isResource(kind) ? kind : undefined;
}

/** Reads the names of records; none if the key may not read them. */
async function readNames(readList: ReadList, kind: ResourceName, ids: readonly string[]): Promise<Names> {
  try {
    const found = await recordsById(readList, kind, ids);
    return new Map([...found].map(([id, record]) => [id, String(valueAt(record, records[kind].nameField))]));
  } catch (error) {
    if (hasErrorCode(error, 'insufficient_scope')) return new Map();
    throw error;
  }
}

/** Replaces the IDs in columns by the names of their records. Keeps an ID whose record is gone, or that the key may not read. */
export function recordNames(
  columns: readonly Column[],
  { client, callOptions: { signal } }: Pick<CommandContext, 'client' | 'callOptions'>,
): (rows: readonly Row[]) => Promise<Row[]> {
  const referring = columns.filter(({ refersTo }) => refersTo !== undefined);
  const known: Names = new Map();
  const named = (row: Row): Row => {
    const names = referring.map(({ field }) => [field, known.get(String(row[field])) ?? row[field]]);
    return { ...row, ...Object.fromEntries(names) };
  };
  return async (rows) => {
    const wanted = new Map<ResourceName, Set<string>>();
    for (const row of rows) {
      for (const column of referring) {
        const [kind, id] = [kindOf(column, row), row[column.field]];
        if (kind === undefined || typeof id !== 'string' || known.has(id)) continue;
        wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
      }
    }
    if (wanted.size === 0) return rows.map(named);
    const readList = await listsOf(client, signal);
    for (const [kind, ids] of wanted)
      for (const [id, name] of await readNames(readList, kind, [...ids])) known.set(id, name);
    return rows.map(named);
  };
}
