import { tracked } from '@trpc/server';
import { readScopes } from '../identity/access/scopes.ts';
import type { Given } from '../trpc/given.ts';
import { operationsOf } from '../trpc/meta.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { Event, EventPage, EventQuery, EventStreamQuery } from './schemas.ts';
import {
  type EventCollaborators,
  type EventWithCursor,
  followEvents,
  limitOf,
  listEvents,
  resolveStart,
} from './service.ts';

const readProcedure = procedureFor('events:read').meta({ isLimited: true });
const operation = operationsOf('Events');

const never = new AbortController().signal;

/** Events as tRPC tracks them: its client sends the last cursor when it reconnects. */
async function* trackedEvents(events: AsyncIterable<EventWithCursor>) {
  for await (const { cursor, event } of events) yield tracked(cursor, Event.parse(event));
}

export const eventsRouter = (notifier: Given<EventCollaborators>) => ({
  list: readProcedure
    .meta(
      operation('GET /events', {
        summary: 'List events',
        description:
          'All changes of all records, in an order in which no reader misses one: continue with `nextAfter`. ' +
          'Events older than the retention are compacted to the newest of each record. Also needs the scope to read the ' +
          `records of each type: ${readScopes.map((scope) => `\`${scope}\``).join(', ')}, and all of these without \`types\`. Events of keys, ` +
          'webhooks, people, sessions and denied rights are returned only if `types` names them; they need `keys:manage`, ' +
          '`webhooks:manage` and `people:manage`, and are for callers that are not limited to some offices. One who is gets the ' +
          'events of records that were within them before or after the change.',
        errors: ['cursor_expired'],
      }),
    )
    .input(EventQuery)
    .output(EventPage)
    .query(({ ctx, input }) => {
      const limit = limitOf(ctx.caller, input.types);
      return listEvents({ ...ctx, limit }, input);
    }),

  stream: readProcedure
    .use(notifier)
    .meta({
      stream: {
        path: '/events/stream',
        tags: ['Events'],
        summary: 'Follow the event log',
        description:
          'The same events as they happen, as server-sent events. The id of each is the cursor after it (Last-Event-ID). ' +
          'Needs the same scopes as listing events.',
      },
      errors: ['cursor_expired'],
    })
    .input(EventStreamQuery)
    .subscription(async ({ ctx, input: { lastEventId, ...request }, signal = never }) => {
      const limit = limitOf(ctx.caller, request.types);
      const after = await resolveStart(
        { ...ctx, limit },
        { ...request, after: lastEventId ?? request.after },
      );
      ctx.request.responseMeta.cursor = after;
      return trackedEvents(followEvents({ ...ctx, limit }, { ...request, after }, signal));
    }),
});
