import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { RosterError } from '@roster/api';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestMetrics } from '../observability/metrics/requests.ts';
import { shownPath } from '../observability/redact-path.ts';
import { isRejection, type RejectionSampler } from '../observability/rejection-sampler.ts';
import { accounts, Tally } from '../observability/request-context.ts';
import type { Tracing } from '../observability/tracing/tracing.ts';
import { isProcedure } from '../procedures.ts';

/** Who watches requests beside the log. */
export interface Watchers {
  metrics?: RequestMetrics | undefined;
  tracing?: Tracing | undefined;
}

/** What a request asked for, as far as it is known and may be shown. */
export interface Asked {
  door: 'rest' | 'rpc' | 'other';
  /** The pattern of its route; undefined where there is none. */
  route: string | undefined;
  /** The path, with nothing of the caller's own in it. */
  path: string;
  /** The procedures it calls; none where they are unknown. */
  procedures: string[];
}

function askedBy(request: FastifyRequest): Asked {
  const { url, config } = request.routeOptions;
  const route = request.is404 ? undefined : url;
  const path = shownPath(request, route);
  if (config.procedure !== undefined) return { door: 'rest', route, path, procedures: [config.procedure] };
  if (route?.startsWith('/trpc/') !== true) return { door: 'other', route, path, procedures: [] };
  const { path: names = route.slice('/trpc/'.length) } = request.params as { path?: string };
  return { door: 'rpc', route, path, procedures: names.split(',').filter(isProcedure) };
}

/**
 * Sees every request from its first byte to the last of its answer: keeps its tally, and says in the log, the metrics and
 * the trace what became of it. To be registered before anything that may refuse.
 */
export function registerRequests(
  app: FastifyInstance,
  { metrics, tracing }: Watchers,
  sampler: RejectionSampler,
): void {
  app.decorateRequest('tally', null);
  app.addHook('onRequest', (request, _, done) => {
    const tally = new Tally(request.id);
    request.tally = tally;
    metrics?.began();
    tracing?.requestBegan(request, tally, askedBy(request));
    accounts.run(tally, done);
  });
  app.addHook('onClose', async () => sampler.close());
  // A body comes in the context of its socket, which other requests may share.
  app.addHook('preHandler', (request, _, done) => {
    const { tally, body } = request;
    if (tally === null || body === undefined) return done();
    accounts.run(tally, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { tally } = request;
    if (tally !== null) {
      const asked = askedBy(request);
      metrics?.ended(asked, tally, reply);
      tracing?.requestEnded(tally, { request, reply });
      if (sampler.takes(reply.statusCode)) writeLine(asked, tally, { request, reply });
    }
    done();
  });
}

/** Sees a request whose target cannot be read: Fastify answers it before any hook. */
export function seeUnrouted(
  { id, log, method }: FastifyRequest,
  { reason, status }: RosterError,
  metrics: RequestMetrics | undefined,
): void {
  metrics?.refused(reason);
  log.info({ reqId: id, method, status, reason }, 'request');
}

/** What a request that is rejected before it is routed is counted and logged by. */
interface UnroutedRejections {
  log: FastifyBaseLogger;
  sampler: RejectionSampler;
  metrics: RequestMetrics | undefined;
  /** Addresses or networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
}

/** Sees requests that the concurrency limit rejects: counts each of them, and writes lines about a sample. */
export function seeOverload({ log, sampler, metrics, trustedProxies }: UnroutedRejections) {
  const isTrusted = proxyAddress.compile(trustedProxies);
  const [status, reason] = [503, 'overloaded'] as const;
  return (request: IncomingMessage, requestId: string): void => {
    metrics?.refused(reason);
    if (!sampler.takes(status)) return;
    const { method, url = '/' } = request;
    const path = shownPath({ url, params: {} }, undefined);
    const address = addressIn(proxyAddress(request, isTrusted));
    log.info({ reqId: requestId, method, path, status, address, reason }, 'request');
  };
}

/** The address of a caller; a proxy may have forwarded text that is none, which may be anything. */
function addressIn(ip: string): string | undefined {
  return isIP(ip) === 0 ? undefined : ip;
}

const tenths = (timeMs: number) => Math.round(timeMs * 10) / 10;

function writeLine(
  { path, procedures }: Asked,
  { requestId, statements, databaseMs, reasons, span }: Tally,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  const { identity, log, method } = request;
  log.info(
    {
      reqId: requestId,
      keyId: identity && 'caller' in identity ? identity.caller.keyId : undefined,
      method,
      path,
      procedure: procedures.length > 1 ? procedures : procedures[0],
      status: reply.statusCode,
      address: isRejection(reply.statusCode) ? addressIn(request.ip) : undefined,
      reason: reasons === undefined || reasons.length > 1 ? reasons : reasons[0],
      durationMs: tenths(reply.elapsedTime),
      databaseMs: tenths(databaseMs),
      statements,
      traceId: span?.spanContext().traceId,
    },
    'request',
  );
}
