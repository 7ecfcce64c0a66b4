import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { OneRecord } from '../../engine/fields/schemas.ts';
import { type OperationExample, operationsOf } from '../../trpc/meta.ts';
import { everyCallerChangeProcedure, everyCallerProcedure } from '../../trpc/procedure.ts';
import { CurrentCaller, readCurrentCaller } from './current.ts';
import { getSession, listSessions, revokeSession } from './procedures.ts';
import { Session, SessionPage, SessionQuery } from './schemas.ts';

const operation = operationsOf('Sessions');

/** A session of the key that is filled in, which is signed in with it. */
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
          'One page of your own sessions that have not ended, or with the scope `people:manage` of those of another person or ' +
          'of a key.',
        errors: ['insufficient_scope'],
      }),
    )
    .input(SessionQuery)
    .output(SessionPage)
    .query(({ ctx, input }) => listSessions(ctx, input)),

  current: everyCallerProcedure
    .meta(
      operation('GET /me', {
        summary: 'Who am I',
        description: 'The key or the person that makes this request, with its rights and its session.',
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
          'One of your own sessions, or with the scope `people:manage` that of another person or of a key.',
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
          'Ends a session, its sign-in links and the sessions opened with them. Takes effect on all servers within a second, ' +
          'also for open streams. A session that has ended is returned unchanged. ' +
          'That of another person or of a key needs the scope `people:manage`.',
        errors: ['insufficient_scope'],
        example,
      }),
    )
    .input(OneRecord)
    .output(Session)
    .mutation(({ ctx, input }) => revokeSession(ctx, input.id)),
} satisfies TRPCRouterRecord;
