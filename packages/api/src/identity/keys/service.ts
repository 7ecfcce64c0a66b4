import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { changeRow } from '../../access/access-rows.ts';
import { checkCreationLimit, creations, lockNumber } from '../../access/creation-limits.ts';
import { givenOffices } from '../../access/office-ids.ts';
import {
  checkCurrentSecret,
  checkExpiresFirst,
  checkExpiry,
  checkGivenRights,
  checkMayChange,
  rightOfKey,
} from '../../access/rights.ts';
import { scopes as allScopes, type Scope } from '../../access/scopes.ts';
import { newSecret, rotateSecret } from '../../access/secret.ts';
import { noRecordError, requireRecord } from '../../engine/list/find-record.ts';
import { newId } from '../../engine/new-id.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { writeAdminEvent } from '../../log/admin-events.ts';
import type { AdminVerb } from '../../log/types.ts';
import { causeOf } from '../../records/service.ts';
import type { CallContext } from '../../trpc/context.ts';
import { endLinksOfKey, expireSessionsOfKey } from '../sessions/repository.ts';
import { endSecrets, insertSecret, keys, type LockedKey, lockKey } from './repository.ts';
import type { Key, KeyWithSecret } from './schemas.ts';

interface NewKeyInput {
  name: string;
  scopes: Scope[];
  officeIds?: string[] | null | undefined;
  expiresAt?: string | null | undefined;
}

/**
 * Creates a key with its first secret, which only this returns. Throws `insufficient_scope`,
 * `reference_not_found`, `limit_reached`, and `validation_failed` if the key would expire later than the
 * caller.
 */
export async function createKey(ctx: CallContext, input: NewKeyInput): Promise<KeyWithSecret> {
  const officeIds = await givenOffices(ctx.db, ctx.limit, input.officeIds);
  checkGivenRights(ctx.caller, [rightOfKey({ scopes: input.scopes, officeIds })]);
  checkExpiry(ctx.caller, input.expiresAt);
  const cause = causeOf(ctx);
  return ctx.db.transaction().execute(async (trx) => {
    await checkCreationLimit(trx, 'keys', ctx);
    return insertNewKey(trx, { ...input, officeIds, cause });
  });
}

async function insertNewKey(
  db: Kysely<Database>,
  { name, scopes, officeIds = null, expiresAt = null, cause }: NewKeyInput & { cause: ChangeCause },
): Promise<KeyWithSecret> {
  const { now, actorId } = cause;
  const id = newId(now);
  const secret = newSecret();
  await db
    .insertInto('api_key')
    .values({
      id,
      name,
      scopes: [...new Set(scopes)],
      office_ids: officeIds,
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
      created_by: actorId,
    })
    .execute();
  await insertSecret(db, { keyId: id, secret, now });
  const key = await requireRecord(db, keys, { id, limit: undefined });
  await writeAdminEvent(db, { type: 'key.created', after: key, cause });
  return { ...key, secret };
}

export async function hasKeys(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('api_key').select('id').limit(1).executeTakeFirst()) !== undefined;
}

interface FirstKey {
  now: Date;
  /** Receives the secret before the commit. If it throws, the key is not created. */
  beforeCommit: (secret: string) => Promise<void>;
}

/** Undefined if there is a key. Only one of several servers that start together creates it. */
export async function createFirstKey(
  db: Kysely<Database>,
  { now, beforeCommit }: FirstKey,
): Promise<KeyWithSecret | undefined> {
  return db.transaction().execute(async (trx) => {
    await lockNumber(trx, creations.keys.words);
    if (await hasKeys(trx)) return undefined;
    const key = await insertNewKey(trx, {
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
  officeIds?: string[] | null | undefined;
  expiresAt?: string | null | undefined;
}

/** Throws `not_found`, and `insufficient_scope` if the key has a right the caller doesn't. */
async function changeLockedKey(
  ctx: CallContext,
  { id, verb }: { id: string; verb: AdminVerb<'key'> },
  change: (trx: Kysely<Database>, key: LockedKey) => Promise<void>,
): Promise<Key> {
  return inTransaction(ctx.db, async (trx) => {
    const key = await lockKey(trx, id);
    if (key === undefined) throw noRecordError(keys, id);
    const before = await requireRecord(trx, keys, { id, limit: ctx.limit });
    checkMayChange(ctx.caller, [rightOfKey(key)]);
    await change(trx, key);
    const after = await requireRecord(trx, keys, { id, limit: ctx.limit });
    await writeAdminEvent(trx, { type: `key.${verb}`, before, after, cause: causeOf(ctx) });
    return after;
  });
}

/** Throws `not_found`, `insufficient_scope`, `reference_not_found`, `validation_failed` for a later expiry. */
export async function updateKey(ctx: CallContext, { id, name, ...patch }: Patch): Promise<Key> {
  const { scopes, expiresAt } = patch;
  return changeLockedKey(ctx, { id, verb: 'updated' }, async (trx, key) => {
    const isOfficesKept = patch.officeIds === undefined;
    const officeIds = isOfficesKept ? key.officeIds : await givenOffices(trx, ctx.limit, patch.officeIds);
    const given = rightOfKey({ scopes: scopes ?? key.scopes, officeIds });
    checkGivenRights(ctx.caller, [given]);
    if (expiresAt !== undefined) checkExpiry(ctx.caller, expiresAt);
    const hasNewScopes = given.scopes.some((scope) => !key.scopes.includes(scope));
    if ((hasNewScopes || !isOfficesKept) && expiresAt === undefined)
      checkExpiresFirst(ctx.caller, key.expires_at);
    const values = {
      name,
      scopes: scopes && [...new Set(scopes)],
      office_ids: isOfficesKept ? undefined : officeIds,
      expires_at: expiresAt,
    };
    await changeRow(trx, 'api_key', { id, now: ctx.now(), values });
  });
}

/** Permanent. Also deletes the key's private views. Throws `not_found`, `insufficient_scope`. */
export async function revokeKey(ctx: CallContext, id: string): Promise<Key> {
  return changeLockedKey(ctx, { id, verb: 'revoked' }, async (trx, key) => {
    if (key.revoked_at !== null) return;
    const now = ctx.now();
    await changeRow(trx, 'api_key', { id, now, values: { revoked_at: now } });
    await endLinksOfKey(trx, id);
  });
}

/** Both secrets are valid during the overlap. Throws `not_found`, `insufficient_scope`, `key_revoked`. */
export async function rotateKey(
  ctx: CallContext,
  { id, overlapSeconds }: { id: string; overlapSeconds?: number | undefined },
): Promise<KeyWithSecret> {
  checkCurrentSecret(ctx.caller);
  const rotation = { now: ctx.now(), secret: newSecret(), overlapSeconds };
  return rotateSecret(rotation, ({ now, secret, previousEndsAt }) =>
    changeLockedKey(ctx, { id, verb: 'rotated' }, async (trx, { revoked_at, expires_at }) => {
      if (revoked_at !== null) throw new RosterError('key_revoked', 'The key is revoked, for good.');
      checkExpiresFirst(ctx.caller, expires_at);
      await endSecrets(trx, { keyId: id, endsAt: previousEndsAt });
      await expireSessionsOfKey(trx, { keyId: id, endsAt: previousEndsAt });
      await insertSecret(trx, { keyId: id, secret, now });
    }),
  );
}
