import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { ResourceDefinition } from '../resources/definition.ts';
import { andIsWithin } from '../resources/office-limit.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import type { Limited } from '../resources/write/mutations.ts';
import { rolledBack } from '../resources/write/transaction.ts';
import {
  type BulkChange,
  type BulkPreview,
  type BulkSample,
  CHECKED_MAX,
  SAMPLES_MAX,
} from './bulk-schemas.ts';
import { changeMany } from './change.ts';
import type { Outcome } from './outcome.ts';
import { firstMatching, type RecordFilter } from './record-sets.ts';

type Row = Record<string, unknown> & { id: string };

/** The records of some ids that are there within the limit, by these. */
export async function findRecords(
  trx: Transaction<Database>,
  { table, record, limit: { column } }: ResourceDefinition,
  { ids, limit }: Limited & { ids: readonly string[] },
): Promise<Map<string, Row>> {
  const isSeen = andIsWithin(column, limit);
  const { rows } = await sql<{ record: Row }>`
    select ${record} as record from ${sql.table(table)} where id = any(${ids}::uuid[])${isSeen}`.execute(trx);
  return new Map(rows.map((row) => [row.record.id, row.record]));
}

/** Fields that count or date the changes of a record. */
const derivedFields = new Set(['version', 'updatedAt', 'statusChangedAt']);

/** The fields in which a record differs from what it was before, but for those that count or date its changes. */
export function compareRecords(before: Row, after: Row | undefined): BulkSample['changes'] {
  return Object.entries(after ?? {})
    .filter(([field, to]) => !derivedFields.has(field) && !isDeepStrictEqual(before[field], to))
    .map(([field, to]) => ({ field, from: before[field], to }));
}

function sampleOf(nameField: string, before: Row, after: Row | undefined): BulkSample {
  return { id: before.id, name: String(before[nameField]), changes: compareRecords(before, after) };
}

/** Previews a change of records: it is tried in a part of the transaction that is rolled back. */
export async function tryChange(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, count, limit, change }: Limited & { ids: string[]; count: number; change: () => Promise<Outcome> },
): Promise<BulkPreview> {
  const shown = ids.slice(0, SAMPLES_MAX);
  const before = await findRecords(trx, resource, { ids: shown, limit });
  const { outcome, after } = await rolledBack(trx, async () => ({
    outcome: await change(),
    after: await findRecords(trx, resource, { ids: shown, limit }),
  }));
  return {
    count,
    checked: ids.length,
    changed: outcome.changed.length,
    unchanged: outcome.unchanged.length,
    rejected: outcome.rejected.length,
    samples: shown.flatMap((id) => {
      const record = before.get(id);
      return record === undefined ? [] : sampleOf(resource.nameField, record, after.get(id));
    }),
    errors: outcome.rejected,
  };
}

/**
 * Tells how many records a filter selects, and tries a change on the first 500 of them by id, in a part of the transaction that is
 * rolled back.
 */
export async function previewChange(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  {
    filter,
    change,
    cause,
    limit,
    defaultCountry,
  }: Limited & {
    filter: RecordFilter;
    change: BulkChange;
    cause: ChangeCause;
    defaultCountry: string;
  },
): Promise<BulkPreview> {
  const { count, ids } = await firstMatching(trx, resource, {
    filter,
    now: cause.now,
    limit,
    max: CHECKED_MAX,
  });
  const tried = { ids, change, cause, limit, defaultCountry };
  return tryChange(trx, resource, { ids, count, limit, change: () => changeMany(trx, resource, tried) });
}
