import { type Database, fragment } from '@roster/db';
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely';
import { withActors } from '../access/actors.ts';
import type { DirectoryResource } from '../directory/registry.ts';
import type { Actor } from '../engine/actor.ts';
import { type JsonShape, jsonShape, timeText } from '../engine/json/record-json.ts';
import { noRecordError, requireRecord } from '../engine/list/find-record.ts';
import { type Listable, listPage, type Page } from '../engine/list/list-records.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import type { Condition, Filter } from '../engine/sql/filter.ts';
import { withReadTelephones } from '../engine/write/telephones.ts';
import { inTransaction, withIndexes } from '../engine/write/transaction.ts';
import type { RecordContext } from '../records/procedure.ts';
import { causeOf, countrySources } from '../records/service.ts';
import type { CallContext } from '../trpc/context.ts';
import {
  type ComparedRecord,
  compareWithOthers,
  type Profiles,
  readProfiles,
  withKeys,
} from './candidates.ts';
import { type DuplicateQuery, LOOK_ALIKES_MAX } from './schemas.ts';
import { type Reason, SCORE_DEFAULT } from './score.ts';

type Row = Selectable<Database['duplicate_pair']>;
const column = <Name extends keyof Row>(name: Name): RawBuilder<Row[Name]> =>
  sql.ref(`duplicate_pair.${name}`);

export interface DuplicatePair<Record> {
  id: string;
  score: number;
  reasons: Reason[];
  foundAt: string;
  records: Record[];
  dismissedAt: string | null;
  dismissalReason: string | null;
  actorId: string | null;
  actor: Actor | null;
}

type StoredPair<Record> = DuplicatePair<Record | null>;

function hasBoth<Record>(pair: StoredPair<Record>): pair is DuplicatePair<Record> {
  return !pair.records.includes(null);
}

export interface Pairs<Record> {
  resource: Pick<DirectoryResource<{ id: string }>, 'name' | 'table' | 'limit'>;
  listable: Listable<StoredPair<Record>, { pair: PairFilter }>;
}

