import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import { CHECKED_MAX, type TriedChange, tryChange } from '../records/try-change.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import type { Limited } from '../resources/write/mutations.ts';
import type { BulkChange } from './bulk-schemas.ts';
import { changeMany } from './change.ts';
import { firstMatching, type RecordFilter } from './record-sets.ts';

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
): Promise<TriedChange> {
  const matching = { filter, now: cause.now, limit, max: CHECKED_MAX };
  const { count, ids } = await firstMatching(trx, resource, matching);
  const tried = { ids, change, cause, limit, defaultCountry };
  return tryChange(trx, resource, { ids, count, limit, change: () => changeMany(trx, resource, tried) });
}
