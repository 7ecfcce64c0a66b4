import type { Database } from '@roster/db';
import type { TRPCRouterRecord } from '@trpc/server';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { type Caller, limitFor } from '../../access/caller.ts';
import { checkMayChange, type Right, rightOfKey, rightsOfGrants } from '../../access/rights.ts';
import { scopes } from '../../access/scopes.ts';
import { type Actor, ADMIN_KEY_ID } from '../../engine/actor.ts';
import { OneRecord } from '../../engine/fields/schemas.ts';
import { noRecordError, requireRecord } from '../../engine/list/find-record.ts';
import { listPage, type Page } from '../../engine/list/list-records.ts';
import { inTransaction } from '../../engine/write/transaction.ts';
import { isFound, isNotFound } from '../../errors/roster-error.ts';
import { causeOf } from '../../records/service.ts';
import type { CallContext } from '../../trpc/context.ts';
import { type OperationExample, operationsOf } from '../../trpc/init.ts';
import { everyCallerChangeProcedure, everyCallerProcedure } from '../../trpc/procedure.ts';
import { keys } from '../keys/repository.ts';
import { getPerson } from '../people/service.ts';
import { sessions } from '../sessions/repository.ts';
import { Session, SessionPage, SessionQuery } from '../sessions/schemas.ts';
import { endSessions, findSession } from '../sessions/service.ts';
import { CurrentCaller, readCurrentCaller } from './current.ts';

type Owner = Pick<Actor, 'type' | 'id'>;

function isSelf(caller: Caller, { type, id }: Owner): boolean {
  return caller.type === type && caller.id === id;
}

interface OwnerRights {
  what: 'a key' | 'a person';
  rights: Right[];
}

/** Throws `insufficient_scope`, and `not_found` for an owner with other offices than the caller. */
async function rightsOfOwner(
  caller: Caller,
  db: Kysely<Database>,
  { type, id }: Owner,
): Promise<OwnerRights> {
  const limit = limitFor(caller, { scope: 'people:manage' });
  if (type === 'person') {
    const { grants } = await getPerson(db, { id, limit });
    return { what: 'a person', rights: rightsOfGrants(grants) };
  }
  const isAdmin = id === ADMIN_KEY_ID && limit === undefined;
  const key = isAdmin ? { scopes, officeIds: null } : await requireRecord(db, keys, { id, limit });
  return { what: 'a key', rights: [rightOfKey(key)] };
}

/** Throws `insufficient_scope` for another owner's, `invalid_cursor`, `cursor_mismatch`. */
async function listSessions(
  { db, caller }: CallContext,
  { personId, keyId, ...page }: z.output<typeof SessionQuery>,
): Promise<Page<Session>> {
  const named: Owner[] = [
    ...(personId === undefined ? [] : [{ type: 'person' as const, id: personId }]),
    ...(keyId === undefined ? [] : [{ type: 'key' as const, id: keyId }]),
  ];
  const owners: readonly Owner[] = named.length === 0 ? [caller] : named;
  for (const owner of owners) {
    if (!isSelf(caller, owner) && !(await isFound(rightsOfOwner(caller, db, owner)))) return { items: [] };
  }
  const owned = owners.map(({ type, id }) => (type === 'person' ? { personId: id } : { keyId: id }));
  const input = { ...page, ...Object.assign({}, ...owned), isLive: true as const };
  return listPage(db, { resource: sessions, input, limit: undefined });
}

interface VisibleSession {
  session: Session;
  owner: OwnerRights | undefined;
}

async function findVisible(caller: Caller, db: Kysely<Database>, id: string): Promise<VisibleSession> {
  const notFound = () => noRecordError(sessions, id);
  const session = await findSession(db, id);
  if (session === undefined) throw notFound();
  if (isSelf(caller, session.owner)) return { session, owner: undefined };
  if (!caller.scopes.includes('people:manage')) throw notFound();
  const owner = await rightsOfOwner(caller, db, session.owner).catch((error: unknown) => {
    throw isNotFound(error) ? notFound() : error;
  });
  return { session, owner };
}

/** A session of the caller, or with `people:manage` of another owner. Throws `not_found`. */
async function getSession({ db, caller }: CallContext, id: string): Promise<Session> {
  return (await findVisible(caller, db, id)).session;
}

/** Throws `not_found`, and `insufficient_scope` if its owner has rights the caller doesn't. */
async function revokeSession(ctx: CallContext, id: string): Promise<Session> {
  return inTransaction(ctx.db, async (trx) => {
    const { session, owner } = await findVisible(ctx.caller, trx, id);
    if (owner !== undefined) checkMayChange(ctx.caller, owner.rights, owner.what);
    const [ended] = await endSessions(trx, { id }, causeOf(ctx));
    return ended ?? session;
  });
}

const operation = operationsOf('Sessions');

const example: OperationExample = {
  requests: [
    { method: 'POST', path: '/sign-in/key', body: { key: '{key}' } },
    { method: 'GET', path: '/sessions?limit=1' },
  ],
  path: { id: '{2/items/0/id}' },
};

export const sessionsRouter = {
  list: everyCallerProcedure
    .meta(
      operation('GET /sessions', {
        summary: 'List sessions',
        description:
          'Lists your open sessions or, with the scope `people:manage`, those of a different person or key.',
        errors: ['insufficient_scope'],
      }),
    )
    .input(SessionQuery)
    .output(SessionPage)
    .query(({ ctx, input }) => listSessions(ctx, input)),

  current: everyCallerProcedure
    .meta(
      operation('GET /me', {
        summary: 'Read your own access',
        description: 'Returns the key or person that makes the request, with its rights and session.',
      }),
    )
    .input(z.strictObject({}))
    .output(CurrentCaller)
    .query(({ ctx }) => readCurrentCaller(ctx)),

  get: everyCallerProcedure
    .meta(
      operation('GET /sessions/{id}', {
        summary: 'Read one session',
        description:
          'Retrieves one of your sessions or, with the scope `people:manage`, one of a different person or key.',
        example,
      }),
    )
    .input(OneRecord)
    .output(Session)
    .query(({ ctx, input }) => getSession(ctx, input.id)),

  revoke: everyCallerChangeProcedure
    .meta(
      operation('PUT /sessions/{id}/revoke', {
        summary: 'End a session',
        description:
          'Ends a session, its sign-in links and the sessions they opened, on all servers within a second, including open ' +
          'streams. Has no effect if already ended. For other people and keys, you need `people:manage`.',
        errors: ['insufficient_scope'],
        example,
      }),
    )
    .input(OneRecord)
    .output(Session)
    .mutation(({ ctx, input }) => revokeSession(ctx, input.id)),
} satisfies TRPCRouterRecord;
