import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { ResourceDefinition } from '../../engine/definition.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { valuesOf } from '../../engine/sql/column-mapping.ts';
import {
  type BatchRow,
  checkMergedReferences,
  insertRecords,
  mergeRecords,
} from '../../engine/write/bulk-mutations.ts';
import { byIds, deleteRecords, type Limited } from '../../engine/write/mutations.ts';
import { takeTombstones } from '../../engine/write/tombstones.ts';
import { notFoundError, type RecordError } from '../../records/change-each.ts';
import type { Json } from '../../records/field-changes.ts';
import { restoredState, type Versioned } from '../../records/service.ts';
import type { Inverse } from './changes.ts';
import type { PlannedStep } from './plan.ts';

export interface Applying extends Limited {
  cause: ChangeCause;
  retentionDays: number;
}

export async function putBack(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  {
    verb,
    records,
    cause,
    limit,
    together,
  }: Omit<Applying, 'retentionDays'> & {
    verb: Exclude<Inverse, 'deleted' | 'restored'>;
    records: readonly { id: string; values: Json }[];
    together?: readonly string[];
  },
): Promise<void> {
  const changed = records.filter(({ values }) => Object.keys(values).length > 0);
  const rows = changed.map(({ id, values }): BatchRow => {
    const time = 'status' in values ? { statusChangedAt: cause.now.toISOString() } : {};
    return { id, columns: valuesOf(resource.fields, { ...values, ...time }) };
  });
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row.columns)))];
  if (columns.length === 0) return;
  const batch = { rows, columns };
  if (limit !== undefined) await checkMergedReferences(trx, resource, { ...batch, limit });
  await mergeRecords(trx, resource, { ...batch, limit, verb, cause, together });
}

/** As new versions, in their last states. Returns errors for those without one. */
export async function restoreDeleted(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, cause, retentionDays, limit }: Applying & { ids: readonly string[] },
): Promise<RecordError[]> {
  const { now } = cause;
  const last = await takeTombstones<Versioned>(trx, resource, { ids, now, retentionDays, limit });
  const rows = last.map((record): BatchRow => {
    return { id: record.id, columns: valuesOf(resource.fields, restoredState(record, now)) };
  });
  const columns = Object.keys(rows[0]?.columns ?? {}).filter((column) => column !== 'id');
  if (rows.length > 0) await insertRecords(trx, resource, { rows, columns, verb: 'restored', cause });
  const restored = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !restored.has(id)).map((id) => notFoundError(resource, id));
}

export async function takeSteps(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { steps, together, ...applying }: Applying & { steps: readonly PlannedStep[]; together: readonly string[] },
): Promise<RecordError[]> {
  const { cause, limit } = applying;
  const rejected: RecordError[] = [];
  for (const [verb, some] of Map.groupBy(steps, (step) => step.verb)) {
    const ids = some.map(({ id }) => id);
    if (verb === 'restored') rejected.push(...(await restoreDeleted(trx, resource, { ids, ...applying })));
    else if (verb === 'deleted') await deleteRecords(trx, resource, { selection: byIds(ids), cause, limit });
    else await putBack(trx, resource, { verb, records: some, cause, limit, together });
  }
  return rejected;
}
