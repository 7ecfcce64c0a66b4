import type { Database } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { withActors } from '../access/actors.ts';
import type { DirectoryResource } from '../directory.ts';
import { causeOf } from '../records/service.ts';
import type { Actor } from '../resources/actor.ts';
import { type JsonShape, jsonShape, timeText } from '../resources/json/record-json.ts';
import { SCORE } from '../resources/list/cursor.ts';
import { noRecordError, requireRecord } from '../resources/list/find-record.ts';
import { type Listable, listPage, type Page } from '../resources/list/list-records.ts';
import type { CallContext } from '../trpc/context.ts';
import type { DuplicateQuery } from './schemas.ts';
import type { Reason } from './score.ts';

type Row = Selectable<Database['duplicate_pair']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> =>
  sql.ref(`duplicate_pair.${name}`);

type Resource = DirectoryResource<{ id: string }>;

/** Two records that may be the same, as callers read them. */
export interface DuplicatePair {
  id: string;
  score: number;
  reasons: Reason[];
  foundAt: string;
  records: (object | null)[];
  dismissedAt: string | null;
  dismissalReason: string | null;
  actorId: string | null;
  actor: Actor | null;
}

/** The pairs of a resource. A caller who is limited to some offices sees those of which it may see both records. */
function pairsOf(resource: Resource): Listable<DuplicatePair> {
  const { name, table, record, isWithin } = resource;
  const one = (id: 'first_id' | 'second_id') =>
    sql<object>`(select ${record} from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${column(id)})`;
  const shape: JsonShape<DuplicatePair> = jsonShape({
    id: column('id'),
    score: column('score') as RawBuilder<unknown> as RawBuilder<number>,
    reasons: column('reasons') as RawBuilder<Reason[]>,
    foundAt: timeText(column('found_at')),
    records: sql<(object | null)[]>`json_build_array(${one('first_id')}, ${one('second_id')})`,
    dismissedAt: timeText(column('dismissed_at')),
    dismissalReason: column('dismissal_reason'),
    actorId: column('dismissed_by'),
    actor: sql<null>`null::json`,
  });
  return {
    name: `duplicates of ${name}`,
    table: 'duplicate_pair',
    noun: `pair of ${name}`,
    ...shape,
    nameSort: { key: SCORE, column: 'score' },
    isWithin: (offices) => {
      const isSeen = (id: 'first_id' | 'second_id') =>
        sql`exists (select from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${column(id)} and ${isWithin(offices)})`;
      return sql<boolean>`(${isSeen('first_id')} and ${isSeen('second_id')})`;
    },
  };
}

const listables = new Map<Resource, Listable<DuplicatePair>>();
function listableOf(resource: Resource): Listable<DuplicatePair> {
  const listable = listables.get(resource) ?? pairsOf(resource);
  listables.set(resource, listable);
  return listable;
}

const isDismissed = { open: false, dismissed: true, any: undefined } as const;

/**
 * One page of the pairs of a resource that may be the same, the most probable first, with both records as they are now. Throws
 * `invalid_cursor`, `cursor_mismatch`.
 */
export async function listDuplicates(
  { db, caller, limit }: Pick<CallContext, 'db' | 'caller' | 'limit'>,
  resource: Resource,
  { minScore, kind: kinds, officeId: officeIds, recordId, state, ...page }: DuplicateQuery,
): Promise<Page<DuplicatePair>> {
  const { name: collection, table, limit: placed } = resource;
  const officeColumn = placed.column;
  const own = { minScore, kinds, officeIds, recordId, isDismissed: isDismissed[state] };
  const pair = { collection, table, officeColumn, ...own };
  const read = await listPage(db, { resource: listableOf(resource), input: { ...page, pair }, limit });
  return { ...read, items: await withActors(db, read.items, caller) };
}

/** A pair of which both records are there. Throws `not_found`. */
async function requirePair(
  { db, limit }: { db: Kysely<Database>; limit: CallContext['limit'] },
  resource: Resource,
  id: string,
): Promise<DuplicatePair> {
  const found = await requireRecord(db, listableOf(resource), { id, limit });
  if (found.records.includes(null)) throw noRecordError(listableOf(resource), id);
  return found;
}

/**
 * Decides that the records of a pair are not the same, so that it is no longer listed unless that is asked for, or takes that back; what
 * is decided already is answered as it is. Throws `not_found` for a pair that is not there, or of which the caller may not see both
 * records.
 */
export async function decidePair(
  ctx: CallContext,
  resource: Resource,
  { id, isSame, reason }: { id: string; isSame: boolean; reason?: string | null | undefined },
): Promise<DuplicatePair> {
  const { now, actorId } = causeOf(ctx);
  return ctx.db.transaction().execute(async (trx) => {
    const ofTrx = { db: trx, limit: ctx.limit };
    await requirePair(ofTrx, resource, id);
    const dismissed = isSame
      ? { dismissed_at: null, dismissed_by: null, dismissal_reason: null }
      : { dismissed_at: now, dismissed_by: actorId, dismissal_reason: reason ?? null };
    await trx
      .updateTable('duplicate_pair')
      .set(dismissed)
      .where('id', '=', id)
      .where('collection', '=', resource.name)
      .where('dismissed_at', isSame ? 'is not' : 'is', null)
      .execute();
    const pair = await requirePair(ofTrx, resource, id);
    const [shown] = await withActors(trx, [pair], ctx.caller);
    return shown ?? pair;
  });
}
