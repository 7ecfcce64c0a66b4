import { tracked } from '@trpc/server';
import { type Given, operationsOf } from '../trpc/init.ts';
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

/** As tRPC tracks them: its client sends the last cursor when it reconnects. */
async function* trackedEvents(events: AsyncIterable<EventWithCursor>) {
  for await (const { cursor, event } of events) yield tracked(cursor, Event.parse(event));
}

export const eventsRouter = (notifier: Given<EventCollaborators>) => ({
  list: readProcedure
    .meta(
      operation('GET /events', {
        summary: 'List events',
        description:
          'Lists all changes in order. To get the next page, pass `nextAfter` as `after`; no event is skipped. Old events ' +
          'are compacted to the newest of each record. You need read access to each type you request.',
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
        summary: 'Stream events',
        description:
          'Streams events as server-sent events. Each event ID is the cursor after that event; send it as `Last-Event-ID` ' +
          'to resume. Requires the same scopes as listing events.',
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
