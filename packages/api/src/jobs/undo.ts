import type { Database } from '@roster/db';
import type { Transaction } from 'kysely';
import { withVisibleItems } from '../access/visible-items.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import { valuesOf } from '../resources/sql/column-mapping.ts';
import {
  type BatchRow,
  checkMergedReferences,
  insertRecords,
  mergeRecords,
} from '../resources/write/bulk-mutations.ts';
import { byIds, deleteRecords, type Limited } from '../resources/write/mutations.ts';
import { takeTombstones } from '../resources/write/tombstones.ts';
import { notFoundError } from './change.ts';
import { changeEach, describeError, type Outcome } from './outcome.ts';
import type { JobError } from './schemas.ts';
import { changeErrorsSince, eventsOfJob, type JobEvent, previousState } from './undo-events.ts';

interface Undo extends Limited {
  ids: readonly string[];
  /** The job whose changes are undone. */
  undoes: string;
  cause: ChangeCause;
  retentionDays: number;
}

type Caused = Pick<Undo, 'cause' | 'limit'>;

/** The verb of the event that undoes an event. */
const inverses = {
  updated: 'updated',
  deactivated: 'reactivated',
  reactivated: 'deactivated',
  transferred: 'transferred',
} as const;

/** Puts back what the events say of the previous state of their records. */
async function mergePrevious(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { verb, events, cause, limit }: { verb: keyof typeof inverses; events: JobEvent[] } & Caused,
): Promise<void> {
  const visible = await withVisibleItems(trx, events, limit);
  const rows = visible.map(
    (event): BatchRow => ({ id: event.id, columns: previousState(resource, event, cause) }),
  );
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row.columns)))];
  const batch = { rows, columns };
  if (limit !== undefined) await checkMergedReferences(trx, resource, { ...batch, limit });
  await mergeRecords(trx, resource, { ...batch, limit, verb: inverses[verb], cause });
}

/** Brings deleted records back under their ids, in their last states, each as a new version. */
async function restoreMany(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { events, cause, retentionDays, limit }: { events: JobEvent[]; retentionDays: number } & Caused,
): Promise<JobError[]> {
  const { now } = cause;
  const ids = events.map(({ id }) => id);
  const last = await takeTombstones<JobEvent['record']>(trx, resource, { ids, now, retentionDays, limit });
  const rows = last.map((record): BatchRow => {
    const updatedAt = now > new Date(record.updatedAt) ? now.toISOString() : record.updatedAt;
    const state = { ...record, version: record.version + 1, updatedAt };
    return { id: record.id, columns: valuesOf(resource.fields, state) };
  });
  const columns = Object.keys(rows[0]?.columns ?? {}).filter((column) => column !== 'id');
  if (rows.length > 0) await insertRecords(trx, resource, { rows, columns, verb: 'restored', cause });
  const restored = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !restored.has(id)).map((id) => notFoundError(resource, id));
}

/** Events, the newest of each record first, in lists in which each record has one: what came last is undone first. */
function generationsOf(events: readonly JobEvent[]): JobEvent[][] {
  const counts = new Map<string, number>();
  const generations: JobEvent[][] = [];
  // Changes of a record that is deleted in the end do not matter.
  const created = new Set(events.filter(({ verb }) => verb === 'created').map(({ id }) => id));
  for (const event of events) {
    if (created.has(event.id) && event.verb !== 'created') continue;
    const place = counts.get(event.id) ?? 0;
    counts.set(event.id, place + 1);
    generations[place] = [...(generations[place] ?? []), event];
  }
  return generations;
}

async function undoSome(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, events, cause, retentionDays, limit }: Omit<Undo, 'undoes'> & { events: readonly JobEvent[] },
): Promise<Outcome> {
  const rejected = await changeErrorsSince(trx, resource, { ids, events, limit });
  const isRejected = new Set(rejected.map(({ id }) => id));
  const isPossible = new Set(ids.filter((id) => !isRejected.has(id)));
  const possible = events.filter(({ id }) => isPossible.has(id));
  for (const generation of generationsOf(possible))
    for (const [verb, some] of Map.groupBy(generation, (event) => event.verb)) {
      if (verb === 'deleted')
        rejected.push(...(await restoreMany(trx, resource, { events: some, cause, retentionDays, limit })));
      else if (verb === 'restored' || verb === 'created')
        await deleteRecords(trx, resource, { selection: byIds(some.map(({ id }) => id)), cause, limit });
      else await mergePrevious(trx, resource, { verb, events: some, cause, limit });
    }
  const failed = new Set(rejected.map(({ id }) => id));
  return { changed: ids.filter((id) => !failed.has(id)), unchanged: [], rejected };
}

/**
 * Reverts what a job has changed in some records within the limit, each with its event, in a transaction; see `changeEach`. A record that was
 * changed since is left as it is and rejected with `version_conflict`, or `not_found` if it was deleted.
 */
export async function undoMany(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, undoes, ...undo }: Undo,
): Promise<Outcome> {
  const events = await eventsOfJob(trx, { ids, jobId: undoes });
  return undoEvents(trx, resource, { ids, events, ...undo });
}

/** Reverts what some events say of records within the limit; see `undoMany`. Of each record the newest event comes first. */
export function undoEvents(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, events, ...undo }: Omit<Undo, 'undoes'> & { events: readonly JobEvent[] },
): Promise<Outcome> {
  const isMade = ({ verb }: JobEvent) => verb === 'restored' || verb === 'created';
  const made = new Set(events.filter(isMade).map(({ id }) => id));
  const describe = (error: unknown, id: string) =>
    describeError(trx, resource, { error, id, isDeletion: made.has(id) });
  return changeEach(trx, ids, (some) => undoSome(trx, resource, { ids: some, events, ...undo }), describe);
}
