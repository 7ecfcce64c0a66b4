import { codeOf, type Database, SQLSTATE } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import type { Authenticator } from '../../access/authenticator.ts';
import type { Caller } from '../../access/caller.ts';
import { randomSecret } from '../../access/secret.ts';
import { RosterError } from '../../errors/roster-error.ts';
import { toRosterError } from '../../errors/to-roster-error.ts';
import { acceptInvitation, findInvitation, type OpenInvitation } from '../invitations/service.ts';
import {
  type Credential,
  findCredentials,
  recordUseOfPasskey,
  type StoredPasskey,
} from '../passkeys/repository.ts';
import type { Passkey } from '../passkeys/schemas.ts';
import { createPasskey } from '../passkeys/service.ts';
import { recordSignIn } from '../people/repository.ts';
import { findPerson } from '../people/sign-in.ts';
import type { SessionOwner } from '../sessions/repository.ts';
import {
  type CreatedSession,
  createSession,
  endSessions,
  findSession,
  type NewSession,
} from '../sessions/service.ts';
import { type AdmittedPerson, admitPerson, type Confirmed } from './admission.ts';
import { type EmailLink, storeEmailLink, takeEmailLink } from './email-links.ts';
import { type NewSignIn, readSignIn, recordLogoutToken, storeSignIn, takeSignIn } from './repository.ts';
import {
  createFirstPerson,
  findIdToken,
  findOwner,
  LINK_MS,
  storeLink,
  takeLink,
  takeTerminalCode,
} from './service.ts';

/** The time to exchange a terminal's code, including the confirmation page. */
const CODE_MS = 2 * 60 * 1_000;
/** Logout tokens are used at once. Their IDs are kept longer to prevent reuse. */
const LOGOUT_TOKEN_KEPT_MS = 10 * 60 * 1_000;
/** The time after signing in to add a passkey, which would outlive a stolen session. */
const FRESH_MS = 30 * 60 * 1_000;

const INVITATION_ENDED =
  'The link is unknown, was used, revoked or replaced by a newer one, has expired, or its person was changed since. Ask for another one.';

interface Options {
  db: Kysely<Database>;
  now: () => Date;
  keys: Pick<Authenticator, 'invalidate' | 'callerOf'>;
  lifetimeMs: number;
  idleMs: number;
}

export interface SignInClient {
  client: string | undefined;
  requestId: string;
}

type Kind = Exclude<NewSignIn['kind'], 'link' | 'logout' | 'email'>;

export interface Enrolling {
  person: { id: string; name: string; email: string };
  from: string;
}

type HowSignedIn = SessionOwner &
  Pick<NewSession, 'method' | 'openedBy' | 'passkeyId' | 'providerSession' | 'idToken'>;

type TerminalSignIn = AdmittedPerson & { challenge: string };

/** Each rule runs in one transaction. Knows nothing of HTTP, and trusts its host to have checked signatures. */
export class SignIn {
  readonly #db: Kysely<Database>;
  readonly #now: () => Date;
  readonly #keys: Options['keys'];
  readonly #lifetimeMs: number;
  readonly #idleMs: number;

  constructor({ db, now, keys, lifetimeMs, idleMs }: Options) {
    this.#db = db;
    this.#now = now;
    this.#keys = keys;
    this.#lifetimeMs = lifetimeMs;
    this.#idleMs = idleMs;
  }

