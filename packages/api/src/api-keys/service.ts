import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { RosterError } from '../errors/roster-error.ts';
import { isChanged, writeAdminEvent } from '../events/admin-events.ts';
import type { keyVerbs } from '../events/types.ts';
import { findRecord } from '../resources/list/list-records.ts';
import { causeOf } from '../resources/service.ts';
import type { Cause } from '../resources/write/event-outbox.ts';
import type { CallContext } from '../trpc/context.ts';
import { inTransaction } from '../trpc/idempotency.ts';
import {
  changeKey,
  endSecrets,
  insertKey,
  insertSecret,
  keys,
  type LockedKey,
  lockKey,
} from './repository.ts';
import { checkEnd, checkGiven, checkMayChange, checkOutlives, checkSecret } from './rights.ts';
import type { Key, KeyWithSecret } from './schemas.ts';
import { scopes as allScopes, type Scope } from './scopes.ts';
import { newSecret } from './secret.ts';

const DAY_S = 24 * 60 * 60;

function notFound(id: string): RosterError {
  return new RosterError('not_found', `No key has the id ${id}.`);
}

/** Reads one key. Throws `not_found`. */
export async function getKey(db: Kysely<Database>, id: string): Promise<Key> {
  const key = (await findRecord(db, keys, id))?.decode();
  if (key === undefined) throw notFound(id);
  return key;
}

interface Wanted {
  name: string;
  scopes: Scope[];
  expiresAt?: string | null | undefined;
}

/**
 * Makes a key and its first secret, which is answered this once. Throws `insufficient_scope`, and `validation_failed` where
 * it would end later than the caller.
 */
export async function createKey(ctx: CallContext, wanted: Wanted): Promise<KeyWithSecret> {
  checkGiven(ctx.caller, wanted.scopes);
  checkEnd(ctx.caller, wanted.expiresAt);
  return ctx.db.transaction().execute((trx) => makeKey(trx, { ...wanted, cause: causeOf(ctx) }));
}

async function makeKey(
  db: Kysely<Database>,
  { name, scopes, expiresAt = null, cause }: Wanted & { cause: Cause },
): Promise<KeyWithSecret> {
  const { now } = cause;
  const id = uuidv7({ msecs: now.getTime() });
  const secret = newSecret();
  await insertKey(db, { id, name, scopes: [...new Set(scopes)], expiresAt, cause });
  await insertSecret(db, { keyId: id, secret, now });
  const key = await getKey(db, id);
  await writeAdminEvent(db, { type: 'key.created', after: key, cause });
  return { ...key, secret };
}

interface FirstKey {
  now: Date;
  /** Told the secret before the key is there; what it throws keeps the key from being made. */
  beforeCommit: (secret: string) => Promise<void>;
}

/**
 * The first key of a new service, with all scopes; undefined where there is any key already. Of several servers
 * that start at once, one makes it.
 */
export async function createFirstKey(
  db: Kysely<Database>,
  { now, beforeCommit }: FirstKey,
): Promise<KeyWithSecret | undefined> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('roster_first_key'))`.execute(trx);
    const any = await trx.selectFrom('api_key').select('id').limit(1).executeTakeFirst();
    if (any !== undefined) return undefined;
    const key = await makeKey(trx, {
      name: 'First key',
      scopes: [...allScopes],
      cause: { now, actorId: null, requestId: null },
    });
    await beforeCommit(key.secret);
    return key;
  });
}

interface Patch {
  id: string;
  name?: string | undefined;
  scopes?: Scope[] | undefined;
  expiresAt?: string | null | undefined;
}

/**
 * Changes a key in a transaction, where the caller has every scope that it has, and writes the event of what has changed.
 * Throws `not_found`, `insufficient_scope`.
 */
async function changing(
  ctx: CallContext,
  { id, verb }: { id: string; verb: (typeof keyVerbs)[number] },
  change: (trx: Kysely<Database>, key: LockedKey) => Promise<void>,
): Promise<Key> {
  return inTransaction(ctx.db, async (trx) => {
    const key = await lockKey(trx, id);
    if (key === undefined) throw notFound(id);
    checkMayChange(ctx.caller, key.scopes);
    const before = await getKey(trx, id);
    await change(trx, key);
    const after = await getKey(trx, id);
    if (isChanged(before, after))
      await writeAdminEvent(trx, { type: `key.${verb}`, before, after, cause: causeOf(ctx) });
    return after;
  });
}

/** Changes a key. Throws `not_found`, `insufficient_scope`, and `validation_failed` for an end later than the caller's. */
export async function updateKey(ctx: CallContext, { id, name, scopes, expiresAt }: Patch): Promise<Key> {
  return changing(ctx, { id, verb: 'updated' }, async (trx, key) => {
    checkGiven(ctx.caller, scopes);
    if (expiresAt !== undefined) checkEnd(ctx.caller, expiresAt);
    const isGivenMore = scopes?.some((scope) => !key.scopes.includes(scope)) === true;
    if (isGivenMore && expiresAt === undefined) checkOutlives(ctx.caller, key.expires_at);
    await changeKey(trx, {
      id,
      now: ctx.services.now(),
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
    });
  });
}

/** Revokes a key for good; a revoked one is answered as it is. Throws `not_found`, `insufficient_scope`. */
export async function revokeKey(ctx: CallContext, id: string): Promise<Key> {
  return changing(ctx, { id, verb: 'revoked' }, async (trx, key) => {
    if (key.revoked_at === null)
      await changeKey(trx, { id, now: ctx.services.now(), revoked_at: ctx.services.now() });
  });
}

/**
 * Gives a key a new secret. The one before goes on being valid for the overlap, a day unless given, so that
 * whoever uses it can change over. Throws `not_found`, `insufficient_scope`, `key_revoked`.
 */
export async function rotateKey(
  ctx: CallContext,
  { id, overlapSeconds = DAY_S }: { id: string; overlapSeconds?: number | undefined },
): Promise<KeyWithSecret> {
  const now = ctx.services.now();
  const secret = newSecret();
  checkSecret(ctx.caller);
  const key = await changing(ctx, { id, verb: 'rotated' }, async (trx, { revoked_at, expires_at }) => {
    if (revoked_at !== null) throw new RosterError('key_revoked');
    checkOutlives(ctx.caller, expires_at);
    await endSecrets(trx, { keyId: id, endsAt: new Date(now.getTime() + overlapSeconds * 1_000) });
    await insertSecret(trx, { keyId: id, secret, now });
  });
  return { ...key, secret };
}
