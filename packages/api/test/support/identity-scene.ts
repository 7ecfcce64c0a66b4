import { randomBytes, randomUUID } from 'node:crypto';
import type { Database, StoredGrant } from '@roster/db';
import { type Kysely, sql } from 'kysely';
import { createAuthenticator } from '../../src/access/authenticator.ts';
import { type Scope, scopes } from '../../src/access/scopes.ts';
import { hashOf } from '../../src/access/secret.ts';
import { acceptOpen } from '../../src/identity/invitations/repository.ts';
import { createPasskey } from '../../src/identity/passkeys/service.ts';
import { recordSignIn } from '../../src/identity/people/repository.ts';
import type { SessionOwner } from '../../src/identity/sessions/repository.ts';
import { createSession } from '../../src/identity/sessions/service.ts';
import { storeSignIn } from '../../src/identity/sign-in/repository.ts';
import { insertView } from '../../src/views/repository.ts';
import type { Caller } from './caller.ts';
import { officeScene } from './office-scene.ts';

const HOUR_MS = 60 * 60 * 1_000;
const ADMIN_KEY = 'the-key-of-the-administrator';

export function inHours(hours: number): string {
  return new Date(Date.now() + hours * HOUR_MS).toISOString();
}

export function newEmail(): string {
  return `${randomUUID()}@atlantico.example`;
}

/** What a key and a person are before a call. */
export interface Before {
  person?: 'active' | 'invited' | 'inactive' | 'inactive, never signed in';
  key?: 'expires' | 'never expires' | 'revoked';
  keyScopes?: readonly Scope[];
  invitation?: 'open' | 'accepted' | 'revoked';
}

/**
 * Callers with fewer, equal and more rights than a key and a person that have all rights for one office. Every caller has a
 * credential, which the authenticator looks up.
 */
export async function identityScene() {
  const scene = await officeScene();
  const { db, as } = scene;
  const { main, branch, other } = scene.offices;
  const authenticator = createAuthenticator({
    db,
    now: () => new Date(),
    adminKey: ADMIN_KEY,
    sessionIdleMs: HOUR_MS,
    isListening: () => false,
  });

  async function asSecret(secret: string): Promise<Caller> {
    const caller = await authenticator.callerOf(`Bearer ${secret}`);
    return as(caller, { request: { ownOrigin: () => 'http://localhost:1' } });
  }

  /** By the admin key. */
  const all = await asSecret(ADMIN_KEY);

  const keyWith = (fields: { scopes?: Scope[]; officeIds?: string[]; expiresAt?: string | null } = {}) =>
    all.keys.create({ name: 'A key', scopes: [...scopes], ...fields });
  const asKey = async (fields?: Parameters<typeof keyWith>[0]) => asSecret((await keyWith(fields)).secret);
  const without = (...left: Scope[]) => scopes.filter((scope) => !left.includes(scope));

  async function asRotated(): Promise<Caller> {
    const { id, secret } = await keyWith();
    await all.keys.rotate({ id, overlapSeconds: 2 * 60 * 60 });
    return asSecret(secret);
  }

  async function personWith(...grants: StoredGrant[]): Promise<string> {
    return (await all.people.invite({ name: 'Ana', email: newEmail(), grants })).id;
  }

  function sessionOf(owner: SessionOwner, passkeyId?: string) {
    const how = { method: 'oidc', client: 'A test', now: new Date(), lifetimeMs: HOUR_MS } as const;
    return createSession(db, { ...owner, ...how, passkeyId });
  }

  async function asPerson(...grants: StoredGrant[]): Promise<Caller> {
    const id = await personWith(...grants);
    await recordSignIn(db, { id, now: new Date() });
    return asSecret((await sessionOf({ personId: id })).token);
  }

  const callers = {
    'a key without the scope': await asKey({ scopes: without('keys:manage', 'people:manage') }),
    'a key with fewer scopes': await asKey({ scopes: without('webhooks:manage') }),
    'a key with fewer offices': await asKey({ officeIds: [branch] }),
    'a key with other offices': await asKey({ officeIds: [other] }),
    'a key with equal rights': await asKey({ officeIds: [main] }),
    'a key with more rights': await asKey(),
    'a key with more rights for two hours': await asKey({ expiresAt: inHours(2) }),
    'a rotated key with more rights': await asRotated(),
    'a person without the role': await asPerson({ role: 'manager', officeIds: null }),
    'a person with fewer offices': await asPerson(
      { role: 'admin', officeIds: [branch] },
      { role: 'manager', officeIds: null },
    ),
    'a person with equal rights': await asPerson({ role: 'admin', officeIds: [main] }),
    'a person with more rights': await asPerson({ role: 'admin', officeIds: null }),
  };

  async function newPasskey(personId: string, name: string): Promise<string> {
    const credential = { credentialId: randomBytes(32).toString('base64url'), publicKey: randomBytes(77) };
    const device = { counter: 0, transports: ['internal'], isSynced: false, name };
    const passkey = { ...credential, ...device, personId, now: new Date(), requestId: null };
    return (await db.transaction().execute((trx) => createPasskey(trx, passkey))).id;
  }

  async function storeLink(owner: SessionOwner, sessionId: string): Promise<void> {
    const link = {
      kind: 'link',
      secret: newEmail(),
      data: {},
      now: new Date(),
      lifetimeMs: HOUR_MS,
    } as const;
    await storeSignIn(db, { ...link, owner, sessionId });
  }

  /** A key and a person, each with a session, a link and a view, and the person with two passkeys and an invitation. */
  async function newTarget(before: Before = {}) {
    const { person = 'active', key = 'expires', keyScopes = scopes, invitation = 'open' } = before;
    const now = new Date();
    const expiresAt = key === 'never expires' ? null : inHours(1);
    const { id: keyId } = await keyWith({ scopes: [...keyScopes], officeIds: [main], expiresAt });
    const personId = await personWith({ role: 'admin', officeIds: [main] });
    const passkeyId = await newPasskey(personId, 'A device');
    await newPasskey(personId, 'Another device');
    const sessions = {
      person: (await sessionOf({ personId }, passkeyId)).id,
      key: (await sessionOf({ keyId })).id,
      'admin key': (await sessionOf({ adminKeyHash: hashOf(ADMIN_KEY) })).id,
    };
    await storeLink({ personId }, sessions.person);
    await storeLink({ keyId }, sessions.key);
    for (const ownerId of [personId, keyId])
      await insertView(db, { ...view, id: randomUUID(), ownerId, now });
    const { id: invitationId } = await all.invitations.create({ personId });
    if (invitation === 'accepted') await acceptOpen(db, { id: invitationId, now });
    if (invitation === 'revoked') await all.invitations.revoke({ id: invitationId });
    if (person === 'active' || person === 'inactive') await recordSignIn(db, { id: personId, now });
    if (person.startsWith('inactive')) await all.people.deactivate({ id: personId });
    if (key === 'revoked') await all.keys.revoke({ id: keyId });
    return { keyId, personId, passkeyId, invitationId, sessions };
  }

  return { ...scene, all, callers, newTarget };
}

