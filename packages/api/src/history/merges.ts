import { sql } from 'kysely';
import { seenAmong } from '../access/seen-records.ts';
import { definitionOf, definitions, type ResourceName } from '../directory/registry.ts';
import { andIsEventWithin } from '../log/visibility.ts';
import type { CallContext } from '../trpc/context.ts';
import type { ChangeInfo, MergedRecord } from './schemas.ts';

type Db = Pick<CallContext, 'db' | 'limit'>;
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
export async function readMerges(
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
