import type { Database, StoredGrant } from '@roster/db';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { findRecord } from '../../engine/list/find-record.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { isChanged, writeAdminEvent } from '../../events/log/admin-events.ts';
import {
  changePerson,
  type Identity,
  idOfIdentity,
  idOfUnlinkedEmail,
  insertPerson,
  lockPerson,
  people,
} from './repository.ts';
import type { Person } from './schemas.ts';
import { getPerson } from './service.ts';

/** The cause of what a sign-in changes in people. The service makes these changes itself, so that their events have no actor. */
type SignInCause = Pick<ChangeCause, 'now' | 'requestId'>;

interface IdentityClaims extends Identity {
  /** The e-mail address, if the identity provider says that it is verified. */
  verifiedEmail?: string | undefined;
}

/**
 * Finds the person who signs in at an identity provider: the one with this identity, or one with the verified e-mail address
 * who has no identity yet and gets this one. An inactive person is found too: check the status.
 *
 * @param trx A transaction
 */
export async function findOrLinkPerson(
  trx: Kysely<Database>,
  { verifiedEmail, ...identity }: IdentityClaims,
  { now }: SignInCause,
): Promise<Person | undefined> {
  const known = await idOfIdentity(trx, identity);
  if (known !== undefined) return findPerson(trx, known);
  const id = verifiedEmail === undefined ? undefined : await idOfUnlinkedEmail(trx, verifiedEmail);
  if (id === undefined) return undefined;
  await changePerson(trx, { id, now, ...identity });
  return findPerson(trx, id);
}

/** One person; undefined if there is none. */
export async function findPerson(db: Kysely<Database>, id: string): Promise<Person | undefined> {
  return (await findRecord(db, people, { id, limit: undefined }))?.decode();
}

interface NewSignedInPerson {
  name: string;
  email: string;
  grants: readonly StoredGrant[];
  /** The identity at the identity provider; undefined of a person who signs in with a link. */
  identity?: Identity | undefined;
}

/**
 * Creates a person who signs in without having been invited: by the claims of an identity provider, or with the first local
 * link. Writes the event.
 *
 * @param trx A transaction
 */
export async function createPersonAtSignIn(
  trx: Kysely<Database>,
  person: NewSignedInPerson,
  { now, requestId }: SignInCause,
): Promise<Person> {
  const id = uuidv7({ msecs: now.getTime() });
  await insertPerson(trx, { ...person, id, status: 'active', createdBy: null, now });
  const after = await getPerson(
    trx,
    { id, limit: undefined },
    { hasProvider: person.identity !== undefined },
  );
  await writeAdminEvent(trx, { type: 'person.invited', after, cause: { now, requestId, actorId: null } });
  return after;
}

interface PersonClaims {
  name?: string | undefined;
  grants?: readonly StoredGrant[] | undefined;
}

/** Claims as a person shows them. */
function shownClaims({ name, grants }: PersonClaims) {
  return {
    ...(name !== undefined && { name }),
    ...(grants && { grants: grants.map(({ role, officeIds }) => ({ role, officeIds })) }),
  };
}

/**
 * Gives a person the name and the grants that the claims of the identity provider say. Writes the event if they differ. Cached
 * callers are read again on every server; on this one, call `invalidateKeys` after the commit.
 *
 * @param trx A transaction
 */
export async function updatePersonAtSignIn(
  trx: Kysely<Database>,
  { id, ...claims }: PersonClaims & { id: string },
  { now, requestId }: SignInCause,
): Promise<Person> {
  await lockPerson(trx, id);
  const read = () => getPerson(trx, { id, limit: undefined }, { hasProvider: true });
  const before = await read();
  // An update empties the cache of callers on every server, so a sign-in that changes nothing makes none.
  if (!isChanged(before, { ...before, ...shownClaims(claims) })) return before;
  await changePerson(trx, { id, now, ...claims });
  const after = await read();
  const cause = { now, requestId, actorId: null };
  await writeAdminEvent(trx, { type: 'person.updated', before, after, cause });
  return after;
}
