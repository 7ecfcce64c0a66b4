import type { Database } from '@roster/db';
import { sql, type Transaction } from 'kysely';
import { patchTo } from '../history/field-changes.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { writtenFields } from '../resources/fields/shapes.ts';
import { andIsWithin } from '../resources/office-limit.ts';
import type { ChangeCause } from '../resources/outbox/event-outbox.ts';
import { valuesOf } from '../resources/sql/column-mapping.ts';
import type { Limited } from '../resources/write/mutations.ts';
import { wasWithin } from '../resources/write/tombstones.ts';
import type { JobError } from './schemas.ts';

/** The changes that jobs make. */
type JobVerb = 'created' | 'updated' | 'deactivated' | 'reactivated' | 'transferred' | 'deleted' | 'restored';

/** The event of one record that a job, or the deactivation of an office, has changed. */
export interface JobEvent {
  /** The id of the record. */
  id: string;
  verb: JobVerb;
  version: number;
  /** The record after the change; of a deleted one its last state. */
  record: { id: string; version: number; updatedAt: string };
  /** The previous values of the fields that changed. */
  previous: Record<string, unknown>;
}

/** The events of a job about some records: of an import a record may have two, of which the newer one changes its status. */
export async function eventsOfJob(
  trx: Transaction<Database>,
  { ids, jobId }: { ids: readonly string[]; jobId: string },
): Promise<JobEvent[]> {
  const { rows } = await sql<JobEvent>`
    select subject_id as id, split_part(type, '.', 2) as verb, version, record, previous
    from event where subject_id = any(${ids}::uuid[]) and details ->> 'bulkId' = ${jobId}
    order by version desc`.execute(trx);
  return rows;
}

/**
 * The versions of records within the limit, which are locked until the transaction ends, and of deleted ones that can be restored.
 */
async function currentVersions(
  trx: Transaction<Database>,
  resource: Pick<ResourceDefinition, 'name' | 'table' | 'limit' | 'parent'>,
  { ids, limit }: Limited & { ids: readonly string[] },
): Promise<Map<string, { version: number; isDeleted: boolean }>> {
  const { rows } = await sql<{ id: string; version: number; isDeleted: boolean }>`
    with locked as (
      select id, version from ${sql.table(resource.table)} where id = any(${ids}::uuid[])${andIsWithin(resource.limit.column, limit)} order by id for no key update
    ), deleted as (
      select id, record from tombstone where collection = ${resource.name} and id = any(${ids}::uuid[])${wasWithin(resource, limit)} order by id for update
    )
    select id, version, false as "isDeleted" from locked
    union all
    select id, (record ->> 'version')::int, true from deleted`.execute(trx);
  return new Map(rows.map(({ id, ...state }) => [id, state]));
}

/**
 * The errors of records in which the change of a job cannot be undone: they were changed since, or their events are no longer kept. The
 * others are locked until the transaction ends, so that they stay as they are.
 */
export async function changeErrorsSince(
  trx: Transaction<Database>,
  resource: ResourceDefinition,
  { ids, events, limit }: Limited & { ids: readonly string[]; events: readonly JobEvent[] },
): Promise<JobError[]> {
  const { table } = resource;
  const current = await currentVersions(trx, resource, { ids, limit });
  const goneDetail = `The ${table} was deleted since${limit === undefined ? '' : ', or left the offices of the limit'}.`;
  // Of several events of a record the newest comes first.
  const eventOf = new Map(events.toReversed().map((event) => [event.id, event]));
  return ids.flatMap((id): JobError[] => {
    const event = eventOf.get(id);
    const now = current.get(id);
    if (event === undefined)
      return [{ id, code: 'not_found', detail: 'The event of the change is no longer kept.' }];
    const isDeletion = event.verb === 'deleted';
    if (now === undefined || (now.isDeleted && !isDeletion))
      return [{ id, code: 'not_found', detail: goneDetail }];
    if (isDeletion && !now.isDeleted)
      return [{ id, code: 'version_conflict', detail: `The ${table} was restored since.` }];
    if (now.version === event.version) return [];
    const detail = `The ${table} was changed since: it has version ${now.version}, not ${event.version}.`;
    return [{ id, code: 'version_conflict', detail }];
  });
}

/** Fields that callers cannot write, and transitions change. */
const statusFields = new Set(['status', 'statusReason', 'deactivatedAt']);

/**
 * The columns that put a record back to what it was before an event: its fields, and after a transition its status with the
 * reason and the time of that. What only counts or dates the changes of a record goes on.
 */
export function previousState(
  { fields }: Pick<ResourceDefinition, 'fields'>,
  { record, previous }: Pick<JobEvent, 'record' | 'previous'>,
  { now }: Pick<ChangeCause, 'now'>,
): ReturnType<typeof valuesOf> {
  const isWritten = new Set(writtenFields(fields).map(([name]) => name));
  const names = Object.keys(previous);
  const before = { ...record, ...previous };
  const written = patchTo(
    record,
    before,
    names.filter((name) => isWritten.has(name)),
  );
  const status = names.filter((name) => statusFields.has(name)).map((name) => [name, previous[name]]);
  const state: Record<string, unknown> = { ...written, ...Object.fromEntries(status) };
  if ('status' in state) state.statusChangedAt = now.toISOString();
  return valuesOf(fields, state);
}