  /** Stores data behind a secret that works once, and returns the secret. */
  async begin(
    kind: Kind,
    { data, lifetimeMs, secret = randomSecret() }: { data: object; lifetimeMs: number; secret?: string },
  ): Promise<string> {
    await storeSignIn(this.#db, { kind, data, lifetimeMs, secret, now: this.#now() });
    return secret;
  }

  take<Data>(kind: Kind, secret: string): Promise<Data | undefined> {
    return takeSignIn<Data>(this.#db, { kind, secret, now: this.#now() });
  }

  read<Data>(kind: Kind, secret: string): Promise<Data | undefined> {
    return readSignIn<Data>(this.#db, { kind, secret, now: this.#now() });
  }

  /** Signs in someone an identity provider has confirmed. Rejects with `sign_in_denied`. */
  async admit(
    confirmed: Confirmed,
    client: SignInClient,
  ): Promise<{ name: string; session: CreatedSession }> {
    const { person, stored: session } = await this.#admit(confirmed, client, (trx, admitted) =>
      this.#newSession(trx, ofProvider(admitted), client),
    );
    this.#heed(session);
    return { name: person.name, session };
  }

  /** Returns a code for two minutes. `challenge` is the SHA-256 of the terminal's secret in base64url. */
  async admitForTerminal(
    confirmed: Confirmed,
    { challenge, requestId }: Pick<SignInClient, 'requestId'> & { challenge: string },
  ): Promise<{ name: string; code: string }> {
    const secret = randomSecret();
    const { person } = await this.#admit(confirmed, { requestId }, (trx, admitted) => {
      const { personId, providerSession } = admitted;
      const data: TerminalSignIn = { ...admitted, challenge };
      const owned = { owner: { personId }, providerSession };
      return storeSignIn(trx, {
        kind: 'terminal',
        secret,
        data,
        lifetimeMs: CODE_MS,
        now: this.#now(),
        ...owned,
      });
    });
    return { name: person.name, code: secret };
  }

  /** Rejects with `sign_in_failed`. */
  async exchange(
    { code: secret, challenge }: { code: string; challenge: string },
    client: SignInClient,
  ): Promise<{ name: string; session: CreatedSession }> {
    const taken = { secret, challenge, now: this.#now() };
    // In one transaction, so that ending the person's sessions ends this one, or the code.
    const exchanged = await this.#db.transaction().execute(async (trx) => {
      const person = await takeTerminalCode<TerminalSignIn>(trx, taken);
      return (
        person && { name: person.name, session: await this.#newSession(trx, ofProvider(person), client) }
      );
    });
    if (exchanged === undefined)
      throw failed(
        'The code is unknown, was used, is older than two minutes, or has ended with the sessions of the person.',
      );
    this.#heed(exchanged.session);
    return exchanged;
  }

