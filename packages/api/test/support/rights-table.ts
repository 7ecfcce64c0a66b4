import { afterAll, beforeAll, expect, it } from 'vitest';
import { scopes } from '../../src/access/scopes.ts';
import { ADMIN_KEY_ID } from '../../src/engine/actor.ts';
import { operations } from '../../src/openapi/operations.ts';
import type { Caller } from './caller.ts';
import {
  type Before,
  type CallerName,
  type IdentityScene,
  identityScene,
  inHours,
  newEmail,
  type State,
  stateOf,
  type Target,
} from './identity-scene.ts';
import { errorCodeOf } from './rejected.ts';

let scene: IdentityScene;

/** How the rights of a caller compare to those of the key and the person that a call is about. */
type Rights = 'without' | 'fewerScopes' | 'fewerOffices' | 'equal' | 'more' | 'moreForAWhile' | 'rotated';

const callers: readonly (readonly [CallerName, Rights])[] = [
  ['a key without the scope', 'without'],
  ['a person without the role', 'without'],
  ['a key with fewer scopes', 'fewerScopes'],
  ['a key with fewer offices', 'fewerOffices'],
  ['a key with other offices', 'fewerOffices'],
  ['a person with fewer offices', 'fewerOffices'],
  ['a key with equal rights', 'equal'],
  ['a person with equal rights', 'equal'],
  ['a key with more rights', 'more'],
  ['a person with more rights', 'more'],
  ['a key with more rights for two hours', 'moreForAWhile'],
  ['a rotated key with more rights', 'rotated'],
];

/** An error code, or how a call ends that is not rejected. */
type Result =
  | 'done'
  | 'shown'
  | 'not shown'
  | 'insufficient_scope'
  | 'not_found'
  | 'reference_not_found'
  | 'validation_failed'
  | 'key_revoked'
  | 'link_unavailable';

type Responses = Record<Rights, Result>;

const enough = (response: Result) => ({
  equal: response,
  more: response,
  moreForAWhile: response,
  rotated: response,
});
const expiring = (response: Result) => ({ moreForAWhile: response, rotated: response });

const change: Responses = {
  without: 'insufficient_scope',
  fewerScopes: 'insufficient_scope',
  fewerOffices: 'not_found',
  ...enough('done'),
};
const read: Responses = { ...change, fewerScopes: 'done' };
const list: Responses = { ...change, fewerScopes: 'shown', fewerOffices: 'not shown', ...enough('shown') };

/** Gives all rights for the office. */
const give: Responses = { ...change, fewerOffices: 'reference_not_found' };
/** Gives all rights for all offices. */
const giveAll: Responses = { ...change, fewerOffices: 'insufficient_scope', equal: 'insufficient_scope' };
const everyone: Responses = { without: 'done', fewerScopes: 'done', fewerOffices: 'done', ...enough('done') };
/** Those of others can't be found. */
const hidden = { without: 'not_found' } as const;
/** The admin key has rights for all offices. */
const ofAdminKey = { equal: 'not_found' } as const;

interface Row {
  call: (as: Caller, target: Target) => Promise<unknown>;
  responses: Responses;
  before?: Before;
  /** What a call that is done has changed; all else is as it was. */
  after?: (state: State, target: Target) => Partial<State>;
  /** Written by a call that is done. */
  events?: string[];
}

async function shownIn(page: Promise<{ items: { id: string }[] }>, id: string): Promise<Result> {
  const { items } = await page;
  return items.some((item) => item.id === id) ? 'shown' : 'not shown';
}

const without = (owner: string, owners: string[]) => owners.filter((one) => one !== owner);
/** Links and invitations of the person no longer work. */
const linksEnded = ({ links, invitations }: State): Partial<State> => ({
  links: without('person', links),
  invitations: invitations.map((one) => (one === 'open' ? 'revoked' : one)),
});
const signedOut = (state: State) => ({ ...linksEnded(state), sessions: without('person', state.sessions) });
const oneKeyMore = ({ keys }: State) => ({ keys: keys + 1 });
const onePersonMore = ({ people }: State) => ({ people: people + 1 });

