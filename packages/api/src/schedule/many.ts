import { type Database, fragment } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { maxFor } from '../access/creation-limits.ts';
import type { ResourceDefinition } from '../engine/definition.ts';
import { PENDING_MAX } from '../engine/fields/scheduled-changes.ts';
import { timeText } from '../engine/json/record-json.ts';
import { newId } from '../engine/new-id.ts';
import { isWithinLimit } from '../engine/office-limit.ts';
import type { ChangeCause } from '../engine/outbox/event-outbox.ts';
import { byIds, changeRecords, type Limited } from '../engine/write/mutations.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import { notFoundError, type Outcome, type RecordError } from '../records/change-each.ts';
import { type Effective, startIn } from './effective-time.ts';

/** The change that a job schedules for each of its records. */
type ScheduledBulkChange =
  | { type: 'deactivate' }
  | { type: 'reactivate' }
  | { type: 'transfer'; officeId: string }
  | { type: 'update'; patch: Record<string, unknown> };

interface ManyRecords extends Limited {
  ids: readonly string[];
  jobId: string;
  cause: ChangeCause;
}

interface Scheduling extends ManyRecords, Effective {
  change: ScheduledBulkChange;
  /** The limit of who scheduled it; null for none. */
  officeIds: readonly string[] | null;
}

interface Found {
  id: string;
  zone: string | null;
}

/** Locks the records in ID order, and reads the time zone of their office. */
async function lockRecords(
  trx: Transaction<Database>,
  { table, parent, limit: rule }: ResourceDefinition,
  { ids, limit }: Pick<ManyRecords, 'ids' | 'limit'>,
): Promise<Found[]> {
  const office =
    rule?.column === 'id' ? sql.ref(`${table}.id`) : parent && sql.ref(`${table}.${parent.column}`);
  const zone =
    office === undefined ? sql`null` : sql`(select time_zone from office where office.id = ${office})`;
  const { rows } = await sql<Found>`
    select id, ${zone} as zone from ${sql.table(table)}
    where id = any(${ids}::uuid[]) and ${isWithinLimit(rule && `${table}.${rule.column}`, limit)}
    order by id for no key update`.execute(trx);
  return rows;
}

async function timesOf(
  trx: Transaction<Database>,
  found: readonly Found[],
  { change, effectiveAt, effectiveOn }: Pick<Scheduling, 'change' | keyof Effective>,
): Promise<{ times: Map<string, Date>; rejected: RecordError[] }> {
  const times = new Map<string, Date>();
  const rejected: RecordError[] = [];
  const moved = change.type === 'transfer' ? await zoneOf(trx, change.officeId) : undefined;
  const byZone = Map.groupBy(found, ({ zone }) => (moved === undefined ? zone : moved.zone) ?? 'UTC');
  for (const [zone, records] of byZone) {
    try {
      const at = effectiveAt ?? (await startIn(trx, effectiveOn ?? '', async () => ({ zone })));
      for (const { id } of records) times.set(id, new Date(at));
    } catch (error) {
      const { errorCode: code, status, message } = toRosterError(error);
      if (status >= 500) throw error;
      rejected.push(...records.map(({ id }) => ({ id, code, detail: message, fields: [] })));
    }
  }
  return { times, rejected };
}

function zoneOf(trx: Transaction<Database>, id: string) {
  return trx.selectFrom('office').where('id', '=', id).select('time_zone as zone').executeTakeFirst();
}

/** The pending changes of the row that changes, as its JSON has them. */
const pendingOfRecord = fragment(
  () => sql`(
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', scheduled_change.id, 'change', change, 'effectiveAt', ${timeText(sql.ref('effective_at'))},
      'officeId', scheduled_change.office_id, 'jobId', job_id, 'reason', reason,
      'fields', array(select json_object_keys(patch)),
      'scheduledBy', scheduled_by, 'scheduledAt', ${timeText(sql.ref('scheduled_at'))}
    ) order by effective_at, scheduled_change.id), '[]')
    from scheduled_change where subject_id = target.id and scheduled_change.status = 'pending')`,
)({});

/** The column of `scheduledChanges`, for a change of a locked record. */
export const pendingColumns = { scheduled_changes: { value: undefined, by: pendingOfRecord } };

/** Updates `scheduledChanges` of locked records, each with an event. */
function changePendingOf(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, cause }: { ids: readonly string[]; cause: ChangeCause },
): Promise<unknown> {
  return changeRecords(trx, resource, {
    selection: byIds(ids),
    columns: pendingColumns,
    verb: 'updated',
    cause,
    // They were locked within the limit.
    limit: undefined,
  });
}

