import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { ADMIN_KEY_ID } from '../../engine/actor.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { RosterError } from '../../errors/roster-error.ts';
import type { Caller } from '../access/caller.ts';
import { lockNumber } from '../access/creation-limits.ts';
import { hashOf, randomSecret } from '../access/secret.ts';
import { lockPerson, recordSignIn } from '../people/repository.ts';
import { createPersonAtSignIn } from '../people/sign-in.ts';
import { type LinkingSession, lockLinkingSession, type SessionOwner } from '../sessions/repository.ts';
import {
  deleteOldestLinks,
  findLink,
  type NewSignIn,
  readSignIn,
  storeSignIn,
  takeSignIn,
} from './repository.ts';

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

/** The time for which a link works. */
export const LINK_MS = 10 * 60 * 1_000;

/** Stores what the link leads to with which the first person signs in, as admin. Returns the secret of the link. */
export async function createFirstLink(
  db: Kysely<Database>,
  { now, data }: { now: Date; data: object },
): Promise<string> {
  const secret = randomSecret();
  await storeSignIn(db, { kind: 'link', secret, data, now, lifetimeMs: LINK_MS });
  return secret;
}

/** The links of one owner that have not been used. */
export const LINKS_MAX = 20;

type NewLink = Omit<NewSignIn, 'kind' | 'owner'> & { owner: SessionOwner };

/** Stores what a link leads to: a session of its owner. If the owner has 20 already, the oldest works no longer. */
export async function storeLink(db: Kysely<Database>, link: NewLink): Promise<void> {
  const { owner, secret } = link;
  await inTransaction(db, async (trx) => {
    await lockNumber(trx, `links of ${JSON.stringify(owner)}`);
    // The new one first: it waits for whoever changes the owner before it holds any other.
    await storeSignIn(trx, { ...link, kind: 'link' });
    await deleteOldestLinks(trx, { owner, secret, kept: LINKS_MAX - 1 });
  });
}

/** A link that is being opened. */
interface OpenedLink<Data> {
  /** Undefined of the link of the first person. */
  owner: SessionOwner | undefined;
  /** The session that made the link; undefined if a key did. */
  openedBy: LinkingSession | undefined;
  data: Data;
}

/**
 * Takes a link, so that nobody can again, and keeps the session that made it from ending before the transaction does. Returns undefined if
 * the link is unknown, was used or has expired, or if that session has ended.
 *
 * @param trx A transaction
 */
export async function takeLink<Data>(
  trx: Kysely<Database>,
  { secret, now, idleMs }: { secret: string; now: Date; idleMs: number },
): Promise<OpenedLink<Data> | undefined> {
  const link = await findLink(trx, { secret, now });
  if (link === undefined) return undefined;
  const { owner, sessionId } = link;
  // The person first, as whoever ends their links does, then the session.
  if (owner !== undefined && 'personId' in owner) await lockPerson(trx, owner.personId);
  const openedBy = sessionId && (await lockLinkingSession(trx, { id: sessionId, now, idleMs }));
  const data = await takeSignIn<Data>(trx, { secret, kind: 'link', now });
  if (data === undefined || (sessionId !== undefined && !openedBy)) return undefined;
  return { owner, openedBy: openedBy || undefined, data };
}

/** A sign-in at the identity provider for a terminal, which proves by a secret that it is the one that waits. */
interface SignInOfTerminal {
  personId: string;
  challenge: string;
}

/**
 * Takes the code of a terminal, so that nobody can again. Returns undefined if it is unknown, was used or has expired, if it is that of
 * another terminal, or if the person may not sign in any more.
 *
 * @param trx A transaction
 */
export async function takeTerminalCode<Data extends SignInOfTerminal>(
  trx: Kysely<Database>,
  { secret, now, challenge }: { secret: string; now: Date; challenge: string },
): Promise<Data | undefined> {
  const code = { secret, kind: 'terminal', now } as const;
  const found = await readSignIn<Partial<Data>>(trx, code);
  // The person first, as whoever ends their codes does.
  const person = found?.personId === undefined ? undefined : await lockPerson(trx, found.personId);
  const taken = await takeSignIn<Data>(trx, code);
  const isAllowed = person !== undefined && person.status !== 'inactive' && found?.challenge === challenge;
  return isAllowed ? taken : undefined;
}

/** The ID token of a session of a person, which the logout at the identity provider asks for; undefined without one. */
export async function findIdToken(db: Kysely<Database>, sessionId: string): Promise<string | undefined> {
  const session = db.selectFrom('session').where('id', '=', sessionId).select('id_token');
  return (await session.executeTakeFirst())?.id_token ?? undefined;
}
