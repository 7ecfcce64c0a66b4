import type { Database, StoredGrant } from '@roster/db';
import type { Kysely } from 'kysely';
import { findRecord } from '../../engine/list/find-record.ts';
import { newId } from '../../engine/new-id.ts';
import type { ChangeCause } from '../../engine/outbox/event-outbox.ts';
import { isChanged, writeAdminEvent } from '../../log/admin-events.ts';
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

/** The service makes these changes itself, so their events have no actor. */
type SignInCause = Pick<ChangeCause, 'now' | 'requestId'>;

interface IdentityClaims extends Identity {
  verifiedEmail?: string | undefined;
}

/**
 * Finds the person with this identity, else the one with the verified email address and no identity yet, who
 * is then linked. Inactive people are found too: check the status.
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

export async function findPerson(db: Kysely<Database>, id: string): Promise<Person | undefined> {
  return (await findRecord(db, people, { id, limit: undefined }))?.decode();
}

interface NewSignedInPerson {
  name: string;
  email: string;
  grants: readonly StoredGrant[];
  identity?: Identity | undefined;
}

/**
 * Creates a person who was not invited: from the claims of an identity provider, or with the first local
 * link. Writes the event.
 *
 * @param trx A transaction
 */
export async function createPersonAtSignIn(
  trx: Kysely<Database>,
  person: NewSignedInPerson,
  { now, requestId }: SignInCause,
): Promise<Person> {
  const id = newId(now);
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

function shownClaims({ name, grants }: PersonClaims) {
  return {
    ...(name !== undefined && { name }),
    ...(grants && { grants: grants.map(({ role, officeIds }) => ({ role, officeIds })) }),
  };
}

/**
 * Applies the name and grants from the identity provider's claims. Writes the event if they differ. Other
 * servers reread cached callers; on this one, call `invalidateKeys` after the commit.
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
  // Updates empty the cache of callers on every server, so sign-ins without a change make none.
  if (!isChanged(before, { ...before, ...shownClaims(claims) })) return before;
  await changePerson(trx, { id, now, ...claims });
  const after = await read();
  const cause = { now, requestId, actorId: null };
  await writeAdminEvent(trx, { type: 'person.updated', before, after, cause });
  return after;
}