const partsOf = (change: ScheduledBulkChange) => ({
  officeId: change.type === 'transfer' ? change.officeId : null,
  patch: change.type === 'update' ? JSON.stringify(change.patch) : null,
});

interface Pending {
  id: string;
  count: number;
  isScheduled: boolean;
}

async function pendingOf(
  trx: Transaction<Database>,
  times: ReadonlyMap<string, Date>,
  change: ScheduledBulkChange,
): Promise<Map<string, Pending>> {
  const { officeId, patch } = partsOf(change);
  const { rows } = await sql<Pending>`
    select subject_id as id, count(*)::int as count, bool_or(
      change = ${change.type} and effective_at = wanted.at and office_id is not distinct from ${officeId}::uuid
      and patch::text is not distinct from ${patch}::text and not is_cascade) as "isScheduled"
    from scheduled_change join unnest(${[...times.keys()]}::uuid[], ${[...times.values()]}::timestamptz[])
      as wanted (record_id, at) on wanted.record_id = subject_id
    where status = 'pending' group by subject_id`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Schedules a change of each record, in one transaction with its event. Records that have the same change
 * scheduled stay unchanged; records with too many pending changes are rejected. A day begins in the time zone of
 * the new office for a transfer, else of the office of each record.
 */
export async function scheduleMany(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, change, jobId, officeIds, cause, limit, ...at }: Scheduling,
): Promise<Outcome> {
  const found = await lockRecords(trx, resource, { ids, limit });
  const seen = new Set(found.map(({ id }) => id));
  const { times, rejected } = await timesOf(trx, found, { change, ...at });
  rejected.push(...ids.filter((id) => !seen.has(id)).map((id) => notFoundError(resource, id)));
  const pending = await pendingOf(trx, times, change);
  const changed: string[] = [];
  const unchanged: string[] = [];
  const max = maxFor(limit, PENDING_MAX);
  for (const id of times.keys()) {
    const { count = 0, isScheduled = false } = pending.get(id) ?? {};
    if (isScheduled) unchanged.push(id);
    else if (count < max) changed.push(id);
    else rejected.push({ id, code: 'limit_reached', detail: tooManyPending(resource, count), fields: [] });
  }
  if (changed.length > 0) {
    const { officeId, patch } = partsOf(change);
    const { now, actorId, reason = null } = cause;
    if (actorId === null) throw new Error('a bulk change has an actor');
    const rows = changed.map((id) => ({
      id: newId(now),
      resource: resource.name,
      subject_id: id,
      change: change.type,
      effective_at: times.get(id) ?? now,
      due_at: times.get(id) ?? now,
      office_id: officeId,
      patch,
      job_id: jobId,
      reason,
      scheduled_by: actorId,
      scheduled_at: now,
      office_ids: officeIds && [...officeIds],
    }));
    await trx.insertInto('scheduled_change').values(rows).execute();
    await changePendingOf(trx, resource, { ids: changed, cause });
  }
  return { changed, unchanged, rejected, partial: [] };
}

export function tooManyPending({ table }: Pick<ResourceDefinition, 'table'>, count: number): string {
  return `The ${table} has ${count} pending scheduled changes, which is the maximum for you.`;
}

/** Cancels the changes of a job that are still to come. What is done is rejected, what is cancelled unchanged. */
export async function cancelMany(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, jobId, cause, limit }: ManyRecords,
): Promise<Outcome> {
  const found = await lockRecords(trx, resource, { ids, limit });
  const locked = found.map(({ id }) => id);
  const ofJob = trx
    .selectFrom('scheduled_change')
    .where('job_id', '=', jobId)
    .where('subject_id', 'in', locked.length > 0 ? locked : [jobId]);
  const changes = await ofJob.select(['id', 'subject_id as subjectId', 'status']).forUpdate().execute();
  const pending = changes.filter(({ status }) => status === 'pending');
  const changed = [...new Set(pending.map(({ subjectId }) => subjectId))];
  const done = new Set(changes.flatMap(({ subjectId, status }) => (status === 'done' ? [subjectId] : [])));
  if (pending.length > 0) {
    await trx
      .updateTable('scheduled_change')
      .set({ status: 'cancelled', finished_at: cause.now })
      .where(
        'id',
        'in',
        pending.map(({ id }) => id),
      )
      .execute();
    await changePendingOf(trx, resource, { ids: changed, cause });
  }
  const others = locked.filter((id) => !changed.includes(id));
  const rejected = others
    .filter((id) => done.has(id))
    .map(
      (id): RecordError => ({
        id,
        code: 'change_finished',
        detail: 'The scheduled change is done.',
        fields: [],
      }),
    );
  return { changed, unchanged: others.filter((id) => !done.has(id)), rejected, partial: [] };
}