const newKey = (fields: { officeIds: string[] | null; expiresAt?: string }) => ({
  name: 'A new key',
  scopes: [...scopes],
  ...fields,
});
const newPerson = (officeIds: string[] | null) => ({
  name: 'Rui',
  email: newEmail(),
  grants: [{ role: 'admin' as const, officeIds }],
});

/** For each operation that manages access. The name of a row begins with the procedure. */
const rows: Record<string, Row> = {
  'keys.list': {
    call: (as, { keyId }) => shownIn(as.keys.list({ limit: 200, sort: '-createdAt' }), keyId),
    responses: list,
  },
  'keys.get': { call: (as, { keyId }) => as.keys.get({ id: keyId }), responses: read },
  'keys.create': {
    call: (as) => as.keys.create(newKey({ officeIds: [scene.offices.main], expiresAt: inHours(1) })),
    responses: give,
    after: oneKeyMore,
    events: ['key.created'],
  },
  'keys.create for all offices': {
    call: (as) => as.keys.create(newKey({ officeIds: null, expiresAt: inHours(1) })),
    responses: giveAll,
    after: oneKeyMore,
    events: ['key.created'],
  },
  'keys.create without expiry': {
    call: (as) => as.keys.create(newKey({ officeIds: [scene.offices.main] })),
    responses: { ...give, ...expiring('validation_failed') },
    after: oneKeyMore,
    events: ['key.created'],
  },
  'keys.create with an expiry in three hours': {
    call: (as) => as.keys.create(newKey({ officeIds: [scene.offices.main], expiresAt: inHours(3) })),
    responses: { ...give, ...expiring('validation_failed') },
    after: oneKeyMore,
    events: ['key.created'],
  },
  'keys.update of the name': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, name: 'Kiosk' }),
    responses: change,
    after: () => ({ keyName: 'Kiosk' }),
    events: ['key.updated'],
  },
  'keys.update to fewer scopes': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, scopes: ['offices:read'] }),
    responses: change,
    after: () => ({ keyScopes: 1 }),
    events: ['key.updated'],
  },
  'keys.update to more scopes': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, scopes: [...scopes] }),
    before: { keyScopes: ['offices:read'] },
    responses: change,
    after: () => ({ keyScopes: scopes.length }),
    events: ['key.updated'],
  },
  'keys.update to more scopes, of a key without expiry': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, scopes: [...scopes] }),
    before: { key: 'never expires', keyScopes: ['offices:read'] },
    responses: { ...change, ...expiring('insufficient_scope') },
    after: () => ({ keyScopes: scopes.length }),
    events: ['key.updated'],
  },
  'keys.update to fewer offices': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, officeIds: [scene.offices.branch] }),
    responses: change,
    after: () => ({ keyOffices: [scene.offices.branch] }),
    events: ['key.updated'],
  },
  'keys.update to fewer offices, of a key without expiry': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, officeIds: [scene.offices.branch] }),
    before: { key: 'never expires' },
    responses: { ...change, ...expiring('insufficient_scope') },
    after: () => ({ keyOffices: [scene.offices.branch] }),
    events: ['key.updated'],
  },
  'keys.update to all offices': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, officeIds: null }),
    responses: { ...change, equal: 'insufficient_scope' },
    after: () => ({ keyOffices: null }),
    events: ['key.updated'],
  },
  'keys.update to an expiry in three hours': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, expiresAt: inHours(3) }),
    responses: { ...change, ...expiring('validation_failed') },
    events: ['key.updated'],
  },
  'keys.update to no expiry': {
    call: (as, { keyId }) => as.keys.update({ id: keyId, expiresAt: null }),
    responses: { ...change, ...expiring('validation_failed') },
    after: () => ({ isKeyLasting: true }),
    events: ['key.updated'],
  },
  'keys.revoke': {
    call: (as, { keyId }) => as.keys.revoke({ id: keyId }),
    responses: change,
    after: ({ links, views }) => ({
      isKeyRevoked: true,
      links: without('key', links),
      views: without('key', views),
    }),
    events: ['key.revoked'],
  },
  'keys.revoke of a revoked key': {
    call: (as, { keyId }) => as.keys.revoke({ id: keyId }),
    before: { key: 'revoked' },
    responses: change,
  },
  'keys.rotate': {
    call: (as, { keyId }) => as.keys.rotate({ id: keyId }),
    responses: { ...change, rotated: 'insufficient_scope' },
    after: ({ links }) => ({ validSecrets: 2, links: without('key', links) }),
    events: ['key.rotated'],
  },
  'keys.rotate of a key without expiry': {
    call: (as, { keyId }) => as.keys.rotate({ id: keyId }),
    before: { key: 'never expires' },
    responses: { ...change, ...expiring('insufficient_scope') },
    after: ({ links }) => ({ validSecrets: 2, links: without('key', links) }),
    events: ['key.rotated'],
  },
  'keys.rotate of a revoked key': {
    call: (as, { keyId }) => as.keys.rotate({ id: keyId }),
    before: { key: 'revoked' },
    responses: { ...change, ...enough('key_revoked'), rotated: 'insufficient_scope' },
  },

  'people.list': {
    call: (as, { personId }) => shownIn(as.people.list({ limit: 200, sort: '-createdAt' }), personId),
    responses: list,
  },
  'people.get': { call: (as, { personId }) => as.people.get({ id: personId }), responses: read },
  'people.invite': {
    call: (as) => as.people.invite(newPerson([scene.offices.main])),
    responses: { ...give, ...expiring('insufficient_scope') },
    after: onePersonMore,
    events: ['person.invited'],
  },
  'people.invite for all offices': {
    call: (as) => as.people.invite(newPerson(null)),
    responses: { ...giveAll, ...expiring('insufficient_scope') },
    after: onePersonMore,
    events: ['person.invited'],
  },
  'people.update of the name': {
    call: (as, { personId }) => as.people.update({ id: personId, name: 'Eva' }),
    responses: change,
    after: () => ({ personName: 'Eva' }),
    events: ['person.updated'],
  },
  'people.update of the email address': {
    call: (as, { personId }) => as.people.update({ id: personId, email: `${personId}@new.example` }),
    responses: { ...change, ...expiring('insufficient_scope') },
    after: (state, { personId }) => ({ ...linksEnded(state), personEmail: `${personId}@new.example` }),
    events: ['person.updated'],
  },
  'people.update to fewer rights': {
    call: (as, { personId }) =>
      as.people.update({ id: personId, grants: [{ role: 'viewer', officeIds: [scene.offices.branch] }] }),
    responses: { ...change, ...expiring('insufficient_scope') },
    after: (state) => ({
      ...linksEnded(state),
      personGrants: [{ role: 'viewer', officeIds: [scene.offices.branch] }],
    }),
    events: ['person.updated'],
  },
  'people.update to rights for all offices': {
    call: (as, { personId }) =>
      as.people.update({ id: personId, grants: [{ role: 'viewer', officeIds: null }] }),
    responses: { ...change, equal: 'insufficient_scope', ...expiring('insufficient_scope') },
    after: (state) => ({ ...linksEnded(state), personGrants: [{ role: 'viewer', officeIds: null }] }),
    events: ['person.updated'],
  },
  'people.deactivate of an active person': {
    call: (as, { personId }) => as.people.deactivate({ id: personId }),
    responses: change,
    after: (state) => ({ ...signedOut(state), personStatus: 'inactive' }),
    events: ['person.deactivated', 'session.ended'],
  },
  'people.deactivate of an invited person': {
    call: (as, { personId }) => as.people.deactivate({ id: personId }),
    before: { person: 'invited' },
    responses: change,
    after: (state) => ({ ...signedOut(state), personStatus: 'inactive' }),
    events: ['person.deactivated', 'session.ended'],
  },
  'people.deactivate of an inactive person': {
    call: (as, { personId }) => as.people.deactivate({ id: personId }),
    before: { person: 'inactive' },
    responses: change,
  },
  'people.reactivate of an inactive person': {
    call: (as, { personId }) => as.people.reactivate({ id: personId }),
    before: { person: 'inactive' },
    responses: { ...change, ...expiring('insufficient_scope') },
    after: () => ({ personStatus: 'active' }),
    events: ['person.reactivated'],
  },
  'people.reactivate of an inactive person who never signed in': {
    call: (as, { personId }) => as.people.reactivate({ id: personId }),
    before: { person: 'inactive, never signed in' },
    responses: { ...change, ...expiring('insufficient_scope') },
    after: () => ({ personStatus: 'invited' }),
    events: ['person.reactivated'],
  },
  'people.reactivate of an invited person': {
    call: (as, { personId }) => as.people.reactivate({ id: personId }),
    before: { person: 'invited' },
    responses: change,
  },
  'people.reactivate of an active person': {
    call: (as, { personId }) => as.people.reactivate({ id: personId }),
    responses: change,
  },
  'people.delete': {
    call: (as, { personId }) => as.people.delete({ id: personId }),
    responses: change,
    after: ({ people, sessions, links, views }) => ({
      people: people - 1,
      personName: null,
      personEmail: null,
      personStatus: null,
      personGrants: null,
      passkeys: [],
      invitations: [],
      sessions: without('person', sessions),
      links: without('person', links),
      views: without('person', views),
    }),
    events: ['person.deleted', 'session.ended'],
  },
  'people.revokeSessions': {
    call: (as, { personId }) => as.people.revokeSessions({ id: personId }),
    responses: change,
    after: signedOut,
    events: ['session.ended'],
  },

  'invitations.list': {
    call: (as, { personId, invitationId }) => shownIn(as.invitations.list({ personId }), invitationId),
    responses: list,
  },
  'invitations.get': {
    call: (as, { invitationId }) => as.invitations.get({ id: invitationId }),
    responses: read,
  },
  'invitations.create': {
    call: (as, { personId }) => as.invitations.create({ personId }),
    responses: { ...change, ...expiring('insufficient_scope') },
    after: () => ({ invitations: ['revoked', 'open'] }),
    events: ['invitation.created'],
  },
  'invitations.create for an inactive person': {
    call: (as, { personId }) => as.invitations.create({ personId }),
    before: { person: 'inactive' },
    responses: { ...change, ...enough('link_unavailable'), ...expiring('insufficient_scope') },
  },
  'invitations.revoke': {
    call: (as, { invitationId }) => as.invitations.revoke({ id: invitationId }),
    responses: change,
    after: () => ({ invitations: ['revoked'] }),
    events: ['invitation.revoked'],
  },
  'invitations.revoke of an accepted invitation': {
    call: (as, { invitationId }) => as.invitations.revoke({ id: invitationId }),
    before: { invitation: 'accepted' },
    responses: change,
  },

  'passkeys.list': {
    call: (as, { personId, passkeyId }) => shownIn(as.passkeys.list({ personId }), passkeyId),
    responses: list,
  },
  'passkeys.update': {
    call: (as, { passkeyId }) => as.passkeys.update({ id: passkeyId, name: 'A telephone' }),
    responses: { ...change, ...hidden },
    after: () => ({ passkeys: ['A telephone', 'Another device'] }),
    events: ['passkey.updated'],
  },
  'passkeys.delete': {
    call: (as, { passkeyId }) => as.passkeys.delete({ id: passkeyId }),
    responses: { ...change, ...hidden },
    after: ({ sessions, links }) => ({
      passkeys: ['Another device'],
      sessions: without('person', sessions),
      links: without('person', links),
    }),
    events: ['passkey.deleted', 'session.ended'],
  },

  'sessions.list of a person': {
    call: (as, { personId, sessions }) => shownIn(as.sessions.list({ personId }), sessions.person),
    responses: list,
  },
  'sessions.list of a key': {
    call: (as, { keyId, sessions }) => shownIn(as.sessions.list({ keyId }), sessions.key),
    responses: list,
  },
  'sessions.list of the admin key': {
    call: (as, { sessions }) =>
      shownIn(
        as.sessions.list({ keyId: ADMIN_KEY_ID, limit: 200, sort: '-createdAt' }),
        sessions['admin key'],
      ),
    responses: { ...list, equal: 'not shown' },
  },
  'sessions.current': { call: (as) => as.sessions.current({}), responses: everyone },
  'sessions.get of a person': {
    call: (as, { sessions }) => as.sessions.get({ id: sessions.person }),
    responses: { ...read, ...hidden },
  },
  'sessions.get of a key': {
    call: (as, { sessions }) => as.sessions.get({ id: sessions.key }),
    responses: { ...read, ...hidden },
  },
  'sessions.get of the admin key': {
    call: (as, { sessions }) => as.sessions.get({ id: sessions['admin key'] }),
    responses: { ...read, ...hidden, ...ofAdminKey },
  },
  'sessions.revoke of a person': {
    call: (as, { sessions }) => as.sessions.revoke({ id: sessions.person }),
    responses: { ...change, ...hidden },
    after: ({ sessions }) => ({ sessions: without('person', sessions) }),
    events: ['session.ended'],
  },
  'sessions.revoke of a key': {
    call: (as, { sessions }) => as.sessions.revoke({ id: sessions.key }),
    responses: { ...change, ...hidden },
    after: ({ sessions }) => ({ sessions: without('key', sessions) }),
    events: ['session.ended'],
  },
  'sessions.revoke of the admin key': {
    call: (as, { sessions }) => as.sessions.revoke({ id: sessions['admin key'] }),
    responses: { ...change, ...hidden, ...ofAdminKey },
    after: ({ sessions }) => ({ sessions: without('admin key', sessions) }),
    events: ['session.ended'],
  },
};

