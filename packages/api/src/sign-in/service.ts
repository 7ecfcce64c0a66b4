import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { lockNumber } from '../access/creation-limits.ts';
import { hashOf } from '../access/secret.ts';
import { RosterError } from '../errors/roster-error.ts';
import { recordSignIn } from '../people/repository.ts';
import { createPersonAtSignIn } from '../people/sign-in.ts';
import { ADMIN_KEY_ID } from '../resources/actor.ts';
import { inTransaction } from '../resources/write/transaction.ts';
import type { SessionOwner } from '../sessions/repository.ts';
import { deleteOldestLinks, storeSignIn } from './repository.ts';

/** The first person, whose name and e-mail address can be changed afterwards. */
const FIRST_PERSON = { name: 'Administrator', email: 'admin@localhost' };

/** Whether anyone may sign in already, or has been invited. */
export async function hasPeople(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('person').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Creates the first person, with the role admin for everything. Returns the id; undefined if there is a person already.
 *
 * @param trx A transaction
 */
export async function createFirstPerson(
  trx: Kysely<Database>,
  cause: { now: Date; requestId: string },
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('roster_first_person'))`.execute(trx);
  if (await hasPeople(trx)) return undefined;
  const grants = [{ role: 'admin' as const, officeIds: null }];
  const { id } = await createPersonAtSignIn(trx, { ...FIRST_PERSON, grants }, cause);
  await recordSignIn(trx, { id, now: cause.now });
  return id;
}

/**
 * Whose a new session of a caller is. Throws `insufficient_scope` for a secret that was rotated away, because the session would work
 * for longer than the secret.
 *
 * @param secret The secret that the caller has sent; of a caller with a session that of the session
 */
export async function findOwner(
  db: Kysely<Database>,
  { type, id, sessionId, isCurrent }: Caller,
  secret: string,
): Promise<SessionOwner> {
  if (type === 'person') return { personId: id };
  if (id !== ADMIN_KEY_ID) {
    if (!isCurrent) throw new RosterError('insufficient_scope', 'Use the current secret of the key.');
    return { keyId: id };
  }
  if (sessionId === undefined) return { adminKeyHash: hashOf(secret) };
  const session = db.selectFrom('session').where('id', '=', sessionId).select('admin_key_hash');
  return { adminKeyHash: (await session.executeTakeFirst())?.admin_key_hash ?? hashOf(secret) };
}

/** The links of one owner that have not been used. */
export const LINKS_MAX = 20;

/** Stores what a link leads to: a session of its owner. If the owner has 20 already, the oldest works no longer. */
export async function storeLink(
  db: Kysely<Database>,
  { data, ...link }: { data: { owner: object }; secret: string; now: Date; lifetimeMs: number },
): Promise<void> {
  const owner = JSON.stringify(data.owner);
  await inTransaction(db, async (trx) => {
    await lockNumber(trx, `links of ${owner}`);
    await deleteOldestLinks(trx, { owner, kept: LINKS_MAX - 1 });
    await storeSignIn(trx, { ...link, kind: 'link', data });
  });
}

/** The ID token of a session of a person, which the logout at the identity provider asks for; undefined without one. */
export async function findIdToken(db: Kysely<Database>, sessionId: string): Promise<string | undefined> {
  const session = db.selectFrom('session').where('id', '=', sessionId).select('id_token');
  return (await session.executeTakeFirst())?.id_token ?? undefined;
}
