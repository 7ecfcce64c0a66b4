import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { hashOf } from '../access/secret.ts';
import { deleteInBatches } from '../resources/retention.ts';

type Kind = Database['sign_in']['kind'];

/** A row of the table sign_in, found by a secret that works once. */
interface PendingSignIn {
  /** A random text of 256 bits, of which only the SHA-256 is stored. */
  secret: string;
  kind: Kind;
  now: Date;
}

/** Stores what a secret leads to, for so long. */
export async function storeSignIn(
  db: Kysely<Database>,
  { secret, kind, now, data, lifetimeMs }: PendingSignIn & { data: object; lifetimeMs: number },
): Promise<void> {
  await db
    .insertInto('sign_in')
    .values({
      hash: hashOf(secret),
      kind,
      data: JSON.stringify(data),
      expires_at: new Date(now.getTime() + lifetimeMs),
    })
    .execute();
}

/** Deletes all but the newest links of an owner, which is the JSON that was stored. */
export async function deleteOldestLinks(
  db: Kysely<Database>,
  { owner, kept }: { owner: string; kept: number },
): Promise<void> {
  await sql`
    delete from sign_in where hash in (
      select hash from sign_in where kind = 'link' and data ->> 'owner' = ${owner}
      order by expires_at desc, hash offset ${sql.lit(kept)}
    )`.execute(db);
}

/** Takes what a secret leads to, so that nobody can again; undefined if it is unknown, used or expired. */
export async function takeSignIn<Data>(
  db: Kysely<Database>,
  { secret, kind, now }: PendingSignIn,
): Promise<Data | undefined> {
  const { rows } = await sql<{ data: Data; isExpired: boolean }>`
    delete from sign_in where hash = ${hashOf(secret)} and kind = ${kind}
    returning data, expires_at <= ${now} as "isExpired"`.execute(db);
  const [found] = rows;
  return found === undefined || found.isExpired ? undefined : found.data;
}

/** Reads what a secret leads to and leaves it there, for a terminal that asks again and again. */
export async function readSignIn<Data>(
  db: Kysely<Database>,
  { secret, kind, now }: PendingSignIn,
): Promise<Data | undefined> {
  const { rows } = await sql<{ data: Data }>`
    select data from sign_in
    where hash = ${hashOf(secret)} and kind = ${kind} and expires_at > ${now}`.execute(db);
  return rows[0]?.data;
}

/** Records that a message of an identity provider was used. Returns false if it was before. */
export async function recordLogoutToken(
  db: Kysely<Database>,
  { id, expiresAt }: { id: string; expiresAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into sign_in (hash, kind, data, expires_at) values (${hashOf(id)}, 'logout', '{}', ${expiresAt})
    on conflict do nothing returning 1`.execute(db);
  return rows.length > 0;
}

/** Deletes what has expired. Any number of servers can run it at the same time. */
export function deleteExpiredSignIns(db: Kysely<Database>, now: Date): Promise<number> {
  return deleteInBatches(db, 'sign_in', sql`expires_at <= ${now}`, ['hash']);
}