/** The operations that manage access or need no scope, except those of the settings of the directory. */
const managing = operations.filter(
  ({ scope = 'people:manage', path }) =>
    ['keys:manage', 'people:manage'].includes(scope) && path !== '/settings',
);

/** Operations that manage access and have no row. */
export function proceduresWithoutRow(): string[] {
  const covered = new Set(Object.keys(rows).map((name) => name.split(' ')[0]));
  return managing.map(({ procedure }) => procedure).filter((procedure) => !covered.has(procedure));
}

async function responseOf(call: Promise<unknown>): Promise<unknown> {
  try {
    const result = await call;
    return result === 'shown' || result === 'not shown' ? result : 'done';
  } catch (error) {
    return errorCodeOf(error);
  }
}

async function lastPosition(): Promise<string> {
  const log = scene.db.selectFrom('event_log').select('last_position');
  return (await log.executeTakeFirstOrThrow()).last_position;
}

async function eventsAfter(position: string): Promise<string[]> {
  const events = scene.db.selectFrom('admin_event').where('position', '>', position).select('type');
  return (await events.execute()).map(({ type }) => type).sort();
}

/** Targets that no call has changed, by what they were before. */
const unchanged = new Map<string, Target>();

async function expectResponse(
  { call, before, after, events = [] }: Row,
  caller: CallerName,
  response: Result,
) {
  const kind = JSON.stringify(before ?? {});
  const target = unchanged.get(kind) ?? (await scene.newTarget(before));
  unchanged.delete(kind);
  const [state, position] = [await stateOf(scene.db, target), await lastPosition()];
  expect(await responseOf(call(scene.callers[caller], target))).toBe(response);
  const isDone = response === 'done';
  const changed = isDone ? (after?.(state, target) ?? {}) : {};
  expect(await stateOf(scene.db, target)).toEqual({ ...state, ...changed });
  expect(await eventsAfter(position)).toEqual(isDone ? events : []);
  if (Object.keys(changed).length === 0) unchanged.set(kind, target);
}

/** The callers of `npm test`; `npm run verify` has the others too. */
const few: readonly CallerName[] = [
  'a key with fewer scopes',
  'a key with fewer offices',
  'a key with equal rights',
  'a key with more rights',
];

/** Declares a test for each row of the table and each caller: its response, the state and the events after it. */
export function describeRights(extent: 'few' | 'others'): void {
  beforeAll(async () => {
    scene = await identityScene();
  });
  afterAll(async () => {
    unchanged.clear();
    await scene[Symbol.asyncDispose]();
  });

  const chosen = callers.filter(([name]) => few.includes(name) === (extent === 'few'));
  for (const [name, row] of Object.entries(rows))
    for (const [caller, rights] of chosen) {
      const response = row.responses[rights];
      it(`${name} by ${caller}: ${response}`, () => expectResponse(row, caller, response));
    }
}
