import { setTimeout } from 'node:timers/promises';
import { type Database, startPolling } from '@roster/db';
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import {
  type DirectoryResource,
  definitionOf,
  definitions,
  isKnownResource,
  type ResourceName,
} from '../directory/registry.ts';
import { claim } from '../engine/queue/claim.ts';
import { withIndexes } from '../engine/write/transaction.ts';
import type { EventNotifier } from '../log/notifier.ts';
import type { CommonKeys } from './candidates.ts';
import { compareRecords } from './repository.ts';

/** The version of keys, weights and reasons. If it changes, all records are compared again. */
const RULES = 4;
const BATCH_SIZE = 200;
/** Existing records per transaction, in addition; no request waits for these. */
const EARLIER_SIZE = 1_000;
const PAUSE_MS = 250;
/** Finds records the server was not notified of, from a server that has ended. */
const POLL_INTERVAL_MS = 5_000;
const HEAD_INTERVAL_MS = 1_000;
/** The share of time spent comparing: existing records, and while many change. */
const DUTY_IDLE = 0.5;
const DUTY_BUSY = 0.01;
const BUSY_PER_SECOND = 20;

/** Frequent keys are remembered this long, and this many of them. */
const COMMON_MS = 600_000;
const COMMON_MAX = 200_000;

type Resource = DirectoryResource<{ id: string }>;

interface State {
  position: string;
  head: string;
  comparedTo: string | null;
  isComplete: boolean;
}

export async function beginComparison(db: Kysely<Database>, { name }: Resource): Promise<void> {
  const position = db.selectFrom('event_log').select('last_position');
  await db
    .insertInto('comparison')
    .values({ collection: name, rules: RULES, position })
    .onConflict((existing) => existing.column('collection').doNothing())
    .execute();
}

const isBehind = sql<boolean>`
  (not is_complete or rules <> ${RULES} or position < (select last_position from event_log))`;

async function findBehind(db: Kysely<Database>): Promise<Resource[]> {
  const rows = await db
    .selectFrom('comparison')
    .where(isBehind)
    .where(isKnownResource('collection'))
    .select('collection')
    .$narrowType<{ collection: ResourceName }>()
    .execute();
  return rows.map(({ collection }) => definitionOf(collection));
}

async function claimState(trx: Transaction<Database>, { name }: Resource): Promise<State | undefined> {
  const condition = sql<boolean>`collection = ${name} and ${isBehind}`;
  const claimed = claim({ table: 'comparison', key: 'collection', condition, lease: 'transaction' });
  const state = await trx
    .with('claimed', () => sql<Selectable<Database['comparison']>>`(${claimed})`)
    .selectFrom(['claimed', 'event_log'])
    .select(['rules', 'position', 'compared_to as comparedTo', 'is_complete as isComplete'])
    .select('last_position as head')
    .executeTakeFirst();
  if (state === undefined || state.rules === RULES) return state;
  return { ...state, comparedTo: null, isComplete: false };
}

async function readChanged(
  trx: Transaction<Database>,
  { table }: Resource,
  { position, head }: State,
): Promise<{ ids: string[]; position: string; isMore: boolean }> {
  const rows = await trx
    .selectFrom('event')
    .where('position', '>', position)
    .select([
      'subject_id as id',
      'position',
      sql<boolean>`split_part(type, '.', 1) = ${table}`.as('isOfTable'),
    ])
    .orderBy('position')
    .limit(BATCH_SIZE)
    .execute();
  const ids = new Set(rows.filter(({ isOfTable }) => isOfTable).map(({ id }) => id));
  const isMore = rows.length === BATCH_SIZE;
  // The last events may have been deleted: then there is nothing more to compare.
  const last = rows.at(-1)?.position ?? position;
  return { ids: [...ids], position: isMore || Number(last) > Number(head) ? last : head, isMore };
}

async function readNext(
  trx: Transaction<Database>,
  { table }: Resource,
  { comparedTo }: State,
): Promise<string[]> {
  const all = trx.selectFrom(table).select('id').orderBy('id').limit(EARLIER_SIZE);
  const rows = await (comparedTo === null ? all : all.where('id', '>', comparedTo)).execute();
  return rows.map(({ id }) => id);
}

type Left = 'none' | 'earlier' | 'changes';

interface Comparing {
  now: Date;
  common?: CommonKeys;
}