/** Limited access sees the pairs of which it sees both records. */
export function pairsOf<Record extends { id: string }>({
  name,
  table,
  record,
  isWithin,
}: DirectoryResource<Record>): Pairs<Record>['listable'] {
  const one = (id: 'first_id' | 'second_id') =>
    sql`(select ${record} from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${column(id)})`;
  const shape: JsonShape<StoredPair<Record>> = jsonShape({
    id: column('id'),
    score: column('score') as RawBuilder<unknown> as RawBuilder<number>,
    reasons: column('reasons') as RawBuilder<Reason[]>,
    foundAt: timeText(column('found_at')),
    records: sql<(Record | null)[]>`json_build_array(${one('first_id')}, ${one('second_id')})`,
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
    filters: { pair: byPair },
    ...(isWithin && {
      isWithin: (offices: RawBuilder<unknown>) => {
        const isSeen = (id: 'first_id' | 'second_id') =>
          sql`exists (select from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = ${column(id)} and ${isWithin(offices)})`;
        return sql<boolean>`(${isSeen('first_id')} and ${isSeen('second_id')})`;
      },
    }),
  };
}

const isDismissed = { open: false, dismissed: true, any: undefined } as const;

/** The most probable pairs first. Throws `invalid_cursor`, `cursor_mismatch`. */
export async function listDuplicates<Record>(
  { db, caller, limit }: Pick<CallContext, 'db' | 'caller' | 'limit'>,
  { resource, listable }: Pairs<Record>,
  { minScore, kind: kinds, officeId: officeIds, recordId, state, ...page }: DuplicateQuery,
): Promise<Page<DuplicatePair<Record>>> {
  const { name: collection, table, limit: placed } = resource;
  const officeColumn = placed?.column;
  const own = { minScore, kinds, officeIds, recordId, isDismissed: isDismissed[state] };
  const pair = { collection, table, officeColumn, ...own };
  const read = await listPage(db, { resource: listable, input: { ...page, pair }, limit });
  return { ...read, items: await withActors(db, read.items.filter(hasBoth), caller) };
}

/** Throws `not_found`. */
async function requirePair<Record>(
  { db, limit }: { db: Kysely<Database>; limit: CallContext['limit'] },
  { listable }: Pairs<Record>,
  id: string,
): Promise<DuplicatePair<Record>> {
  const found = await requireRecord(db, listable, { id, limit });
  if (!hasBoth(found)) throw noRecordError(listable, id);
  return found;
}

/** Dismisses a pair, or takes that back. Throws `not_found`, also if one of the records is not visible. */
export async function decidePair<Record>(
  ctx: CallContext,
  pairs: Pairs<Record>,
  { id, isSame, reason }: { id: string; isSame: boolean; reason?: string | null | undefined },
): Promise<DuplicatePair<Record>> {
  const { now, actorId } = causeOf(ctx);
  return ctx.db.transaction().execute(async (trx) => {
    const ofTrx = { db: trx, limit: ctx.limit };
    await requirePair(ofTrx, pairs, id);
    const dismissed = isSame
      ? { dismissed_at: null, dismissed_by: null, dismissal_reason: null }
      : { dismissed_at: now, dismissed_by: actorId, dismissal_reason: reason ?? null };
    await trx
      .updateTable('duplicate_pair')
      .set(dismissed)
      .where('id', '=', id)
      .where('collection', '=', pairs.resource.name)
      .where('dismissed_at', isSame ? 'is not' : 'is', null)
      .execute();
    const pair = await requirePair(ofTrx, pairs, id);
    const [shown] = await withActors(trx, [pair], ctx.caller);
    return shown ?? pair;
  });
}

const NEW = 'new';

export interface LookAlike<Row = ComparedRecord> {
  score: number;
  reasons: Reason[];
  record: Row;
}

/**
 * Finds the records that new ones look like, by default score: at most five, the most probable first, among
 * those the worker has already processed.
 *
 * @param profiles the new records by any ID
 * @param limit the offices of the other records; undefined for all
 * @returns by the same IDs; records without look-alikes are left out
 */
export async function findLookAlikes<Row extends ComparedRecord>(
  trx: Transaction<Database>,
  resource: DirectoryResource<Row>,
  { profiles, limit }: { profiles: Profiles; limit: OfficeLimit | undefined },
): Promise<Map<string, LookAlike<Row>[]>> {
  await withIndexes(trx);
  const keyed = withKeys(resource.name, profiles);
  const alike = await compareWithOthers(trx, resource, { ...keyed, isStored: false, limit });
  const byId = Map.groupBy(
    alike.filter(({ score }) => score >= SCORE_DEFAULT),
    ({ id }) => id,
  );
  const byScore = (one: LookAlike<Row>, other: LookAlike<Row>) =>
    other.score - one.score || (one.record.id < other.record.id ? -1 : 1);
  return new Map(
    Array.from(byId, ([id, some]) => {
      const found = some.map(({ other: record, score, reasons }) => ({ score, reasons, record }));
      return [id, found.sort(byScore).slice(0, LOOK_ALIKES_MAX)];
    }),
  );
}

/** Only visible records. Throws `validation_failed` for an invalid phone number. */
export async function checkDuplicates<Row extends ComparedRecord>(
  ctx: RecordContext,
  resource: DirectoryResource<Row>,
  input: object,
): Promise<{ lookAlikes: LookAlike<Row>[] }> {
  const { db, limit } = ctx;
  const record = await withReadTelephones(db, resource, { input }, countrySources(ctx));
  return inTransaction(db, async (trx) => {
    const profiles = readProfiles(resource, [{ ...record, id: NEW }]);
    const found = await findLookAlikes(trx, resource, { profiles, limit });
    return { lookAlikes: found.get(NEW) ?? [] };
  });
}

export { type ComparedRecord, readProfiles };

interface PairFilter {
  collection: string;
  table: string;
  /** Undefined if records belong to no office: then no pair is of an office. */
  officeColumn: string | undefined;
  minScore: number;
  kinds?: string[] | undefined;
  officeIds?: string[] | undefined;
  recordId?: string | undefined;
  /** Undecided pairs, or dismissed ones; undefined for both. */
  isDismissed?: boolean | undefined;
}

interface PairShape extends Pick<PairFilter, 'collection' | 'table' | 'officeColumn' | 'isDismissed'> {
  ofKinds: boolean;
  ofOffices: boolean;
  ofRecord: boolean;
}

const isPair = fragment<PairShape, Condition>(
  ({ collection, table, officeColumn, ofKinds, ofOffices, ofRecord, isDismissed }, param) => {
    const record = sql.ref('paired.id');
    const from = sql`select from ${sql.table(table)} as paired`;
    const conditions = [
      sql`collection = ${sql.lit(collection)} and score >= ${param('min_score')}::numeric`,
      sql`exists (${from} where ${record} = first_id) and exists (${from} where ${record} = second_id)`,
      ...(ofKinds ? [sql`kinds && ${param('kinds')}::text[]`] : []),
      ...(ofOffices
        ? [
            officeColumn === undefined
              ? sql`false`
              : sql`exists (${from} where ${record} in (first_id, second_id)
                and ${sql.ref(`paired.${officeColumn}`)} = any(${param('pair_office_ids')}::uuid[]))`,
          ]
        : []),
      ...(ofRecord
        ? [sql`(first_id = ${param('record_id')}::uuid or second_id = ${param('record_id')}::uuid)`]
        : []),
      ...(isDismissed === undefined ? [] : [sql`dismissed_at is ${isDismissed ? sql`not null` : sql`null`}`]),
    ];
    return sql`(${sql.join(conditions, sql` and `)})`;
  },
);

function byPair({ minScore, kinds, officeIds, recordId, ...pair }: PairFilter): Filter {
  const { collection, table, officeColumn, isDismissed } = pair;
  const shape = { collection, table, officeColumn, isDismissed };
  return {
    condition: isPair({
      ...shape,
      ofKinds: kinds !== undefined,
      ofOffices: officeIds !== undefined,
      ofRecord: recordId !== undefined,
    }),
    values: { min_score: minScore, kinds, pair_office_ids: officeIds, record_id: recordId },
  };
}
