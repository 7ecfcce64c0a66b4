import { Readable } from 'node:stream';
import { streams as eventStreams, RosterError, type Stream } from '@roster/api';
import { toRosterError } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callProcedure, type ServerContext } from '../procedures.ts';
import type { CreateContext } from './context.ts';
import { requireRight } from './hooks/authentication.ts';
import { disconnectSignal, type StreamRegistry } from './limits/open-streams.ts';
import { noteError } from './problem-details.ts';
import { parseQuery, rejectUnknownParameters, singleValues } from './query-string.ts';

const RETRY_MS = 1_000;

type TrackedEvent = readonly [cursor: string, event: unknown, brand: symbol];

function parseInput(request: FastifyRequest): Record<string, unknown> {
  const query = parseQuery(request.url);
  rejectUnknownParameters(query, { hasBody: false });
  const input: Record<string, unknown> = singleValues(query);
  const lastEventId = request.headers['last-event-id'];
  // Clients send an empty one until they have received an event.
  if (lastEventId !== undefined && lastEventId !== '') input.lastEventId = lastEventId;
  return input;
}

interface StreamOptions {
  context: ServerContext;
  heartbeatMs: number;
  onError: (error: RosterError) => void;
}

/**
 * WHATWG HTML, section 9.2: the cursor at which the stream starts, then events, comments while idle, and an event `problem` for an
 * error.
 */
async function* formatEvents(
  events: AsyncIterable<TrackedEvent>,
  { context: { request }, heartbeatMs, onError }: StreamOptions,
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\nid: ${request.responseMeta.cursor}\n\n`;
  const iterator = events[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const arrived = await Promise.race([next, heartbeat(heartbeatMs)]);
      if (arrived === undefined) {
        yield ': still here\n\n';
        continue;
      }
      if (arrived.done) return;
      const [cursor, event] = arrived.value;
      yield `id: ${cursor}\ndata: ${JSON.stringify(event)}\n\n`;
      next = iterator.next();
    }
  } catch (thrown) {
    const error = toRosterError(thrown);
    onError(error);
    const problem = error.problem({ instance: request.path, requestId: request.id });
    yield `event: problem\ndata: ${JSON.stringify(problem)}\n\n`;
  } finally {
    await iterator.return?.();
  }
}

function heartbeat(timeMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, timeMs, undefined).unref());
}

async function subscribe(stream: Stream, context: ServerContext, input: unknown, signal: AbortSignal) {
  const call = { path: stream.procedure, type: 'subscription', input } as const;
  const events = await callProcedure(call, { context, signal }).catch((error: unknown) => {
    throw namedAsHeader(error);
  });
  return events as AsyncIterable<TrackedEvent>;
}

function namedAsHeader(error: unknown): unknown {
  if (!(error instanceof RosterError) || !error.errors?.some(({ parameter }) => parameter === 'lastEventId'))
    return error;
  const errors = error.errors.map((one) =>
    one.parameter === 'lastEventId' ? { ...one, parameter: 'Last-Event-ID' } : one,
  );
  const detail = error.message.replaceAll('lastEventId', 'Last-Event-ID');
  return new RosterError(error.errorCode, detail, { ...error, errors, cause: error.cause });
}

export function registerEventStreams(
  app: FastifyInstance,
  { createContext, streams }: { createContext: CreateContext; streams: StreamRegistry },
): void {
  for (const stream of eventStreams) {
    app.route({
      method: 'GET',
      url: stream.path,
      config: { procedure: stream.procedure },
      exposeHeadRoute: false,
      onRequest: requireRight(stream),
      handler: async (request, reply) => {
        const context = createContext(request);
        const events = await subscribe(stream, context, parseInput(request), disconnectSignal(reply));
        streams.add(reply);
        reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
        const onError = (error: RosterError) => noteError(request, error);
        const options = { context, heartbeatMs: streams.heartbeatMs, onError };
        const text = Readable.from(formatEvents(events, options), { highWaterMark: 1 });
        return reply.type('text/event-stream').send(text);
      },
    });
  }
}
