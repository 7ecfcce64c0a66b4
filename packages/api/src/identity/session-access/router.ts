import type { TRPCRouterRecord } from '@trpc/server';
import { z } from 'zod';
import { OneRecord } from '../../engine/fields/schemas.ts';
import { type OperationExample, operationsOf } from '../../trpc/meta.ts';
import { everyCallerChangeProcedure, everyCallerProcedure } from '../../trpc/procedure.ts';
import { Session, SessionPage, SessionQuery } from '../sessions/schemas.ts';
import { CurrentCaller, readCurrentCaller } from './current.ts';
import { getSession, listSessions, revokeSession } from './service.ts';

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