  /** Rejects with `sign_in_failed`, `unauthenticated`, `insufficient_scope`. */
  async openWithKey(secret: string, client: SignInClient): Promise<CreatedSession> {
    const caller = await this.#keys.callerOf(`Bearer ${secret}`);
    if (caller.sessionId !== undefined) throw failed('This is the token of a session, not a key.');
    const owner = await findOwner(this.#db, caller, secret);
    return this.#heed(await this.#newSession(this.#db, { ...owner, method: 'key' }, client));
  }

  /**
   * Creates a link. It belongs to the caller's session or key, and so does the session it opens. Throws
   * `insufficient_scope`.
   *
   * @param credential the secret sent by the caller
   */
  async createLink(
    caller: Caller,
    { credential, data }: { credential: string; data: object },
  ): Promise<{ secret: string; expiresAt: Date }> {
    const owner = await findOwner(this.#db, caller, credential);
    const now = this.#now();
    const secret = randomSecret();
    const { sessionId } = caller;
    await storeLink(this.#db, { secret, now, data, owner, sessionId, lifetimeMs: LINK_MS });
    return { secret, expiresAt: new Date(now.getTime() + LINK_MS) };
  }

  /** Opens a session of the link's owner, or creates the first person. Rejects with `sign_in_failed`. */
  async openLink<Data>(
    secret: string,
    client: SignInClient,
  ): Promise<{ session: CreatedSession; data: Data }> {
    const now = this.#now();
    const opened = await this.#db.transaction().execute(async (trx) => {
      const link = await takeLink<Data>(trx, { secret, now, idleMs: this.#idleMs });
      if (link === undefined) return undefined;
      const owner =
        link.owner === undefined
          ? await firstOwner(trx, { now, requestId: client.requestId })
          : await ownerOfLink(trx, { owner: link.owner, now });
      if (owner === undefined) return undefined;
      const how = { ...owner, method: 'link', openedBy: link.openedBy } as const;
      return { session: await this.#newSession(trx, how, client, now), data: link.data };
    });
    if (opened === undefined)
      throw failed(
        'The link is unknown, was used or replaced by newer ones, has expired, has ended with the session that made it, or its person was changed since.',
      );
    this.#heed(opened.session);
    return opened;
  }

  /** Doesn't use the invitation. Rejects with `sign_in_failed`. */
  async findInvitation(secret: string): Promise<OpenInvitation> {
    const invitation = await findInvitation(this.#db, { secret, now: this.#now() });
    if (invitation === undefined) throw failed(INVITATION_ENDED);
    return invitation;
  }

  /** Signs the person in, with a passkey if given. Rejects with `sign_in_failed`. */
  async acceptInvitation(
    { secret, passkey }: { secret: string; passkey: (Credential & { name: string }) | undefined },
    client: SignInClient,
  ): Promise<CreatedSession> {
    const now = this.#now();
    const cause = { now, requestId: client.requestId };
    const session = await this.#db
      .transaction()
      .execute(async (trx) => {
        const personId = await acceptInvitation(trx, { secret, ...cause });
        if (personId === undefined) throw failed(INVITATION_ENDED);
        const stored = passkey && (await createPasskey(trx, { ...passkey, personId, ...cause }));
        const how =
          stored === undefined
            ? { method: 'link' as const }
            : { method: 'passkey' as const, passkeyId: stored.id };
        return this.#newSession(trx, { personId, ...how }, client, now);
      })
      .catch(rejectKnown);
    return this.#heed(session);
  }

  findPasskeys(which: Parameters<typeof findCredentials>[1]): Promise<StoredPasskey[]> {
    return findCredentials(this.#db, which);
  }

  /** The signature was checked; `counter` is the new one. Rejects with `sign_in_denied`, `sign_in_failed`. */
  async openWithPasskey(
    { passkey, counter }: { passkey: StoredPasskey; counter: number },
    client: SignInClient,
  ): Promise<CreatedSession> {
    const { id: passkeyId, personId } = passkey;
    const now = this.#now();
    const session = await this.#db.transaction().execute(async (trx) => {
      // The person first, as in every change of a person.
      await admitAgain(trx, { id: personId, now });
      if (!(await recordUseOfPasskey(trx, { id: passkeyId, counter, now })))
        throw failed('The passkey was removed, or a copy of it is in use.');
      return this.#newSession(trx, { personId, method: 'passkey', passkeyId }, client, now);
    });
    return this.#heed(session);
  }

  /** Returns the link to send; undefined if nothing is sent. `browser` is the SHA-256 of the browser's cookie. */
  createEmailLink(asked: { email: string; browser: string }): Promise<EmailLink | undefined> {
    return storeEmailLink(this.#db, { ...asked, now: this.#now() });
  }

  /** Rejects with `sign_in_denied`, `sign_in_failed`. */
  async openEmailLink(
    link: { secret: string; browser: string | undefined },
    client: SignInClient,
  ): Promise<CreatedSession> {
    const now = this.#now();
    const session = await this.#db.transaction().execute(async (trx) => {
      const personId = await takeEmailLink(trx, { ...link, now });
      await admitAgain(trx, { id: personId, now });
      return this.#newSession(trx, { personId, method: 'email' }, client, now);
    });
    return this.#heed(session);
  }

  /** Rejects with `sign_in_failed` unless the caller is a person who signed in recently. */
  async requireFreshPerson({ type, id, sessionId }: Caller): Promise<Enrolling> {
    const person = type === 'person' ? await findPerson(this.#db, id) : undefined;
    const session = sessionId === undefined ? undefined : await findSession(this.#db, sessionId);
    if (person === undefined || session === undefined)
      throw failed('Only people have passkeys, and add them in a browser.');
    if (this.#now().getTime() - Date.parse(session.signedInAt) > FRESH_MS)
      throw failed('Sign in again first: a passkey is added within 30 minutes of signing in.');
    return { person, from: session.id };
  }

  /** Rejects with `sign_in_failed`, `limit_reached`. */
  addPasskey(
    passkey: Credential & { personId: string; name: string },
    { requestId }: Pick<SignInClient, 'requestId'>,
  ): Promise<Passkey> {
    return this.#db
      .transaction()
      .execute((trx) => createPasskey(trx, { ...passkey, now: this.#now(), requestId }))
      .catch(rejectKnown);
  }

  async end(
    sessionId: string,
    cause: { actorId: string | null; requestId: string },
  ): Promise<string | undefined> {
    const idToken = await findIdToken(this.#db, sessionId);
    await endSessions(this.#db, { id: sessionId }, { ...cause, now: this.#now() });
    this.#keys.invalidate();
    return idToken;
  }

  /** Ends sessions by a provider's token, which works once. Returns false if it was used before. */
  async endByProvider(
    {
      tokenId,
      ...selection
    }: { tokenId: string; issuer: string } & ({ providerSession: string } | { subject: string }),
    { requestId }: Pick<SignInClient, 'requestId'>,
  ): Promise<boolean> {
    const now = this.#now();
    const used = {
      id: `${selection.issuer} ${tokenId}`,
      expiresAt: new Date(now.getTime() + LOGOUT_TOKEN_KEPT_MS),
    };
    const isNew = await this.#db.transaction().execute(async (trx) => {
      if (!(await recordLogoutToken(trx, used))) return false;
      await endSessions(trx, selection, { now, actorId: null, requestId });
      return true;
    });
    if (isNew) this.#keys.invalidate();
    return isNew;
  }

  async #admit<Result>(
    confirmed: Confirmed,
    { requestId }: Pick<SignInClient, 'requestId'>,
    store: (trx: Transaction<Database>, person: AdmittedPerson) => Promise<Result>,
  ) {
    const cause = { now: this.#now(), requestId };
    const admitted = await admitPerson(this.#db, { confirmed, cause }, store);
    // The status and the grants may have changed.
    this.#keys.invalidate();
    return admitted;
  }

  /** Rejects with `sign_in_failed` if the person or key was deleted meanwhile. */
  async #newSession(
    db: Kysely<Database>,
    how: HowSignedIn,
    client: SignInClient,
    now = this.#now(),
  ): Promise<CreatedSession> {
    try {
      return await createSession(db, { ...how, ...client, now, lifetimeMs: this.#lifetimeMs });
    } catch (error) {
      if (!(error instanceof Error) || codeOf(error) !== SQLSTATE.foreignKeyViolation) throw error;
      throw new RosterError('sign_in_failed', 'The person or the key is gone.', { cause: error });
    }
  }

  /** Call it after the commit of a new session. */
  #heed(session: CreatedSession): CreatedSession {
    if (session.hasEndedOldest) this.#keys.invalidate();
    return session;
  }
}

/** Records a sign-in of an active person; locks the person. Throws `sign_in_denied`. */
async function admitAgain(trx: Transaction<Database>, { id, now }: { id: string; now: Date }): Promise<void> {
  if (!(await recordSignIn(trx, { id, now })))
    throw new RosterError('sign_in_denied', 'You may not sign in any more.');
}

function failed(detail: string): RosterError {
  return new RosterError('sign_in_failed', detail);
}

function ofProvider({ personId, providerSession, idToken }: AdmittedPerson): HowSignedIn {
  return { personId, method: 'oidc', providerSession, idToken };
}

async function firstOwner(trx: Kysely<Database>, cause: { now: Date; requestId: string }) {
  const personId = await createFirstPerson(trx, cause);
  return personId === undefined ? undefined : { personId };
}

/** Records the sign-in. Undefined if the owner may not sign in any more. */
async function ownerOfLink(
  trx: Kysely<Database>,
  { owner, now }: { owner: SessionOwner; now: Date },
): Promise<SessionOwner | undefined> {
  if (!('personId' in owner)) return owner;
  return (await recordSignIn(trx, { id: owner.personId, now })) ? owner : undefined;
}

/** Turns errors for a known credential or a deleted person into `sign_in_failed`. */
function rejectKnown(error: unknown): never {
  const code = error instanceof Error ? codeOf(error) : undefined;
  if (code === SQLSTATE.uniqueViolation)
    throw new RosterError('sign_in_failed', 'This passkey is set up already.', { cause: error });
  if (code === SQLSTATE.foreignKeyViolation)
    throw new RosterError('sign_in_failed', 'The person is gone.', { cause: error });
  throw toRosterError(error);
}