export type IdentityScene = Awaited<ReturnType<typeof identityScene>>;
export type CallerName = keyof IdentityScene['callers'];
export type Target = Awaited<ReturnType<IdentityScene['newTarget']>>;

const view = {
  name: 'A view',
  resource: 'agents' as const,
  isShared: false,
  query: {},
  columns: [],
};

/** What a call may change. What belongs to a person that is deleted is null or empty. */
export interface State {
  keyName: string;
  keyScopes: number;
  keyOffices: string[] | null;
  isKeyLasting: boolean;
  isKeyRevoked: boolean;
  validSecrets: number;
  personName: string | null;
  personEmail: string | null;
  personStatus: string | null;
  personGrants: StoredGrant[] | null;
  passkeys: string[];
  /** Oldest first. */
  invitations: ('open' | 'accepted' | 'revoked')[];
  /** Owners of open sessions, of links that work, and of views. */
  sessions: string[];
  links: string[];
  views: string[];
  /** Of the whole database. */
  keys: number;
  people: number;
}

export async function stateOf(db: Kysely<Database>, { keyId, personId, sessions }: Target): Promise<State> {
  const owner = sql`case when person_id is not null then 'person' when key_id is not null then 'key' else 'admin key' end`;
  const { rows } = await sql<State>`
    select
      api_key.name as "keyName",
      cardinality(scopes) as "keyScopes",
      office_ids as "keyOffices",
      expires_at is null as "isKeyLasting",
      revoked_at is not null as "isKeyRevoked",
      (select count(*)::int from api_key_secret where key_id = ${keyId} and (ends_at is null or ends_at > now())) as "validSecrets",
      person.name as "personName", email as "personEmail", status as "personStatus", grants as "personGrants",
      array(select name from passkey where person_id = ${personId} order by id) as passkeys,
      array(
        select case when revoked_at is not null then 'revoked' when accepted_at is not null then 'accepted' else 'open' end
        from invitation where person_id = ${personId} order by id) as invitations,
      array(
        select ${owner} from session
        where id = any(${Object.values(sessions)}::uuid[]) and ended_at is null and expires_at > now() order by 1) as sessions,
      array(select ${owner} from sign_in where person_id = ${personId} or key_id = ${keyId} order by 1) as links,
      array(
        select case created_by when ${personId} then 'person' else 'key' end from saved_view
        where created_by in (${personId}, ${keyId}) order by 1) as views,
      (select count(*)::int from api_key) as keys,
      (select count(*)::int from person) as people
    from api_key left join person on person.id = ${personId}
    where api_key.id = ${keyId}`.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('no state');
  return state;
}
