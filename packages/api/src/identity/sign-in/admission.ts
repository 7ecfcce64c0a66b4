import { codeOf, type Database, SQLSTATE, type StoredGrant } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import { type Identity, recordSignIn } from '../people/repository.ts';
import type { Person } from '../people/schemas.ts';
import { createPersonAtSignIn, findOrLinkPerson, updatePersonAtSignIn } from '../people/sign-in.ts';

/** Someone whom an identity provider has confirmed, by what it says about them. */
export interface Confirmed {
  identity: Identity;
  /** Reads what a new person is stored with. Throws `sign_in_failed` if it cannot be. */
  readNew: () => { name: string | undefined; email: string | undefined };
  /** The e-mail address by which an invitation is found; undefined if none counts. */
  verifiedEmail: string | undefined;
  /** Those that the provider gives; undefined if the invitation counts. */
  grants: StoredGrant[] | undefined;
  /** The `sid` of the session at the provider. */
  providerSession: string | undefined;
  /** Needed to sign out at the provider. */
  idToken: string;
}

/** Someone who may sign in, with what a session of theirs stores. */
export interface AdmittedPerson extends Pick<Confirmed, 'providerSession' | 'idToken'> {
  personId: string;
  name: string;
}

interface Admission extends Confirmed {
  cause: { now: Date; requestId: string };
}

/**
 * Admits someone whom the identity provider has confirmed: a known person, one who was invited with the e-mail address, or, if the
 * provider gives a role, a new one. If it is to give roles, it alone decides about them. Rejects with `sign_in_denied`.
 *
 * @param store Stores what the person gets, in the transaction that admits them: whoever deactivates the person ends that too
 */
export async function admitPerson<Result>(
  db: Kysely<Database>,
  { confirmed, cause }: { confirmed: Confirmed; cause: Admission['cause'] },
  store: (trx: Transaction<Database>, person: AdmittedPerson) => Promise<Result>,
): Promise<{ person: AdmittedPerson; stored: Result }> {
  const { providerSession, idToken } = confirmed;
  const admit = async (trx: Transaction<Database>) => {
    const { id: personId, name } = await admitIn(trx, { ...confirmed, cause });
    const person = { personId, name, providerSession, idToken };
    return { person, stored: await store(trx, person) };
  };
  return db
    .transaction()
    .execute(admit)
    .catch((error: unknown) => {
      // The same person may have signed in for the first time elsewhere at this moment: then they are known now.
      if (!isTaken(error)) throw error;
      return db.transaction().execute(admit);
    })
    .catch((error: unknown) => {
      throw isTaken(error) ? denied('Another person already has your email address.') : error;
    });
}

async function admitIn(trx: Transaction<Database>, admission: Admission): Promise<Person> {
  const { identity, verifiedEmail, grants, cause } = admission;
  const find = () => findOrLinkPerson(trx, { ...identity, verifiedEmail }, cause);
  // A second time, because another sign-in may have linked the invitation while this one waited for its row.
  const found = (await find()) ?? (await find());
  if (found?.status === 'inactive') throw denied('You may not sign in any more.');
  if (found === undefined && grants === undefined)
    throw denied('You are not invited, or the identity provider has not verified your email address.');
  const admitted =
    found === undefined
      ? await createPersonAtSignIn(
          trx,
          { ...newPerson(admission.readNew()), grants: grants ?? [], identity },
          cause,
        )
      : await updatePersonAtSignIn(trx, { id: found.id, grants }, cause);
  await recordSignIn(trx, { id: admitted.id, now: cause.now });
  return admitted;
}

/** Whether a person with the identity or the e-mail address exists already. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === SQLSTATE.uniqueViolation;
}

/** A person whom only the provider knows. Throws `sign_in_denied` without an e-mail address, which every person has. */
function newPerson({ name, email }: ReturnType<Confirmed['readNew']>): { name: string; email: string } {
  if (email === undefined) throw denied("The identity provider doesn't share your email address.");
  return { name: name ?? email.slice(0, 200), email };
}

function denied(detail: string): RosterError {
  return new RosterError('sign_in_denied', detail);
}
