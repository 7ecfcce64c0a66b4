import { createHash } from 'node:crypto';
import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { RosterError } from '../errors/roster-error.ts';
import { CHARACTERS_OF_UNIT, waitForCapacity } from './validation-queue.ts';

export const KEPT_MS = 24 * 60 * 60 * 1_000;

/** One request that may be repeated: who asked for what, under which key. */
export interface IdempotentRequest {
  actorId: string;
  /** The procedure. */
  operation: string;
  /** The Idempotency-Key. */
  key: string;
  input: unknown;
  now: Date;
}

export interface IdempotentAnswer {
  data: unknown;
  isReplayed: boolean;
}

/** Far deeper than any input is; to walk what is deeper still would exhaust the stack. */
const LEVELS_MAX = 32;

/** A value with the names of its objects in order, so that the same input has the same text. */
function ordered(value: unknown, levels = LEVELS_MAX): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw tooDeep();
  if (Array.isArray(value)) return value.map((part) => ordered(part, levels - 1));
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(parts.map(([name, part]) => [name, ordered(part, levels - 1)]));
}

function tooDeep(): RosterError {
  const detail = `must not be nested deeper than ${LEVELS_MAX} levels`;
  const errors = [{ pointer: '#', code: 'too_deep', detail }];
  return new RosterError('validation_failed', `The body ${detail}.`, { errors });
}

/** Characters that are hashed at once. */
const HASHED_AT_ONCE = 32_768;

/** The text of an input, in parts: a list in an object, as an import has one, is a part for each of its items. */
function* textsOf(input: unknown): Generator<string> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    yield JSON.stringify(ordered(input)) ?? '';
    return;
  }
  const parts = Object.entries(input).filter(([, part]) => part !== undefined);
  yield '{';
  for (const [place, [name, part]] of parts.sort(([a], [b]) => (a < b ? -1 : 1)).entries()) {
    yield `${place === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (!Array.isArray(part)) yield JSON.stringify(ordered(part, LEVELS_MAX - 1));
    else {
      yield '[';
      for (const [index, item] of part.entries()) {
        yield `${index === 0 ? '' : ','}${JSON.stringify(ordered(item, LEVELS_MAX - 2) ?? null)}`;
      }
      yield ']';
    }
  }
  yield '}';
}

/** The hash of the text of an input; hundreds of records do not keep other requests waiting for it. */
async function hashOf(input: unknown): Promise<Buffer> {
  const hash = createHash('sha256');
  let length = 0;
  for (const text of textsOf(input)) {
    hash.update(text);
    length += text.length;
    if (length < HASHED_AT_ONCE) continue;
    await waitForCapacity(length / CHARACTERS_OF_UNIT);
    length = 0;
  }
  return hash.digest();
}

/**
 * Runs a change at most once for its key. The answer is kept for 24 hours, written in the transaction of the change:
 * either both are there or neither, whatever is killed when. A repeated request gets the first answer; a refusal
 * is not kept, so that it can be mended and sent again under the same key.
 *
 * Throws `idempotency_in_progress` while the first one runs, `idempotency_key_reused` for another input, and
 * `validation_failed` for one that is nested too deep.
 */
export async function runIdempotent(
  db: Kysely<Database>,
  request: IdempotentRequest,
  change: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<IdempotentAnswer> {
  const inputHash = await hashOf(request.input);
  return db.transaction().execute(async (trx) => {
    await lock(trx, request);
    const kept = await findResponse(trx, request);
    if (kept !== undefined) {
      if (!kept.input_hash.equals(inputHash)) throw new RosterError('idempotency_key_reused');
      return { data: kept.answer, isReplayed: true };
    }
    const data = await change(trx);
    await storeResponse(trx, request, { inputHash, data });
    return { data, isReplayed: false };
  });
}

/** Runs a change in the transaction that `runIdempotent` has begun for it, or in one of its own. */
export async function inTransaction<Result>(
  db: Kysely<Database>,
  change: (trx: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? change(db as Transaction<Database>) : db.transaction().execute(change);
}

/** Held until the transaction ends, by one request at a time. */
async function lock(
  trx: Transaction<Database>,
  { actorId, operation, key }: IdempotentRequest,
): Promise<void> {
  const name = JSON.stringify([actorId, operation, key]);
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as "isFree"`.execute(trx);
  if (rows[0]?.isFree !== true)
    throw new RosterError('idempotency_in_progress', undefined, { retryAfter: 1 });
}

async function findResponse(trx: Transaction<Database>, { actorId, operation, key, now }: IdempotentRequest) {
  return trx
    .selectFrom('idempotent_answer')
    .select(['input_hash', 'answer'])
    .where('actor_id', '=', actorId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('created_at', '>', new Date(now.getTime() - KEPT_MS))
    .executeTakeFirst();
}

/** Takes the place of an answer under the same key whose time is over. */
async function storeResponse(
  trx: Transaction<Database>,
  { actorId, operation, key, now }: IdempotentRequest,
  { inputHash, data }: { inputHash: Buffer; data: unknown },
): Promise<void> {
  const answer = { input_hash: inputHash, answer: JSON.stringify(data ?? null), created_at: now };
  await trx
    .insertInto('idempotent_answer')
    .values({ actor_id: actorId, operation, key, ...answer })
    .onConflict((conflict) => conflict.columns(['actor_id', 'operation', 'key']).doUpdateSet(answer))
    .execute();
}

/** Answers in one statement. */
const AT_ONCE = 5_000;

/**
 * Removes the answers whose time is over. Short statements, one after the other; safe on any number of servers at once.
 * Returns how many it removed.
 */
export async function deleteExpiredResponses(db: Kysely<Database>, now: Date): Promise<number> {
  const end = new Date(now.getTime() - KEPT_MS);
  for (let count = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from idempotent_answer where (actor_id, operation, key) in (
        select actor_id, operation, key from idempotent_answer where created_at <= ${end} limit ${AT_ONCE}
        for update skip locked
      )`.execute(db);
    count += Number(numAffectedRows);
    if (numAffectedRows < AT_ONCE) return count;
  }
}
