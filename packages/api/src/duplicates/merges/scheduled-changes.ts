import { sql } from 'kysely';
import { seenAmong } from '../../access/visible-items.ts';
import { definitionOf, type ResourceName } from '../../directory/registry.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { changePending } from '../../schedule/service.ts';
import type { CallContext } from '../../trpc/context.ts';
import type { Move } from './references.ts';
import type { StoredMerge, Trx } from './repository.ts';

/** Moves a record's pending changes, or those of others that lead to it: all, or some IDs. */
async function redirect(
  trx: Trx,
  column: 'subject_id' | 'office_id',
  { from, to, ids }: Move & { ids?: readonly string[] },
) {
  const isWanted = ids === undefined ? sql<boolean>`true` : sql<boolean>`id = any(${ids}::uuid[])`;
  return trx
    .updateTable('scheduled_change')
    .set({ [column]: to })
    .where(column, '=', from)
    .where('status', '=', 'pending')
    .where(isWanted)
    .returning(['id', 'resource', 'subject_id as subject'])
    .execute();
}

type MovedChange = Awaited<ReturnType<typeof redirect>>[number];

export async function moveScheduledChanges(
  trx: Trx,
  move: Move,
): Promise<{ own: string[]; destinations: MovedChange[] }> {
  const own = await redirect(trx, 'subject_id', move);
  return { own: own.map(({ id }) => id), destinations: await redirect(trx, 'office_id', move) };
}

export async function writePending(
  trx: Trx,
  subjects: ReadonlyMap<string, string>,
  cause: ChangeCause,
): Promise<void> {
  for (const [id, name] of [...subjects].sort(([one], [other]) => (one < other ? -1 : 1)))
    await changePending(trx, definitionOf(name as ResourceName), { id, cause });
}

async function countSeen(trx: Trx, ids: readonly string[], limit: CallContext['limit']): Promise<number> {
  if (limit === undefined || ids.length === 0) return ids.length;
  const rows = await trx
    .selectFrom('scheduled_change')
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .select(['resource', 'subject_id as subject'])
    .execute();
  let count = 0;
  for (const [name, some] of Map.groupBy(rows, ({ resource }) => resource)) {
    const subjects = some.map(({ subject }) => subject);
    const seen = await seenAmong(trx, definitionOf(name as ResourceName), { ids: subjects, limit });
    count += subjects.filter((id) => seen.has(id)).length;
  }
  return count;
}

/** Returns the number of visible changes that stay: made, cancelled or moved since. */
export async function returnScheduledChanges(
  trx: Trx,
  { survivorId: from, duplicateId: to, moved }: StoredMerge,
  { name, cause, limit }: { name: string; cause: ChangeCause; limit: CallContext['limit'] },
): Promise<number> {
  const own = await redirect(trx, 'subject_id', { from, to, ids: moved.scheduledChanges });
  const destinations = await redirect(trx, 'office_id', { from, to, ids: moved.destinations });
  const subjects = new Map(destinations.map(({ resource, subject }) => [subject, resource]));
  if (own.length > 0) for (const id of [from, to]) subjects.set(id, name);
  await writePending(trx, subjects, cause);
  const returned = new Set([...own, ...destinations].map(({ id }) => id));
  const left = [...moved.scheduledChanges, ...moved.destinations].filter((id) => !returned.has(id));
  return countSeen(trx, left, limit);
}
