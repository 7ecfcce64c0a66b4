import { type TRPCRouterRecord, tracked } from '@trpc/server';
import { checkScopes } from '../api-keys/authenticator.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { Event, EventPage, EventQuery, EventStreamQuery } from './schemas.ts';
import { follow, type Placed, readOn, startOf } from './service.ts';
import { readScopesOf } from './types.ts';

const readProcedure = procedureFor('events:read');
const tags = ['Events'];

const never = new AbortController().signal;

/** Events with their places, as tRPC carries them: a subscription that breaks off goes on by itself. */
async function* tracking(events: AsyncIterable<Placed>) {
  for await (const { place, event } of events) yield tracked(place, Event.parse(event));
}

export const eventsRouter = {
  list: readProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/events',
        tags,
        summary: 'Read the log of changes',
        description:
          'Every change of every record, in an order in which no reader misses one: read on with `nextAfter`. ' +
          'Older events than the retention are compacted to the newest of each record. Needs the scope that reads the ' +
          'records of each type too: `offices:read`, `agents:read`, and both without `types`. Events of keys and webhooks ' +
          'come when `types` names them, and need `keys:manage` and `webhooks:manage`.',
      },
      errors: ['cursor_expired'],
    })
    .input(EventQuery)
    .output(EventPage)
    .query(({ ctx, input }) => {
      checkScopes(ctx.caller, readScopesOf(input.types));
      return readOn(ctx, input);
    }),

  stream: readProcedure
    .meta({
      stream: {
        path: '/events/stream',
        tags,
        summary: 'Follow the log of changes',
        description:
          'The same events as they happen, as server-sent events. The id of each is where to go on (Last-Event-ID). Needs ' +
          'the scopes that reading the log does.',
      },
      errors: ['cursor_expired'],
    })
    .input(EventStreamQuery)
    .subscription(async ({ ctx, input: { lastEventId, ...asked }, signal = never }) => {
      checkScopes(ctx.caller, readScopesOf(asked.types));
      const after = await startOf(ctx, { ...asked, after: lastEventId ?? asked.after });
      ctx.request.responseMeta.cursor = after;
      return tracking(follow(ctx, { ...asked, after }, signal));
    }),
} satisfies TRPCRouterRecord;
