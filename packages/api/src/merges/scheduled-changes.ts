import { sql } from 'kysely';
import { definitionOf, type ResourceName } from '../directory.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import { changePending } from '../scheduled-changes/service.ts';
import type { Move } from './references.ts';
import type { StoredMerge, Trx } from './repository.ts';

/** Moves pending changes of a record, and those of others that lead to it, and returns them. */
export async function moveScheduledChanges(
  trx: Trx,
  { from, to }: Move,
): Promise<{ own: string[]; destinations: { id: string; resource: string; subject: string }[] }> {
  const { rows: own } = await sql<{ id: string }>`
    update scheduled_change set subject_id = ${to}::uuid where subject_id = ${from}::uuid and status = 'pending' returning id`.execute(
    trx,
  );
  const { rows: destinations } = await sql<{ id: string; resource: string; subject: string }>`
    update scheduled_change set office_id = ${to}::uuid where office_id = ${from}::uuid and status = 'pending'
    returning id, resource, subject_id as subject`.execute(trx);
  return { own: own.map(({ id }) => id), destinations };
}

/** Writes the pending changes of records into them, in the order of their ids. The records are given by id, with their resources. */
export async function writePending(
  trx: Trx,
  subjects: ReadonlyMap<string, string>,
  cause: ChangeCause,
): Promise<void> {
  for (const [id, name] of [...subjects].sort(([one], [other]) => (one < other ? -1 : 1)))
    await changePending(trx, definitionOf(name as ResourceName), { id, cause });
}

/**
 * Gives pending changes back to the record that they were of or led to before a merge, and writes them into the records that have others
 * now. Returns how many stay where they are: those that were made, cancelled or moved since.
 */
export async function returnScheduledChanges(
  trx: Trx,
  { survivorId: from, duplicateId: to, moved }: StoredMerge,
  { name, cause }: { name: string; cause: ChangeCause },
): Promise<number> {
  const { rows: own } = await sql`
    update scheduled_change set subject_id = ${to}::uuid
    where id = any(${moved.scheduledChanges}::uuid[]) and status = 'pending' and subject_id = ${from}::uuid returning id`.execute(
    trx,
  );
  const { rows: destinations } = await sql<{ resource: string; subject: string }>`
    update scheduled_change set office_id = ${to}::uuid
    where id = any(${moved.destinations}::uuid[]) and status = 'pending' and office_id = ${from}::uuid
    returning resource, subject_id as subject`.execute(trx);
  const subjects = new Map(destinations.map(({ resource, subject }) => [subject, resource]));
  if (own.length > 0) for (const id of [from, to]) subjects.set(id, name);
  await writePending(trx, subjects, cause);
  return moved.scheduledChanges.length + moved.destinations.length - own.length - destinations.length;
}
