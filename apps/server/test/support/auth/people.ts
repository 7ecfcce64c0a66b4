import { randomBytes, randomUUID } from 'node:crypto';
import type { Grant, Passkey } from '@roster/api';
import { createPasskey, createPersonAtSignIn, createSession } from '@roster/api/testing';
import type { TestServer } from '../index.ts';
import { bearer } from './keys.ts';

export interface TestPerson {
  id: string;
  email: string;
  sessionId: string;
  /** The header that carries the session. */
  headers: { Authorization: string };
}

const LIFETIME_MS = 100 * 365 * 24 * 60 * 60 * 1_000;

/** Starts a session of someone. */
export async function sessionOf(
  { database }: Pick<TestServer, 'database'>,
  owner: { personId: string } | { keyId: string },
) {
  const { id, token } = await createSession(database.db, {
    ...owner,
    // To whoever has signed in with a link, the console offers a passkey.
    method: 'oidc',
    client: 'A test',
    now: new Date(),
    lifetimeMs: LIFETIME_MS,
  });
  return { sessionId: id, headers: bearer(token) };
}

/** Stores a passkey of a person, with which no device signs in. */
export function storePasskey(
  { db }: TestServer['database'],
  personId: string,
  now = new Date(),
): Promise<Passkey> {
  const [credentialId, publicKey] = [randomBytes(32).toString('base64url'), randomBytes(77)];
  const credential = { credentialId, publicKey, counter: 0, transports: ['internal'], isSynced: false };
  const passkey = { ...credential, personId, name: 'A device', now, requestId: null };
  return db.transaction().execute((trx) => createPasskey(trx, passkey));
}

/** An active person with grants and a session. */
export async function personWith(
  server: Pick<TestServer, 'database'>,
  grants: readonly { role: Grant['role']; officeIds?: string[] | null }[],
  name = 'Ana Martins',
): Promise<TestPerson> {
  const email = `${randomUUID()}@atlantico.example`;
  const held = grants.map(({ role, officeIds = null }) => ({ role, officeIds }));
  const cause = { now: new Date(), requestId: null };
  const { id } = await createPersonAtSignIn(server.database.db, { name, email, grants: held }, cause);
  return { id, email, ...(await sessionOf(server, { personId: id })) };
}
