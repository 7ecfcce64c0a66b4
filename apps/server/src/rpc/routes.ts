import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { operations, RosterError } from '@roster/api';
import { appRouter, type Context, toRosterError } from '@roster/api/server';
import type { TRPCError } from '@trpc/server';
import { type FastifyTRPCPluginOptions, fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { payloadOf } from '../http/encode-body.ts';
import { textOfBody } from '../http/json-input.ts';
import { demandMediaType } from '../http/media-types.ts';
import { jsonType } from '../http/problem-details.ts';
import type { RequestMetrics } from '../observability/metrics/requests.ts';
import { recordError } from '../observability/request-context.ts';
import { identified } from '../plugins/authentication.ts';
import { JSON_LINES } from '../plugins/concurrency-limit.ts';
import type { RequestBodies } from '../plugins/request-bodies.ts';
import { appendVary } from '../plugins/response-headers.ts';
import type { UnreadResponses } from '../plugins/unread-responses.ts';
import type { Streams } from '../streaming/stream-registry.ts';
import { Turns } from './batch-semaphore.ts';
import { answerCalls, type Calls, type EndedCall, plainCalls } from './fast-path.ts';

/** Calls a batch may hold; each costs as much as a request of its own. */
export const BATCH_MAX = 20;

/** The headers of an answer of tRPC that say how it travels: that is decided here (RFC 9110, section 7.6.1). */
const ofTransport = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'trailer',
  'upgrade',
]);

/**
 * Sends what tRPC answers. Given to Fastify as it is, its headers would take the place of those that are set
 * already, and as a stream of unknown length the smallest answer would be compressed.
 */
async function send(
  reply: FastifyReply,
  { status, headers, body }: Response,
  { held, unread }: Pick<RpcOptions, 'held' | 'unread'>,
): Promise<FastifyReply> {
  for (const [name, value] of headers) {
    if (name === 'vary') appendVary(reply, value);
    else if (!ofTransport.has(name)) reply.header(name, value);
  }
  reply.code(status);
  const type = headers.get('content-type');
  if (body === null || type === 'application/json') return reply.send(await new Response(body).text());
  if (type === JSON_LINES) return reply.send(readAhead(body as ReadableStream<Uint8Array>, reply, unread));
  held.hold(reply);
  // Piped by Fastify, as a web stream is not, so that it can be ended between two messages.
  return reply.send(Readable.fromWeb(body as ReadableStream));
}

/**
 * The parts of a streamed batch as they are made, whether its client reads them or not: as long as they wait inside tRPC
 * they are objects that nobody counts. The connection ends if the caller leaves more unread than it may.
 */
function readAhead(
  body: ReadableStream<Uint8Array>,
  { raw }: FastifyReply,
  unread: UnreadResponses,
): Readable {
  const parts = new Readable({ read: () => undefined });
  const read = async () => {
    for await (const part of body) {
      if (!unread.grow(raw, part.length)) throw new Error('The client does not read the batch.');
      parts.push(part);
    }
    parts.push(null);
  };
  read().catch((error: Error) => parts.destroy(error));
  return parts;
}

interface Sending {
  calls: Calls;
  context: Context;
  onEnded: (call: EndedCall) => void;
  /** Those of batches. */
  turns: Turns;
}

/** Answers calls as tRPC does, without making a fetch Request and Response of what Fastify has read and will write. */
async function sendCalls(
  { calls, context, onEnded, turns }: Sending,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const left = new AbortController();
  // After a whole answer there is nobody to tell, and to abort costs more than many a call.
  reply.raw.once('close', () => reply.raw.writableFinished || left.abort());
  const answer = () =>
    answerCalls(calls, {
      context,
      signal: left.signal,
      onInternal: (error) => logInternal(request, error),
      onEnded,
    });
  const { status, body, errors } = await (calls.isBatch ? turns.run(answer) : answer());
  reply.header('Cache-Control', 'no-store').type(jsonType);
  appendVary(reply, 'trpc-accept, accept');
  for (const error of errors) if (error instanceof RosterError) reply.headers(error.headers);
  if (context.request.responseMeta.isReplayed) reply.header('Idempotency-Replayed', 'true');
  return reply.code(status).send(payloadOf(body));
}

function logInternal({ id, log }: Pick<FastifyRequest, 'id' | 'log'>, error: TRPCError): void {
  log.error({ reqId: id, err: error.cause ?? error }, 'internal error');
}

