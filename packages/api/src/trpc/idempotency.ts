import { createHash } from 'node:crypto';
import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { RawJson } from '../engine/json/raw-json.ts';
import type { OfficeLimit } from '../engine/office-limit.ts';
import { deleteInBatches } from '../engine/retention.ts';
import { invalidInput, RosterError } from '../errors/roster-error.ts';
import { checkReplay, type ShownIn } from './replay-authorization.ts';
import { CHARACTERS_PER_UNIT, waitForCapacity } from './validation-queue.ts';

export const RESPONSE_TTL_MS = 24 * 60 * 60 * 1_000;

export interface IdempotentRequest {
  /** A key or a person, whose IDs are distinct. They don't share Idempotency-Keys. */
  actorId: string;
  limit: OfficeLimit | undefined;
  shownIn: ShownIn | undefined;
  operation: string;
  key: string;
  input: unknown;
  fileHash?: Buffer | undefined;
  now: Date;
}

export interface IdempotentResponse<Data> {
  data: Data;
  /** As it was stored; undefined if the change happened now. */
  replayed?: RawJson<Data> | undefined;
}

const REUSED =
  'The first request with this Idempotency-Key had a different body. Its response is kept for 24 hours.';

/** Far deeper than valid inputs; unlimited recursion could exhaust the stack. */
const LEVELS_MAX = 32;

/** Sorts object keys, so that equal inputs have equal JSON. */
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

/** Characters hashed before waiting for the event loop. */
const CHUNK_CHARACTERS = 32_768;

/** Canonical JSON in chunks: one for each item of a top-level list, such as imported records. */
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

/** Doesn't block the event loop for large inputs. */
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

function withFile(input: Buffer, file: Buffer): Buffer {
  return createHash('sha256').update(input).update(file).digest();
}

/**
 * Runs a change at most once for its Idempotency-Key. Stores the response for 24 hours in the transaction of
 * the change. A repeated request gets it. Errors are not stored, so that you can correct the request and use
 * the same key.
 *
 * Throws `idempotency_in_progress` while the first request is running, `idempotency_key_reused` if the input
 * differs, `not_found` if the stored response shows something no longer visible, and `validation_failed` for
 * an input nested too deep.
 */
export async function runIdempotent<Data>(
  db: Kysely<Database>,
  request: IdempotentRequest,
  change: (trx: Transaction<Database>) => Promise<Data>,
): Promise<IdempotentResponse<Data>> {
  const { input, fileHash } = request;
  const hash = await hashInput(input);
  const inputHash = fileHash === undefined ? hash : withFile(hash, fileHash);
  return db.transaction().execute(async (trx) => {
    await lock(trx, request);
    const stored = await findResponse(trx, request);
    if (stored !== undefined) {
      if (!stored.input_hash.equals(inputHash)) throw new RosterError('idempotency_key_reused', REUSED);
      const { response } = stored;
      const data = JSON.parse(response);
      await checkReplay(trx, request, data);
      return { data, replayed: new RawJson<Data>([response], data ?? {}) };
    }
    const data = await change(trx);
    const response = data instanceof RawJson ? data.text() : JSON.stringify(data ?? null);
    await storeResponse(trx, request, { inputHash, response });
    return { data };
  });
}

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
    .selectFrom('idempotent_response')
    .select(['input_hash', sql<string>`response::text`.as('response')])
    .where('actor_id', '=', actorId)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .where('created_at', '>', new Date(now.getTime() - RESPONSE_TTL_MS))
    .executeTakeFirst();
}

async function storeResponse(
  trx: Transaction<Database>,
  { actorId, operation, key, now }: IdempotentRequest,
  { inputHash, response }: { inputHash: Buffer; response: string },
): Promise<void> {
  const values = { input_hash: inputHash, response, created_at: now };
  await trx
    .insertInto('idempotent_response')
    .values({ actor_id: actorId, operation, key, ...values })
    .onConflict((conflict) => conflict.columns(['actor_id', 'operation', 'key']).doUpdateSet(values))
    .execute();
}

/** Returns their number. Safe on any number of servers. */
export function deleteExpiredResponses(db: Kysely<Database>, now: Date): Promise<number> {
  const expiry = new Date(now.getTime() - RESPONSE_TTL_MS);
  const keys = ['actor_id', 'operation', 'key'];
  return deleteInBatches(db, 'idempotent_response', sql`created_at <= ${expiry}`, keys);
}
