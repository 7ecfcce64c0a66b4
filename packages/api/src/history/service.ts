import { sql } from 'kysely';
import { seenAmong } from '../access/visible-items.ts';
import { definitionOf, definitions, type ResourceName } from '../directory/registry.ts';
import { ADMIN_KEY_ID } from '../engine/actor.ts';
import type { ResourceDefinition } from '../engine/definition.ts';
import { findRecord } from '../engine/list/find-record.ts';
import { RosterError } from '../errors/roster-error.ts';
import { eventsFor } from '../log/events-for.ts';
import { andIsEventWithin } from '../log/visibility.ts';
import { changesOf } from '../records/field-changes.ts';
import { notFound } from '../records/service.ts';
import type { CallContext } from '../trpc/context.ts';
import { cursorOf, parsePlace, type RecordEvent, readHistory } from './repository.ts';
import type { ChangeInfo, HistoryPage, MergedRecord } from './schemas.ts';

type Db = Pick<CallContext, 'db' | 'limit'>;
type Resource<Row extends { id: string }> = ResourceDefinition<Row>;

function infoOf(event: RecordEvent): Omit<ChangeInfo, 'merge'> {
  const { id: _, record: __, previous: ___, isVisible: ____, ...info } = event;
  const { actor } = event;
  return { ...info, actorName: actor === null || actor.id === ADMIN_KEY_ID ? null : actor.name };
}

/** Throws `not_found` unless the record exists: then the log merely has none of its events. */
async function requireRecord<Row extends { id: string }>(
  { db, limit }: Db,
  resource: Resource<Row>,
  id: string,
) {
  if ((await findRecord(db, resource, { id, limit })) === undefined) throw notFound(resource, id);
}

const isDeletedWithin = (newest: RecordEvent | undefined) =>
  newest?.isVisible === true && newest.type.endsWith('.deleted');

/** Throws `not_found` unless the record is within the limit, or was when it was deleted. */
async function requireVisible<Row extends { id: string }>(ctx: Db, resource: Resource<Row>, id: string) {
  if (ctx.limit === undefined) return;
  const [newest] = await readNewest(ctx, resource, id);
  if (!isDeletedWithin(newest)) await requireRecord(ctx, resource, id);
}

function readNewest<Row extends { id: string }>(
  { db, limit: officeLimit }: Db,
  { table }: Resource<Row>,
  subject: string,
) {
  return readHistory(db, { table, subject, limit: 1, hasRecords: false, officeLimit, withHidden: true });
}

/**
 * Reads the changes of a record, newest first, as far back as the log goes; also for deleted records. Under a
 * limit, an agent's changes are those made, or ended, within it. Throws `not_found`, `invalid_cursor`,
 * `cursor_mismatch`.
 */
export async function listHistory<Row extends { id: string }>(
  ctx: Pick<CallContext, 'db' | 'caller' | 'limit'>,
  resource: Resource<Row>,
  { id, limit, cursor }: { id: string; limit: number; cursor?: string | undefined },
): Promise<HistoryPage> {
  const { table, fields } = resource;
  const before = cursor === undefined ? undefined : parsePlace(cursor, id);
  await requireVisible(ctx, resource, id);
  const events = await readHistory(ctx.db, {
    table,
    subject: id,
    before,
    limit: limit + 1,
    hasRecords: true,
    officeLimit: ctx.limit,
  });
  if (events.length === 0 && before === undefined) await requireRecord(ctx, resource, id);
  const page = await eventsFor(ctx.db, events.slice(0, limit), ctx);
  const last = page.at(-1);
  const mergeOf = await readMerges(ctx, page);
  return {
    items: page.map((event) => ({
      ...infoOf(event),
      merge: mergeOf(event),
      changes: changesOf(event, fields),
    })),
    ...(events.length > limit && last !== undefined && { nextCursor: cursorOf(last, id) }),
  };
}

/** Explains by its newest event why a missing record can't be changed. Throws `not_found`. */
export async function throwGone<Row extends { id: string }>(
  ctx: Db,
  resource: Resource<Row>,
  id: string,
): Promise<never> {
  const { table } = resource;
  const [newest] = await readNewest(ctx, resource, id);
  if (newest === undefined || (ctx.limit !== undefined && !isDeletedWithin(newest)))
    throw notFound(resource, id);
  const isPurged = newest.type.endsWith('.purged');
  const detail = isPurged
    ? `The ${table} is permanently deleted.`
    : `The ${table} is deleted. Restore it first.`;
  throw new RosterError('not_found', detail, { missing: { table, id } });
}

type MergeInfo = ChangeInfo['merge'];

const eventName = sql`case ${sql.join(
  definitions.map(
    ({ table, nameField }) =>
      sql`when starts_with(type, ${sql.lit(`${table}.`)}) then record ->> ${sql.lit(nameField)}`,
  ),
  sql` `,
)} end`;

async function readNames({ db, limit }: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; name: string | null }>`
    select given.id, newest.name from unnest(${ids}::uuid[]) as given (id)
    cross join lateral (
      select ${eventName} as name from event
      where subject_id = given.id and record is not null${andIsEventWithin(limit)}
      order by event.position desc nulls first, event.id desc limit 1
    ) as newest`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Once for a page. Returns a function from a change to the two records of its merge, or null. */
async function readMerges(
  ctx: Db,
  changes: readonly Pick<ChangeInfo, 'details'>[],
): Promise<(change: Pick<ChangeInfo, 'details'>) => MergeInfo> {
  const ids = [...new Set(changes.flatMap(({ details }) => details?.mergeId ?? []))];
  if (ids.length === 0) return () => null;
  const rows = await ctx.db
    .selectFrom('record_merge')
    .where((row) => row('id', '=', row.fn.any(row.val(ids))))
    .select(['id', 'collection as resource', 'survivor_id as survivor', 'duplicate_id as duplicate'])
    .$narrowType<{ resource: ResourceName }>()
    .execute();
  const names = await readNames(ctx, [
    ...new Set(rows.flatMap(({ survivor, duplicate }) => [survivor, duplicate])),
  ]);
  const seen = new Set<string>();
  for (const [name, merged] of Map.groupBy(rows, ({ resource }) => resource)) {
    const ofBoth = merged.flatMap(({ survivor, duplicate }) => [survivor, duplicate]);
    for (const id of await seenAmong(ctx.db, definitionOf(name), { ids: ofBoth, limit: ctx.limit }))
      seen.add(id);
  }
  const shown = (id: string): MergedRecord | null =>
    seen.has(id) ? { id, name: names.get(id) ?? null } : null;
  const merges = new Map(
    rows.map(({ id, resource, survivor, duplicate }) => [
      id,
      { resource, survivor: shown(survivor), duplicate: shown(duplicate) },
    ]),
  );
  return ({ details }) => merges.get(details?.mergeId ?? '') ?? null;
}
