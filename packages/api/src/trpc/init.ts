import { initTRPC } from '@trpc/server';
import type { ErrorShape } from '../errors/roster-error.ts';
import { toRosterError } from '../errors/to-roster-error.ts';
import type { Context } from './context.ts';
import type { Meta } from './meta.ts';

export const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    // The default is application/json, but a streamed batch has several lines.
    jsonl: { contentType: 'application/jsonl' },
    // As for GET /events/stream: heartbeat, and when a client considers the connection lost.
    sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 45_000 } },
    errorFormatter: ({ shape, error, path, ctx }): ErrorShape => {
      const rosterError = toRosterError(error);
      const problem = rosterError.problem({
        instance: ctx?.request.path ?? `/trpc/${path ?? ''}`,
        requestId: ctx?.request.id ?? 'unknown',
      });
      return {
        message: rosterError.message,
        code: shape.code,
        data: {
          code: rosterError.code,
          httpStatus: rosterError.status,
          ...(path !== undefined && { path }),
          problem,
        },
      };
    },
  });

export const router = t.router;

/** `collaborators` are read at each call, because a router that is only described has none. */
export function given<Own extends object>(collaborators: () => Own) {
  return t.middleware(({ next }) => next({ ctx: collaborators() }));
}

export type Given<Own extends object> = ReturnType<typeof given<Own>>;
