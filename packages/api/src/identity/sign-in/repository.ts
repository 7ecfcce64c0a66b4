import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { deleteInBatches } from '../../engine/retention.ts';
import { hashOf } from '../access/secret.ts';
import { isOf, ownerColumns, ownerOf, type SessionOwner } from '../sessions/repository.ts';

type Kind = Database['sign_in']['kind'];

/** A row of the table sign_in, found by a secret that works once. */
interface PendingSignIn {
  /** A random text of 256 bits, of which only the SHA-256 is stored. */
  secret: string;
  kind: Kind;
  now: Date;
}

/** A new row, with the target of its secret, its lifetime, and the owner of the session that it gives. */
export interface NewSignIn extends PendingSignIn {
  data: object;
  lifetimeMs: number;
  /** Nobody's gives no session, or makes the first person. */
  owner?: SessionOwner | undefined;
  /** The session that makes a link. */
  sessionId?: string | undefined;
  /** The `sid` of the session at the identity provider. */
  providerSession?: string | undefined;
}

/** Stores what a secret leads to. */
export async function storeSignIn(
  db: Kysely<Database>,
  { secret, kind, now, data, lifetimeMs, owner, sessionId, providerSession }: NewSignIn,
): Promise<void> {
  await db
    .insertInto('sign_in')
    .values({
      hash: hashOf(secret),
      kind,
      data: JSON.stringify(data),
      ...(owner && ownerColumns(owner)),
      session_id: sessionId ?? null,
      provider_session: providerSession ?? null,
      expires_at: new Date(now.getTime() + lifetimeMs),
    })
    .execute();
}

/** Deletes all but the newest links of an owner beside a new one. */
export async function deleteOldestLinks(
  db: Kysely<Database>,
  { owner, secret, kept }: { owner: SessionOwner; secret: string; kept: number },
): Promise<void> {
  const oldest = db
    .selectFrom('sign_in')
    .where('kind', '=', 'link')
    .where(isOf(owner))
    .where('hash', '<>', hashOf(secret))
    .select('hash')
    .orderBy('expires_at', 'desc')
    .orderBy('hash')
    .offset(kept);
  await db.deleteFrom('sign_in').where('hash', 'in', oldest).execute();
}

/** Whose session a link gives, and which session has made it; undefined if there is no such link. Leaves it there. */
export async function findLink(
  db: Kysely<Database>,
  { secret, now }: Pick<PendingSignIn, 'secret' | 'now'>,
): Promise<{ owner: SessionOwner | undefined; sessionId: string | undefined } | undefined> {
  const link = await db
    .selectFrom('sign_in')
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', 'link')
    .where('expires_at', '>', now)
    .select(['person_id', 'key_id', 'admin_key_hash', 'session_id'])
    .executeTakeFirst();
  return link && { owner: ownerOf(link), sessionId: link.session_id ?? undefined };
}

/** Takes what a secret leads to, so that nobody can again; undefined if it is unknown, used or expired. */
export async function takeSignIn<Data>(
  db: Kysely<Database>,
  { secret, kind, now }: PendingSignIn,
): Promise<Data | undefined> {
  const found = await db
    .deleteFrom('sign_in')
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', kind)
    .returning(['data', 'expires_at'])
    .executeTakeFirst();
  return found === undefined || found.expires_at <= now ? undefined : (found.data as Data);
}

/** Reads what a secret leads to and leaves it there, for a terminal that asks again and again. */
export async function readSignIn<Data>(
  db: Kysely<Database>,
  { secret, kind, now }: PendingSignIn,
): Promise<Data | undefined> {
  const found = await db
    .selectFrom('sign_in')
    .where('hash', '=', hashOf(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .select('data')
    .executeTakeFirst();
  return found?.data as Data | undefined;
}

/** Records that a message of an identity provider was used. Returns false if it was before. */
export async function recordLogoutToken(
  db: Kysely<Database>,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('sign_in')
    .values({ hash: hashOf(id), kind: 'logout', data: '{}', expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Deletes what has expired. Any number of servers can run it at the same time. */
export function deleteExpiredSignIns(db: Kysely<Database>, now: Date): Promise<number> {
  return deleteInBatches(db, 'sign_in', sql`expires_at <= ${now}`, ['hash']);
}
