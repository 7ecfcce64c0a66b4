import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { lockNumber } from '../../access/creation-limits.ts';
import { hashOf, randomSecret } from '../../access/secret.ts';
import { ADMIN_KEY_ID } from '../../engine/actor.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { RosterError } from '../../errors/roster-error.ts';
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

/** The address is a placeholder, to which nothing is sent. */
export const FIRST_PERSON = { name: 'Administrator', email: 'admin@localhost' };

export async function hasPeople(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('person').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Undefined if there is a person already. Needs a transaction. */
export async function createFirstPerson(
  trx: Kysely<Database>,
  cause: { now: Date; requestId: string },
): Promise<string | undefined> {
  await lockNumber(trx, 'people');
  if (await hasPeople(trx)) return undefined;
  const grants = [{ role: 'admin' as const, officeIds: null }];
  const { id } = await createPersonAtSignIn(trx, { ...FIRST_PERSON, grants }, cause);
  await recordSignIn(trx, { id, now: cause.now });
  return id;
}

/**
 * The owner of a caller's new session. Throws `insufficient_scope` for a rotated secret, which the session
 * would outlive.
 *
 * @param secret the secret sent by the caller, or that of its session
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

export const LINK_MS = 10 * 60 * 1_000;

export async function createFirstLink(
  db: Kysely<Database>,
  { now, data }: { now: Date; data: object },
): Promise<string> {
  const secret = randomSecret();
  await storeSignIn(db, { kind: 'link', secret, data, now, lifetimeMs: LINK_MS });
  return secret;
}

export const LINKS_MAX = 20;

type NewLink = Omit<NewSignIn, 'kind' | 'owner'> & { owner: SessionOwner };

/** Stores a link to a session of its owner. If the owner has 20, the oldest stops working. */
export async function storeLink(db: Kysely<Database>, link: NewLink): Promise<void> {
  const { owner, secret } = link;
  await inTransaction(db, async (trx) => {
    await lockNumber(trx, `links of ${JSON.stringify(owner)}`);
    // The new one first: it waits for concurrent changes of the owner before it locks anything else.
    await storeSignIn(trx, { ...link, kind: 'link' });
    await deleteOldestLinks(trx, { owner, secret, kept: LINKS_MAX - 1 });
  });
}

interface OpenedLink<Data> {
  owner: SessionOwner | undefined;
  openedBy: LinkingSession | undefined;
  data: Data;
}

/**
 * Takes a link once, and prevents its session from ending before the transaction does. Returns undefined if
 * the link is unknown, used or expired, or its session has ended.
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
  // The person first, as where links are ended, then the session.
  if (owner !== undefined && 'personId' in owner) await lockPerson(trx, owner.personId);
  const openedBy = sessionId && (await lockLinkingSession(trx, { id: sessionId, now, idleMs }));
  const data = await takeSignIn<Data>(trx, { secret, kind: 'link', now });
  if (data === undefined || (sessionId !== undefined && !openedBy)) return undefined;
  return { owner, openedBy: openedBy || undefined, data };
}

/** A terminal's sign-in at the identity provider. The terminal proves by a secret that it started it. */
interface SignInOfTerminal {
  personId: string;
  challenge: string;
}

/**
 * Takes a terminal's code once. Returns undefined if it is unknown, used, expired or from another terminal,
 * or the person may not sign in any more.
 *
 * @param trx A transaction
 */
export async function takeTerminalCode<Data extends SignInOfTerminal>(
  trx: Kysely<Database>,
  { secret, now, challenge }: { secret: string; now: Date; challenge: string },
): Promise<Data | undefined> {
  const code = { secret, kind: 'terminal', now } as const;
  const found = await readSignIn<Partial<Data>>(trx, code);
  // The person first, as where codes are ended.
  const person = found?.personId === undefined ? undefined : await lockPerson(trx, found.personId);
  const taken = await takeSignIn<Data>(trx, code);
  const isAllowed = person !== undefined && person.status !== 'inactive' && found?.challenge === challenge;
  return isAllowed ? taken : undefined;
}

export async function findIdToken(db: Kysely<Database>, sessionId: string): Promise<string | undefined> {
  const session = db.selectFrom('session').where('id', '=', sessionId).select('id_token');
  return (await session.executeTakeFirst())?.id_token ?? undefined;
}
