import { codeOf, type Database, SQLSTATE, type StoredGrant } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import { RosterError } from '../../errors/roster-error.ts';
import { type Identity, recordSignIn } from '../people/repository.ts';
import type { Person } from '../people/schemas.ts';
import { createPersonAtSignIn, findOrLinkPerson, updatePersonAtSignIn } from '../people/sign-in.ts';

export interface Confirmed {
  identity: Identity;
  /** Throws `sign_in_failed` if the claims can't be stored. */
  readNew: () => { name: string | undefined; email: string | undefined };
  verifiedEmail: string | undefined;
  grants: StoredGrant[] | undefined;
  providerSession: string | undefined;
  /** Needed to sign out at the provider. */
  idToken: string;
}

export interface AdmittedPerson extends Pick<Confirmed, 'providerSession' | 'idToken'> {
  personId: string;
  name: string;
}

interface Admission extends Confirmed {
  cause: { now: Date; requestId: string };
}

/**
 * Admits a known person, one invited by email address, or, if the provider gives a role, a new one. If the
 * provider gives roles, it alone decides about them. Rejects with `sign_in_denied`.
 *
 * @param store stores what the person gets in the same transaction, so that deactivating the person ends it
 * too
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
      // The person may just have signed in for the first time elsewhere, and so be known now.
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
  // Twice, because another sign-in may have linked the invitation while this one waited for its row.
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

function isTaken(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === SQLSTATE.uniqueViolation;
}

/** Throws `sign_in_denied` without an email address, which every person needs. */
function newPerson({ name, email }: ReturnType<Confirmed['readNew']>): { name: string; email: string } {
  if (email === undefined) throw denied("The identity provider doesn't share your email address.");
  return { name: name ?? email.slice(0, 200), email };
}

function denied(detail: string): RosterError {
  return new RosterError('sign_in_denied', detail);
}
