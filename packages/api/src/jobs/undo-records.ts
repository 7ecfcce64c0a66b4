import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { DirectoryResource } from '../directory/registry.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import type { Limited } from '../engine/write/mutations.ts';
import { findChanges, undoEach } from '../history/undo/service.ts';
import type { Outcome } from '../records/change-each.ts';
import { cancelMany, type Effective } from '../schedule/service.ts';

interface Undo extends Limited {
  ids: readonly string[];
  undoes: string;
  cause: ChangeCause;
  retentionDays: number;
}

/** The changes of the job, or those that it scheduled and that are still to come. */
export async function undoRecords(
  trx: Transaction<Database>,
  resource: DirectoryResource,
  { ids, undoes, ...undo }: Undo,
): Promise<Outcome> {
  const job = trx
    .selectFrom('job')
    .where('id', '=', undoes)
    .select('change')
    .$narrowType<{ change: Effective | null }>();
  const { change } = await job.executeTakeFirstOrThrow();
  if ((change?.effectiveAt ?? change?.effectiveOn) !== undefined)
    return cancelMany(trx, resource, { ids, jobId: undoes, ...undo });
  const ofJob = sql`subject_id = any(${ids}::uuid[]) and details ->> 'bulkId' = ${undoes}`;
  return undoEach(trx, resource, { ids, changes: await findChanges(trx, ofJob), ...undo });
}
