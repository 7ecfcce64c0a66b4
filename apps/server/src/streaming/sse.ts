import { Readable } from 'node:stream';
import { RosterError, type Stream, streams } from '@roster/api';
import { type Context, toRosterError } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseQuery } from '../http/query-string.ts';
import { recordError } from '../observability/request-context.ts';
import { demandScope } from '../plugins/authentication.ts';
import { callProcedure } from '../procedures.ts';
import { checkParameters } from '../rest/routes.ts';
import type { Streams } from './stream-registry.ts';

const RETRY_MS = 1_000;

/** One event of a procedure with the place after it, as tRPC tracks it. */
type Tracked = readonly [place: string, event: unknown, mark: symbol];

function inputOf(request: FastifyRequest): Record<string, unknown> {
  const query = parseQuery(request.url);
  checkParameters({ hasBody: false }, query);
  const input: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(query)) input[name] = values.length === 1 ? values[0] : values;
  const lastEventId = request.headers['last-event-id'];
  // An empty one is what a reader sends that has seen no event yet.
  if (lastEventId !== undefined && lastEventId !== '') input.lastEventId = lastEventId;
  return input;
}

interface StreamParts {
  context: Context;
  heartbeatMs: number;
  /** Told why the stream ends, where it is refused to go on. */
  onRefusal: (refusal: RosterError) => void;
}

/** The text of a stream (WHATWG HTML, section 9.2): where it starts, then events, and comments where there are none. */
async function* textOf(
  events: AsyncIterable<Tracked>,
  { context: { request }, heartbeatMs, onRefusal }: StreamParts,
): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\nid: ${request.responseMeta.cursor}\n\n`;
  const iterator = events[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const arrived = await Promise.race([next, silence(heartbeatMs)]);
      if (arrived === undefined) {
        yield ': still here\n\n';
        continue;
      }
      if (arrived.done) return;
      const [place, event] = arrived.value;
      yield `id: ${place}\ndata: ${JSON.stringify(event)}\n\n`;
      next = iterator.next();
    }
  } catch (error) {
    const refusal = toRosterError(error);
    onRefusal(refusal);
    const problem = refusal.problem({ instance: request.path, requestId: request.id });
    yield `event: problem\ndata: ${JSON.stringify(problem)}\n\n`;
  } finally {
    await iterator.return?.();
  }
}

function silence(timeMs: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, timeMs, undefined).unref());
}

/** The procedure behind a stream, for one request. */
async function subscribe({ procedure }: Stream, context: Context, input: unknown, signal: AbortSignal) {
  const call = { path: procedure, type: 'subscription', input } as const;
  const events = await callProcedure(call, { context, signal }).catch((error: unknown) => {
    throw namedAsHeader(error);
  });
  return events as AsyncIterable<Tracked>;
}

/** In REST the place to go on from is a header, by whose name the caller knows it. */
function namedAsHeader(error: unknown): unknown {
  if (!(error instanceof RosterError) || !error.errors?.some(({ parameter }) => parameter === 'lastEventId'))
    return error;
  const errors = error.errors.map((one) =>
    one.parameter === 'lastEventId' ? { ...one, parameter: 'Last-Event-ID' } : one,
  );
  return new RosterError(error.errorCode, error.message.replaceAll('lastEventId', 'Last-Event-ID'), {
    errors,
  });
}

/** The subscriptions of the service as server-sent events, each at its path. */
export function registerEventStream(
  app: FastifyInstance,
  { contexts, held }: { contexts: (request: FastifyRequest) => Context; held: Streams },
): void {
  for (const stream of streams) {
    app.route({
      method: 'GET',
      url: stream.path,
      config: { procedure: stream.procedure },
      exposeHeadRoute: false,
      onRequest: demandScope(stream.scope),
      handler: async (request, reply) => {
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        const context = contexts(request);
        const events = await subscribe(stream, context, inputOf(request), left.signal);
        held.hold(reply);
        reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no');
        const onRefusal = ({ errorCode }: RosterError) => recordError(request, errorCode);
        const parts = { context, heartbeatMs: held.heartbeatMs, onRefusal };
        const text = Readable.from(textOf(events, parts), { highWaterMark: 1 });
        return reply.type('text/event-stream').send(text);
      },
    });
  }
}
