import { operations, RosterError } from '@roster/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestMetrics } from '../../observability/metrics/requests.ts';
import { recordError } from '../../observability/request-context.ts';
import type { CreateContext } from '../context.ts';
import { requireCaller } from '../hooks/authentication.ts';
import { appendVary } from '../hooks/caching.ts';
import { decodeBody } from '../json.ts';
import { jsonBody } from '../json-body.ts';
import type { StreamRegistry } from '../limits/open-streams.ts';
import type { RequestBodies } from '../limits/request-bodies.ts';
import { requireMediaType } from '../media-types.ts';
import { jsonType, logInternalError } from '../problem-details.ts';
import { type Calls, type FinishedCall, parseCalls, runCalls } from './fast-path.ts';
import { handleByTrpc } from './trpc-handler.ts';

export const BATCH_MAX = 20;

interface RpcOptions {
  createContext: CreateContext;
  streams: StreamRegistry;
  bodies: RequestBodies;
  metrics: RequestMetrics | undefined;
}

export function registerRpc(app: FastifyInstance, options: RpcOptions): void {
  const { createContext, streams, bodies } = options;
  const batches = new Semaphore();
  const handle = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
    const calls = parseCalls(request, path, BATCH_MAX);
    if (calls === undefined) {
      const trpcOptions = { createContext, streams, batchMax: BATCH_MAX };
      return handleByTrpc(trpcOptions, { request, reply, path });
    }
    return sendCalls(calls, { request, reply }, options, batches);
  };
  app.register(async (scope) => {
    scope.addHook('onRequest', requireCaller);
    scope.addHook('onRequest', function requireJson(request, reply, done) {
      if (request.method === 'POST') requireMediaType.call(this, request, reply, done);
      else done();
    });
    bodies.parseIn(scope, ['application/json'], decodeBody);
    const method = ['GET', 'HEAD', 'POST'];
    scope.route({
      method,
      url: '/trpc/:path',
      onRequest: rejectDoubleEncoding,
      handler: (request, reply) => handle(request, reply, namesIn(request)),
    });
    // Called alone, these accept as large a body as in REST; in a batch its limit applies.
    for (const { procedure, bodyMaxBytes } of operations) {
      if (bodyMaxBytes === undefined) continue;
      const handler = (request: FastifyRequest, reply: FastifyReply) => handle(request, reply, procedure);
      scope.route({ method, url: `/trpc/${procedure}`, bodyLimit: bodyMaxBytes, handler });
    }
  });
}

const namesIn = ({ params }: FastifyRequest) => (params as { path: string }).path;

async function sendCalls(
  calls: Calls,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { createContext, metrics }: Pick<RpcOptions, 'createContext' | 'metrics'>,
  batches: Semaphore,
): Promise<FastifyReply> {
  const context = createContext(request, { acceptsRawJson: true });
  const onInternalError = (error: Error) => logInternalError(request, error);
  const onFinished = callObserver(request, metrics);
  const run = () => runCalls(calls, { context, onInternalError, onFinished });
  const { status, body, errors } = await (calls.isBatch ? batches.run(run) : run());
  reply.header('Cache-Control', 'no-store').type(jsonType);
  appendVary(reply, 'trpc-accept, accept');
  for (const error of errors) if (error instanceof RosterError) reply.headers(error.headers);
  if (context.request.responseMeta.isReplayed) reply.header('Idempotency-Replayed', 'true');
  return reply.code(status).send(jsonBody(body));
}

function callObserver(
  request: FastifyRequest,
  metrics: RequestMetrics | undefined,
): (call: FinishedCall) => void {
  if (request.stats !== null) request.stats.isCounted = true;
  return ({ procedure, durationMs, error }) => {
    if (error !== undefined) recordError(request, error, procedure);
    metrics?.called({ apiInterface: 'rpc', procedure, durationMs, status: error?.status ?? 200 });
  };
}

/** tRPC would decode the path again: an encoded comma would separate calls that the rate limiter has not counted. */
function rejectDoubleEncoding(request: FastifyRequest, _: FastifyReply, done: (error?: Error) => void): void {
  done(namesIn(request).includes('%') ? new RosterError('no_such_route') : undefined);
}

const SLOTS = 8;
/** A task that runs longer gives its slot to the next. */
const SLOW_MS = 50;

/**
 * Without a bound the data of many batches is alive together, and garbage collection copies it again and again. The throughput stays
 * the same.
 */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running < SLOTS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
    const timer = setTimeout(release, SLOW_MS);
    try {
      return await task();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
