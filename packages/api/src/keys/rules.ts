import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../context.ts';
import { RosterError } from '../errors.ts';
import { findRecord } from '../records/pages.ts';
import { changeKey, endSecrets, insertKey, insertSecret, keys, lockKey } from './queries.ts';
import type { Caller } from './ring.ts';
import type { Key, KeyWithSecret } from './schemas.ts';
import { scopes as allScopes, type Scope } from './scopes.ts';
import { newSecret } from './secret.ts';

const DAY_S = 24 * 60 * 60;

/** Reads one key. Throws `not_found`. */
export async function getKey(db: Kysely<Database>, id: string): Promise<Key> {
  const key = await findRecord({ db }, keys, id);
  if (key === undefined) throw new RosterError('not_found', `No key has the id ${id}.`);
  return key;
}

/** Nobody gives away what they may not do: otherwise a key that manages keys would be a key to everything. */
function checkScopes(caller: Caller, wanted: readonly Scope[] | undefined): void {
  const missing = wanted?.filter((scope) => !caller.scopes.includes(scope)) ?? [];
  if (missing.length === 0) return;
  throw new RosterError(
    'insufficient_scope',
    `A key cannot give scopes it does not have: ${missing.join(', ')}.`,
  );
}

interface Wanted {
  name: string;
  scopes: Scope[];
  expiresAt?: string | null | undefined;
}

/** Makes a key and its first secret, which is answered this once. Throws `insufficient_scope`. */
export async function createKey(ctx: Context, caller: Caller, wanted: Wanted): Promise<KeyWithSecret> {
  checkScopes(caller, wanted.scopes);
  return ctx.db.transaction().execute((trx) => makeKey(trx, { ...wanted, now: ctx.now() }));
}

async function makeKey(
  db: Kysely<Database>,
  { name, scopes, expiresAt = null, now }: Wanted & { now: Date },
): Promise<KeyWithSecret> {
  const id = uuidv7({ msecs: now.getTime() });
  const secret = newSecret();
  await insertKey(db, { id, name, scopes: [...new Set(scopes)], expiresAt, now });
  await insertSecret(db, { keyId: id, secret, now });
  return { ...(await getKey(db, id)), secret };
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
    const key = await makeKey(trx, { name: 'First key', scopes: [...allScopes], now });
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

/** Changes a key; to change when one expires is to give what it may do. Throws `not_found`, `insufficient_scope`. */
export async function updateKey(
  ctx: Context,
  caller: Caller,
  { id, name, scopes, expiresAt }: Patch,
): Promise<Key> {
  const given = scopes ?? (expiresAt === undefined ? [] : (await getKey(ctx.db, id)).scopes);
  checkScopes(caller, given);
  await changeKey(ctx.db, {
    id,
    now: ctx.now(),
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes: [...new Set(scopes)] }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  });
  return getKey(ctx.db, id);
}

/** Revokes a key for good; a revoked one is answered as it is. Throws `not_found`. */
export async function revokeKey(ctx: Context, id: string): Promise<Key> {
  return ctx.db.transaction().execute(async (trx) => {
    const key = await lockKey(trx, id);
    if (key?.revoked_at === null) await changeKey(trx, { id, now: ctx.now(), revoked_at: ctx.now() });
    return getKey(trx, id);
  });
}

/**
 * Gives a key a new secret. The one before goes on being valid for the overlap, a day unless given, so that
 * whoever uses it can change over. Throws `not_found`, `insufficient_scope`, `key_revoked`.
 */
export async function rotateKey(
  ctx: Context,
  caller: Caller,
  { id, overlapSeconds = DAY_S }: { id: string; overlapSeconds?: number | undefined },
): Promise<KeyWithSecret> {
  const now = ctx.now();
  const secret = newSecret();
  return ctx.db.transaction().execute(async (trx) => {
    const key = await lockKey(trx, id);
    checkScopes(caller, key?.scopes);
    if (key?.revoked_at) throw new RosterError('key_revoked');
    if (key !== undefined) {
      await endSecrets(trx, { keyId: id, endsAt: new Date(now.getTime() + overlapSeconds * 1_000) });
      await insertSecret(trx, { keyId: id, secret, now });
    }
    return { ...(await getKey(trx, id)), secret };
  });
}