function compareNext(
  db: Kysely<Database>,
  resource: Resource,
  { now, common }: Comparing,
): Promise<Left | undefined> {
  return db.transaction().execute(async (trx) => {
    const state = await claimState(trx, resource);
    if (state === undefined) return undefined;
    const changed = await readChanged(trx, resource, state);
    const isEarlier = !state.isComplete && !changed.isMore;
    const earlier = isEarlier ? await readNext(trx, resource, state) : [];
    const ids = [...new Set([...changed.ids, ...earlier])];
    if (ids.length > 0) {
      await withIndexes(trx);
      await compareRecords(trx, resource, { ids, now, common });
    }
    const isComplete = state.isComplete || (isEarlier && earlier.length < EARLIER_SIZE);
    const comparedTo = earlier.at(-1) ?? state.comparedTo;
    await trx
      .updateTable('comparison')
      .set({
        rules: RULES,
        position: changed.position,
        compared_to: comparedTo,
        is_complete: isComplete,
      })
      .where('collection', '=', resource.name)
      .execute();
    if (changed.isMore) return 'changes';
    return isComplete ? 'none' : 'earlier';
  });
}

/**
 * Compares the records of up to 200 new events; without any more, 1,000 existing records. Each resource has
 * its own transaction, on one server at a time; a failed one rejects after the others.
 *
 * @returns what is left of each compared resource
 */
export async function compareSome(db: Kysely<Database>, options: Comparing): Promise<Left[]> {
  const left: Left[] = [];
  const failures: unknown[] = [];
  for (const resource of await findBehind(db)) {
    try {
      const one = await compareNext(db, resource, options);
      if (one !== undefined) left.push(one);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1)
    throw new AggregateError(failures, 'The records of several resources cannot be compared.');
  if (failures.length > 0) throw failures[0];
  return left;
}

export interface ComparisonWorkerOptions {
  db: Kysely<Database>;
  notifier: EventNotifier;
  /** The clock of the database. */
  now: () => Date;
  onFailure: (error: unknown) => void;
}

async function readHead(db: Kysely<Database>): Promise<number> {
  const log = await db.selectFrom('event_log').select('last_position').executeTakeFirst();
  return Number(log?.last_position ?? 0);
}

/** Comparing takes 1% of the time of one connection while many records change, else half. */
async function pause(
  db: Kysely<Database>,
  { batchMs, head, signal }: { batchMs: number; head: number; signal: AbortSignal },
): Promise<void> {
  const start = performance.now();
  let [from, fromMs] = [head, start - batchMs];
  for (;;) {
    const now = await readHead(db);
    const isBusy = now - from > (BUSY_PER_SECOND * (performance.now() - fromMs)) / 1_000;
    [from, fromMs] = [now, performance.now()];
    const restMs = batchMs * (1 / (isBusy ? DUTY_BUSY : DUTY_IDLE) - 1) - (fromMs - start);
    if (restMs <= 0 || signal.aborted) return;
    await setTimeout(Math.min(restMs, HEAD_INTERVAL_MS), undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Compares records in the background, on one server at a time for each resource. Changes are compared within
 * seconds. Above twenty changes a second it takes 1% of the time of one connection, else half.
 *
 * @returns stops it; resolves when the current batch has ended
 */
export function startComparisonWorker({
  db,
  notifier,
  now,
  onFailure,
}: ComparisonWorkerOptions): () => Promise<void> {
  const stopping = new AbortController();
  let isBegun = false;
  const common: CommonKeys = new Set();
  let commonMs = performance.now();
  const compare = async () => {
    if (!isBegun) for (const resource of definitions) await beginComparison(db, resource);
    isBegun = true;
    const start = performance.now();
    const head = await readHead(db);
    if (start - commonMs > COMMON_MS || common.size > COMMON_MAX) {
      common.clear();
      commonMs = start;
    }
    const rest = () => pause(db, { batchMs: performance.now() - start, head, signal: stopping.signal });
    const left = await compareSome(db, { now: now(), common }).catch(async (error: unknown) => {
      // One resource failed, but the others were compared.
      await rest();
      throw error;
    });
    if (left.length > 0) await rest();
    return left.some((one) => one !== 'none') ? ('more' as const) : undefined;
  };
  const { wake, stop } = startPolling(compare, {
    intervalMs: POLL_INTERVAL_MS,
    pauseMs: PAUSE_MS,
    onError: onFailure,
  });
  const unsubscribe = notifier.subscribe(wake);
  return () => {
    unsubscribe();
    stopping.abort();
    return stop();
  };
}
