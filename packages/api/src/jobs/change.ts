import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import type { ResourceDefinition } from '../resources/definition.ts';
import { deactivation, notFound, reactivation, writtenColumns } from '../resources/service.ts';
import type { ChangeCause } from '../resources/write/event-outbox.ts';
import { byIds, changeRecords, deleteRecords, type Limited } from '../resources/write/mutations.ts';
import type { BulkChange } from './bulk-schemas.ts';
import { changeEach, describeError, type Outcome } from './outcome.ts';
import type { JobError } from './schemas.ts';

interface Change extends Limited {
  ids: readonly string[];
  change: BulkChange;
  cause: ChangeCause;
}

/** What a change writes into each record. */
function changeOf(
  resource: ResourceDefinition,
  change: Exclude<BulkChange, { type: 'delete' }>,
  cause: ChangeCause,
) {
  switch (change.type) {
    case 'update':
      return {
        columns: writtenColumns(resource, change.patch, { isPatch: true }),
        verb: 'updated' as const,
        cause,
      };
    case 'deactivate':
      return deactivation(cause);
    case 'reactivate':
      return reactivation(cause);
    case 'transfer':
      return { columns: { office_id: { value: change.officeId } }, verb: 'transferred' as const, cause };
  }
}

/** The error of a record that was deleted, or left the limit, since the job was accepted. */
export function notFoundError(resource: Pick<ResourceDefinition, 'table'>, id: string): JobError {
  const { errorCode, message } = notFound(resource, id);
  return { id, code: errorCode, detail: message };
}

async function changeSome(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, change, cause, limit }: Change,
): Promise<Outcome> {
  const selection = byIds(ids);
  const results =
    change.type === 'delete'
      ? (await deleteRecords(trx, resource, { selection, cause, limit })).map((record) => ({
          record,
          isChanged: true,
        }))
      : await changeRecords(trx, resource, { selection, ...changeOf(resource, change, cause), limit });
  const found = new Set(results.map(({ record }) => record.id));
  const idsOf = (wanted: boolean) =>
    results.filter(({ isChanged }) => isChanged === wanted).map(({ record }) => record.id);
  const rejected = ids.filter((id) => !found.has(id)).map((id) => notFoundError(resource, id));
  return { changed: idsOf(true), unchanged: idsOf(false), rejected };
}

/** Makes a change in records within the limit, each with its event, in a transaction; see `changeEach`. */
export function changeMany(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, ...change }: Change,
): Promise<Outcome> {
  const isDeletion = change.change.type === 'delete';
  const describe = (error: unknown, id: string) => describeError(trx, resource, { error, id, isDeletion });
  return changeEach(trx, ids, (some) => changeSome(trx, resource, { ids: some, ...change }), describe);
}
