import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { hashOf } from '../../access/secret.ts';
import { deleteInBatches } from '../../engine/retention.ts';
import { isOf, ownerColumns, ownerOf, type SessionOwner } from '../sessions/repository.ts';

type Kind = Database['sign_in']['kind'];

interface PendingSignIn {
  /** 256 random bits. Only their SHA-256 is stored. */
  secret: string;
  kind: Kind;
  now: Date;
}

export interface NewSignIn extends PendingSignIn {
  data: object;
  lifetimeMs: number;
  owner?: SessionOwner | undefined;
  sessionId?: string | undefined;
  providerSession?: string | undefined;
}

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

/** Includes replaced links until they expire, but not used ones. */
export async function countEmailLinks(
  db: Kysely<Database>,
  { personId, now }: { personId: string; now: Date },
): Promise<number> {
  const { count } = await db
    .selectFrom('sign_in')
    .where('kind', '=', 'email')
    .where('person_id', '=', personId)
    .where('expires_at', '>', now)
    .select((row) => row.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Keeps the rows, by which the links of a person are counted. */
export async function endEmailLinks(db: Kysely<Database>, { personId }: { personId: string }): Promise<void> {
  await db
    .updateTable('sign_in')
    .set({ data: '{}' })
    .where('kind', '=', 'email')
    .where('person_id', '=', personId)
    .execute();
}

/** Works once; undefined if the secret is unknown, used or expired. */
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

/** Returns false if the message was already used. */
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

export function deleteExpiredSignIns(db: Kysely<Database>, now: Date): Promise<number> {
  return deleteInBatches(db, 'sign_in', sql`expires_at <= ${now}`, ['hash']);
}
