import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { DirectoryResource } from '../directory.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { unmergeOne } from '../merges/undo.ts';
import type { Outcome, RecordError } from '../records/change-each.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import type { Limited } from '../resources/write/mutations.ts';
import { findChanges } from '../undo/changes.ts';
import { undoEach } from '../undo/undo.ts';

interface Undo extends Limited {
  ids: readonly string[];
  /** The job whose changes are undone. */
  undoes: string;
  cause: ChangeCause;
  retentionDays: number;
}

/** The outcome of a batch: beside those of its records what stays as it is of some that it changed. */
export interface JobOutcome extends Outcome {
  left?: RecordError[];
}

/** Takes merges back, the last one first: of a chain the ones before need it. */
async function undoMerges(
  trx: Transaction<Database>,
  resource: DirectoryResource,
  { ids, ...undo }: Omit<Undo, 'undoes'>,
): Promise<JobOutcome> {
  const outcome = { changed: [], unchanged: [], rejected: [], left: [] } as Required<JobOutcome>;
  for (const id of ids.toReversed())
    try {
      const { conflicts } = await unmergeOne(trx, resource, { id, ...undo });
      outcome.changed.push(id);
      const left = conflicts.map(({ resource: name, id: changed, field }): RecordError => {
        const detail = field === null ? `One of ${name} is gone.` : `${field} was changed since, and stays.`;
        return { id: changed, code: 'version_conflict', detail };
      });
      outcome.left.push(...left);
    } catch (error) {
      const { status, errorCode: code, message: detail } = toRosterError(error);
      if (status >= 500) throw error;
      outcome.rejected.push({ id, code, detail });
    }
  return outcome;
}

/** Undoes what a job has changed in some records within the limit, in a transaction; see `undoEach`. Merges are taken back whole. */
export async function undoRecords(
  trx: Transaction<Database>,
  resource: DirectoryResource,
  { ids, undoes, ...undo }: Undo,
): Promise<JobOutcome> {
  const { rows } = await sql<{ type: string | null }>`
    select change ->> 'type' as type from job where id = ${undoes}`.execute(trx);
  if (rows[0]?.type === 'merge') return undoMerges(trx, resource, { ids, ...undo });
  const ofJob = sql`subject_id = any(${ids}::uuid[]) and details ->> 'bulkId' = ${undoes}`;
  return undoEach(trx, resource, { ids, changes: await findChanges(trx, ofJob), ...undo });
}
