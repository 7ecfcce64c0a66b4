import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import type { DirectoryResource } from '../directory.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import type { MergeConflict } from '../merges/schemas.ts';
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

/** The records of a merge that a text names. */
const NAMED_MAX = 5;

/** The error of a merge that was taken back, but for some fields of other records. */
function leftBehind(id: string, conflicts: readonly MergeConflict[]): RecordError {
  const byRecord = [...Map.groupBy(conflicts, (conflict) => conflict.id)];
  const named = byRecord.slice(0, NAMED_MAX).map(([changed, some]) => {
    const fields = some.flatMap(({ field }) => field ?? []);
    return fields.length === 0 ? `${changed} is gone` : `${fields.join(', ')} of ${changed}`;
  });
  const more = byRecord.length > NAMED_MAX ? `; and ${byRecord.length - NAMED_MAX} more records` : '';
  const detail = `The merge is undone, but for what was changed since: ${named.join('; ')}${more}.`;
  return { id, code: 'version_conflict', detail, fields: [] };
}

/** Takes merges back, the last one first: of a chain the ones before need it. */
async function undoMerges(
  trx: Transaction<Database>,
  resource: DirectoryResource,
  { ids, ...undo }: Omit<Undo, 'undoes'>,
): Promise<Outcome> {
  const outcome: Outcome = { changed: [], unchanged: [], rejected: [], partial: [] };
  for (const id of ids.toReversed())
    try {
      const { conflicts } = await unmergeOne(trx, resource, { id, ...undo });
      outcome.changed.push(id);
      if (conflicts.length > 0) outcome.partial.push(leftBehind(id, conflicts));
    } catch (error) {
      const { status, errorCode: code, message: detail } = toRosterError(error);
      if (status >= 500) throw error;
      outcome.rejected.push({ id, code, detail, fields: [] });
    }
  return outcome;
}

/** Undoes what a job has changed in some records within the limit, in a transaction; see `undoEach`. Merges are taken back whole. */
export async function undoRecords(
  trx: Transaction<Database>,
  resource: DirectoryResource,
  { ids, undoes, ...undo }: Undo,
): Promise<Outcome> {
  const { rows } = await sql<{ type: string | null }>`
    select change ->> 'type' as type from job where id = ${undoes}`.execute(trx);
  if (rows[0]?.type === 'merge') return undoMerges(trx, resource, { ids, ...undo });
  const ofJob = sql`subject_id = any(${ids}::uuid[]) and details ->> 'bulkId' = ${undoes}`;
  return undoEach(trx, resource, { ids, changes: await findChanges(trx, ofJob), ...undo });
}
