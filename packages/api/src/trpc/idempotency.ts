import { createHash } from 'node:crypto';
import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { deleteInBatches } from '../engine/retention.ts';
import { invalidInput, RosterError } from '../errors/roster-error.ts';
import { checkReplay } from './replay-authorization.ts';
import { CHARACTERS_PER_UNIT, waitForCapacity } from './validation-queue.ts';

/** The time for which a response is stored. */
export const RESPONSE_TTL_MS = 24 * 60 * 60 * 1_000;

/** One request with an Idempotency-Key. */
export interface IdempotentRequest {
  /** The key or the person: callers do not share Idempotency-Keys. Both have ids of the server, of which no two are the same. */
  actorId: string;
  /** The offices to which the caller is limited. */
  limit: OfficeLimit | undefined;
  /** The name of the procedure. */
  operation: string;
  /** The Idempotency-Key. */
  key: string;
  input: unknown;
  /** The SHA-256 of the file that belongs to the input, and has been received. */
  fileHash?: Buffer | undefined;
  now: Date;
}

export interface IdempotentResponse {
  data: unknown;
  isReplayed: boolean;
}

/** Far more than any valid input has; recursion into more could exhaust the stack. */
const LEVELS_MAX = 32;

/** Copies a value with the names of its objects sorted, so that equal inputs have equal JSON. */
function sorted(value: unknown, levels = LEVELS_MAX): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) throw tooDeep();
  if (Array.isArray(value)) return value.map((part) => sorted(part, levels - 1));
  const parts = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(parts.map(([name, part]) => [name, sorted(part, levels - 1)]));
}

function tooDeep(): RosterError {
  const detail = `must not be nested deeper than ${LEVELS_MAX} levels`;
  return invalidInput({ pointer: '#', code: 'too_deep', detail });
}

/** The number of characters hashed without waiting for capacity of the event loop. */
const CHUNK_CHARACTERS = 32_768;

/** The canonical JSON of an input, in chunks: each item of a list at the top, such as the records of an import, is one. */
function* chunksOf(input: unknown): Generator<string> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    yield JSON.stringify(sorted(input)) ?? '';
    return;
  }
  const parts = Object.entries(input).filter(([, part]) => part !== undefined);
  yield '{';
  for (const [at, [name, part]] of parts.sort(([a], [b]) => (a < b ? -1 : 1)).entries()) {
    yield `${at === 0 ? '' : ','}${JSON.stringify(name)}:`;
    if (!Array.isArray(part)) yield JSON.stringify(sorted(part, LEVELS_MAX - 1));
    else {
      yield '[';
      for (const [index, item] of part.entries()) {
        yield `${index === 0 ? '' : ','}${JSON.stringify(sorted(item, LEVELS_MAX - 2) ?? null)}`;
      }
      yield ']';
    }
  }
  yield '}';
}

/** The SHA-256 of the canonical JSON of an input. A large one does not block the event loop. */
async function hashInput(input: unknown): Promise<Buffer> {
  const hash = createHash('sha256');
  let length = 0;
  for (const chunk of chunksOf(input)) {
    hash.update(chunk);
    length += chunk.length;
    if (length < CHUNK_CHARACTERS) continue;
    await waitForCapacity(length / CHARACTERS_PER_UNIT);
    length = 0;
  }
  return hash.digest();
}

/** The hash of an input with a file. */
function withFile(input: Buffer, file: Buffer): Buffer {
  return createHash('sha256').update(input).update(file).digest();
}

/**
 * Runs a change at most once for its Idempotency-Key. The response is stored for 24 hours, in the transaction of the change, so
 * that after a crash either both are there or neither. A repeated request gets the stored response. An error is not stored: the
 * caller can correct the request and send it again with the same key.
 *
 * Throws `idempotency_in_progress` while the first request is running, `idempotency_key_reused` if the input differs, `not_found` if
 * the stored response shows what the caller may no longer see, and `validation_failed` if the input is nested too deep.
 */
export async function runIdempotent(
  db: Kysely<Database>,
  request: IdempotentRequest,
  change: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<IdempotentResponse> {
  const { input, fileHash } = request;
  const hash = await hashInput(input);
  const inputHash = fileHash === undefined ? hash : withFile(hash, fileHash);
  return db.transaction().execute(async (trx) => {
    await lock(trx, request);
    const stored = await findResponse(trx, request);
    if (stored !== undefined) {
      if (!stored.input_hash.equals(inputHash)) throw new RosterError('idempotency_key_reused');
      await checkReplay(trx, request, stored.answer);
      return { data: stored.answer, isReplayed: true };
    }
    const data = await change(trx);
    await storeResponse(trx, request, { inputHash, data });
    return { data, isReplayed: false };
  });
}

/** Takes the lock of the key until the transaction ends. */
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
    .where('created_at', '>', new Date(now.getTime() - RESPONSE_TTL_MS))
    .executeTakeFirst();
}

/** Replaces an expired response of the same key. */
async function storeResponse(
  trx: Transaction<Database>,
  { actorId, operation, key, now }: IdempotentRequest,
  { inputHash, data }: { inputHash: Buffer; data: unknown },
): Promise<void> {
  const response = { input_hash: inputHash, answer: JSON.stringify(data ?? null), created_at: now };
  await trx
    .insertInto('idempotent_answer')
    .values({ actor_id: actorId, operation, key, ...response })
    .onConflict((conflict) => conflict.columns(['actor_id', 'operation', 'key']).doUpdateSet(response))
    .execute();
}

/** Deletes expired responses and returns their number. Any number of servers can run it at the same time. */
export function deleteExpiredResponses(db: Kysely<Database>, now: Date): Promise<number> {
  const expiry = new Date(now.getTime() - RESPONSE_TTL_MS);
  const keys = ['actor_id', 'operation', 'key'];
  return deleteInBatches(db, 'idempotent_answer', sql`created_at <= ${expiry}`, keys);
}
