import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { ResourceDefinition } from '../engine/definition.ts';
import { andIsWithin } from '../engine/office-limit.ts';
import type { Limited } from '../engine/write/mutations.ts';
import { rolledBack } from '../engine/write/transaction.ts';
import type { Outcome, RecordError } from './change-each.ts';

export const CHECKED_MAX = 500;
export const SAMPLES_MAX = 5;

type Row = Record<string, unknown> & { id: string };

interface ValueChange {
  field: string;
  from: unknown;
  to: unknown;
}

export interface TriedChange {
  count: number;
  checked: number;
  changed: number;
  partlyChanged: number;
  unchanged: number;
  rejected: number;
  samples: { id: string; name: string; changes: ValueChange[] }[];
  errors: RecordError[];
}

export type Located = Pick<ResourceDefinition, 'table' | 'limit'> & { record: RawBuilder<unknown> };

export async function findRecords<One extends { id: string } = Row>(
  db: Kysely<Database>,
  { table, record, limit: rule }: Located,
  { ids, limit }: Limited & { ids: readonly string[] },
): Promise<Map<string, One>> {
  if (ids.length === 0) return new Map();
  const isSeen = andIsWithin(rule?.column, limit);
  const { rows } = await sql<{ record: One }>`
    select ${record} as record from ${sql.table(table)} where id = any(${ids}::uuid[])${isSeen}`.execute(db);
  return new Map(rows.map((row) => [row.record.id, row.record]));
}

/** Fields that the service sets itself, with the time of the change. */
const derivedFields = new Set(['version', 'updatedAt', 'statusChangedAt', 'deactivatedAt', 'transferredAt']);

export function compareRecords(before: Row, after: Row | undefined): ValueChange[] {
  return Object.entries(after ?? {})
    .filter(([field, to]) => !derivedFields.has(field) && !isDeepStrictEqual(before[field], to))
    .map(([field, to]) => ({ field, from: before[field], to }));
}

interface Tried extends Limited {
  ids: readonly string[];
  count: number;
  change: () => Promise<Outcome>;
}

/** Tries a change and rolls it back. The samples are the first records it would change. */
export async function tryChange(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, count, limit, change }: Tried,
): Promise<TriedChange> {
  const { outcome, shown, after } = await rolledBack(trx, async () => {
    const outcome = await change();
    const changed = new Set(outcome.changed);
    const shown = ids.filter((id) => changed.has(id)).slice(0, SAMPLES_MAX);
    return { outcome, shown, after: await findRecords(trx, resource, { ids: shown, limit }) };
  });
  const before = await findRecords(trx, resource, { ids: shown, limit });
  const samples = shown.flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    const named = was ?? is;
    if (named === undefined) return [];
    const changes = was === undefined ? [] : compareRecords(was, is);
    return [{ id, name: String(named[resource.nameField]), changes }];
  });
  const { changed, partial, unchanged, rejected } = outcome;
  return {
    count,
    checked: ids.length,
    changed: changed.length,
    partlyChanged: partial.length,
    unchanged: unchanged.length,
    rejected: rejected.length,
    samples,
    errors: [...rejected, ...partial],
  };
}