/** What is told of calls, for the log and the metrics of their request. */
function countCalls(request: FastifyRequest, metrics: RequestMetrics | undefined): (call: EndedCall) => void {
  if (request.stats !== null) request.stats.isCounted = true;
  return ({ procedure, durationMs, refusal }) => {
    if (refusal !== undefined) recordError(request, refusal.errorCode);
    metrics?.called({ procedure, durationMs, status: refusal?.status ?? 200 });
  };
}

/**
 * No name of a procedure holds a percent sign. tRPC decodes the path once more than the router did, so that a comma that
 * was encoded twice would separate calls that the rate limiter has not counted.
 */
function refuseEncodedTwice(
  { params }: FastifyRequest,
  _: FastifyReply,
  done: (error?: Error) => void,
): void {
  done((params as { path: string }).path.includes('%') ? new RosterError('no_such_route') : undefined);
}

/** Rejects a caller without a valid key before the body of the request is read, whatever it calls. */
function requireCaller(request: FastifyRequest, _: FastifyReply, done: (error?: Error) => void): void {
  try {
    identified(request);
    done();
  } catch (error) {
    done(error as Error);
  }
}

interface RpcOptions {
  contexts: (request: FastifyRequest, options?: { acceptsRawJson: boolean }) => Context;
  held: Streams;
  bodies: RequestBodies;
  unread: UnreadResponses;
  metrics: RequestMetrics | undefined;
}

/** The typed procedures, at /trpc. */
export function registerRpc(
  app: FastifyInstance,
  { contexts, held, bodies, unread, metrics }: RpcOptions,
): void {
  const trpcOptions: FastifyTRPCPluginOptions<typeof appRouter>['trpcOptions'] = {
    router: appRouter,
    createContext: ({ req }) => contexts(req),
    maxBatchSize: BATCH_MAX,
    responseMeta: ({ ctx, errors, eagerGeneration }) => {
      const headers: Record<string, string> = { 'Cache-Control': 'no-store' };
      // Where it refuses a request as a whole, tRPC leaves the type out, which makes it text. A stream has its own.
      if (!eagerGeneration) headers['Content-Type'] = 'application/json';
      for (const error of errors) if (error instanceof RosterError) Object.assign(headers, error.headers);
      if (ctx?.request.responseMeta.isReplayed) headers['Idempotency-Replayed'] = 'true';
      return { headers };
    },
    onError: ({ error, req }) => {
      // What tRPC itself refuses is the caller's doing too.
      const { errorCode, status } = toRosterError(error);
      recordError(req, errorCode);
      if (status === 500) logInternal(req, error);
    },
  };
  const turns = new Turns();
  app.register(async (scope) => {
    scope.addHook('onRequest', requireCaller);
    scope.addHook('onRequest', function requireJson(request, reply, done) {
      if (request.method === 'POST') demandMediaType.call(this, request, reply, done);
      else done();
    });
    // tRPC parses the text itself.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', (request, payload, done) => {
      bodies.receive(request, payload, (rejection, bytes) => {
        if (rejection !== null) return done(rejection);
        try {
          done(null, textOfBody(bytes));
        } catch (error) {
          done(error as Error);
        }
      });
    });
    const serve = async (request: FastifyRequest, reply: FastifyReply, path: string) => {
      const calls = plainCalls(request, path, BATCH_MAX);
      if (calls !== undefined) {
        const onEnded = countCalls(request, metrics);
        const context = contexts(request, { acceptsRawJson: true });
        return sendCalls({ calls, context, onEnded, turns }, request, reply);
      }
      const { promise, resolve } = Promise.withResolvers<Response>();
      const res = { raw: reply.raw, send: resolve } as unknown as FastifyReply;
      await fastifyRequestHandler({ ...trpcOptions, req: request, res, path });
      return send(reply, await promise, { held, unread });
    };
    const method = ['GET', 'HEAD', 'POST'];
    scope.route<{ Params: { path: string } }>({
      method,
      url: '/trpc/:path',
      onRequest: refuseEncodedTwice,
      handler: (request, reply) =>
        serve(request as FastifyRequest, reply as FastifyReply, request.params.path),
    });
    // On their own they take as large a body as in REST; in a batch with others, what every batch takes.
    for (const { procedure, bodyMaxBytes } of operations) {
      if (bodyMaxBytes === undefined) continue;
      const handler = (request: FastifyRequest, reply: FastifyReply) => serve(request, reply, procedure);
      scope.route({ method, url: `/trpc/${procedure}`, bodyLimit: bodyMaxBytes, handler });
    }
  });
}
