import { RosterError } from '@roster/api';
import {
  createPersonAtSignIn,
  findOrLinkPerson,
  type Person,
  recordSignIn,
  updatePersonAtSignIn,
} from '@roster/api/server';
import { codeOf, type Database, SQLSTATE, type StoredGrant } from '@roster/db';
import type { Transaction } from 'kysely';
import { emailOf, grantsOf, identityOf, invitedEmailOf, nameOf, providerSessionOf } from './claims.ts';
import type { SignInContext } from './context.ts';
import type { Claims, ConfirmedSignIn, IdentityProvider } from './identity-provider.ts';

export interface SignedInPerson {
  personId: string;
  name: string;
  providerSession: string | undefined;
  idToken: string;
}

interface Admitting<Result> {
  confirmed: ConfirmedSignIn;
  requestId: string;
  /** Runs in the transaction that admits the person, so deactivating the person ends the result too. */
  store: (trx: Transaction<Database>, person: SignedInPerson) => Promise<Result>;
}

/** Admits a known person, one who was invited, or a new one if the claims give a role. Rejects with `sign_in_denied`. */
export async function admitPerson<Result>(
  { db, now, keys }: Pick<SignInContext, 'db' | 'now' | 'keys'>,
  { config }: IdentityProvider,
  { confirmed: { claims, idToken }, requestId, store }: Admitting<Result>,
): Promise<{ person: SignedInPerson; stored: Result }> {
  const cause = { now: now(), requestId };
  const grants = config.claims && grantsOf(claims, config.claims);
  if (config.claims !== undefined && grants === undefined)
    throw denied('The identity provider gives you no role here.');
  const admission = { claims, grants, verifiedEmail: invitedEmailOf(claims, config), cause };
  const providerSession = providerSessionOf(claims);
  const admit = async (trx: Transaction<Database>) => {
    const { id: personId, name } = await admitIn(trx, admission);
    const person = { personId, name, providerSession, idToken };
    return { person, stored: await store(trx, person) };
  };
  const admitted = await db
    .transaction()
    .execute(admit)
    .catch((error: unknown) => {
      // The same person may have signed in elsewhere for the first time at this moment.
      if (!isTaken(error)) throw error;
      return db.transaction().execute(admit);
    })
    .catch((error: unknown) => {
      throw isTaken(error) ? denied('Another person has your e-mail address here.') : error;
    });
  keys.invalidate();
  return admitted;
}

interface Admission {
  claims: Claims;
  /** Those of the claims; undefined if the invitation counts. */
  grants: StoredGrant[] | undefined;
  verifiedEmail: string | undefined;
  cause: { now: Date; requestId: string };
}

async function admitIn(
  trx: Transaction<Database>,
  { claims, grants, verifiedEmail, cause }: Admission,
): Promise<Person> {
  const identity = identityOf(claims);
  const find = () => findOrLinkPerson(trx, { ...identity, verifiedEmail }, cause);
  // Twice: another sign-in may have linked the invitation while this one waited for its row.
  const found = (await find()) ?? (await find());
  if (found?.status === 'inactive') throw denied('You may not sign in any more.');
  if (found === undefined && grants === undefined)
    throw denied('You are not invited, or the identity provider has not verified your e-mail address.');
  const admitted =
    found === undefined
      ? await createPersonAtSignIn(trx, { ...newPerson(claims), grants: grants ?? [], identity }, cause)
      : await updatePersonAtSignIn(trx, { id: found.id, grants }, cause);
  await recordSignIn(trx, { id: admitted.id, now: cause.now });
  return admitted;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === SQLSTATE.uniqueViolation;
}

/** Rejects with `sign_in_denied` without an email address. */
function newPerson(claims: Claims): { name: string; email: string } {
  const email = emailOf(claims);
  if (email === undefined) throw denied('The identity provider does not say your e-mail address.');
  return { name: nameOf(claims) ?? email.slice(0, 200), email };
}

function denied(detail: string): RosterError {
  return new RosterError('sign_in_denied', detail);
}
