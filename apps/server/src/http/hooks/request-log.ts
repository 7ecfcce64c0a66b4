import type { RosterError } from '@roster/api';
import type { DenialLog } from '@roster/api/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerLogger } from '../../observability/logger.ts';
import type { RequestMetrics } from '../../observability/metrics/requests.ts';
import { isRejection, type RejectionSampler } from '../../observability/rejection-sampler.ts';
import { RequestStats, type RequestTarget, requestContext } from '../../observability/request-context.ts';
import { redactPath } from '../../observability/request-path.ts';
import type { Tracing } from '../../observability/tracing.ts';
import { isProcedure } from '../../procedures.ts';
import { loggedAddress } from '../client-address.ts';
import { knownCaller } from '../identity.ts';

export interface Observers {
  metrics?: RequestMetrics | undefined;
  tracing?: Tracing | undefined;
}

interface RequestLogOptions extends Observers {
  log: ServerLogger;
  sampler: RejectionSampler;
}

function targetOf(request: FastifyRequest): RequestTarget {
  const { url, config } = request.routeOptions;
  const route = request.is404 ? undefined : url;
  const path = redactPath(request, route);
  if (config.procedure !== undefined)
    return { apiInterface: 'rest', route, path, procedures: [config.procedure] };
  if (route === '/mcp')
    return { apiInterface: 'mcp', route, path, procedures: request.stats?.procedures ?? [] };
  if (route?.startsWith('/reso') === true) return { apiInterface: 'reso', route, path, procedures: [] };
  if (route?.startsWith('/trpc/') !== true) return { apiInterface: 'other', route, path, procedures: [] };
  const { path: names = route.slice('/trpc/'.length) } = request.params as { path?: string };
  return { apiInterface: 'rpc', route, path, procedures: names.split(',').filter(isProcedure) };
}

/** Paths that a balancer asks every second. */
const probes = new Set(['/healthz', '/readyz']);

/** Remembers the last status of each probe. */
function probeNews(): (route: string | undefined, status: number) => boolean {
  const last = new Map<string, number>();
  return (route, status) => {
    if (route === undefined || !probes.has(route)) return true;
    const isNew = last.get(route) !== status;
    last.set(route, status);
    return isNew;
  };
}

/** Must be registered before every hook that may reject a request. */
export function registerRequestLog(
  app: FastifyInstance,
  { log, sampler, metrics, tracing }: RequestLogOptions,
): void {
  app.decorateRequest('stats', null);
  const isNews = probeNews();
  const follow = ({ raw }: FastifyRequest, stats: RequestStats, code: () => void) =>
    requestContext.run(stats, () => (tracing === undefined ? code() : tracing.run(raw, code)));
  app.addHook('onRequest', (request, _, done) => {
    const stats = new RequestStats(request.id);
    request.stats = stats;
    metrics?.began();
    stats.traceId = tracing?.routed(request.raw, targetOf(request));
    follow(request, stats, done);
  });
  app.addHook('onClose', async () => sampler.close());
  // A body arrives in the context of its socket, which other requests may share.
  app.addHook('preHandler', (request, _, done) => {
    const { stats, body } = request;
    if (stats === null || body === undefined) return done();
    follow(request, stats, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { stats } = request;
    if (stats !== null) {
      const target = targetOf(request);
      metrics?.ended(target, stats, reply);
      if (isNews(target.route, reply.statusCode) && sampler.takes(reply.statusCode))
        log.infoJson(fieldsOf(target, stats, { request, reply }), 'request');
    }
    done();
  });
}

export function registerDenialLog(app: FastifyInstance, denials: DenialLog): void {
  app.addHook('onResponse', (request, _, done) => {
    for (const denial of request.stats?.denials ?? [])
      denials.record({ ...denial, caller: knownCaller(request), requestId: request.id });
    done();
  });
  app.addHook('onClose', () => denials.close());
}

/** Fastify responds to a URL that it cannot parse before any hook runs. */
export function logUnrouted(
  { id, log, method }: FastifyRequest,
  { errorCode, status }: RosterError,
  metrics: RequestMetrics | undefined,
): void {
  metrics?.countError(errorCode);
  log.info({ reqId: id, method, status, errorCode }, 'request');
}

const tenths = (timeMs: number) => Math.round(timeMs * 10) / 10;

/** Written by hand: the logger would look at each member, a tenth of the CPU of a small request. */
function fieldsOf(
  { path, procedures }: RequestTarget,
  { requestId, statements, databaseMs, errorCodes, traceId }: RequestStats,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): string {
  const { method } = request;
  const caller = knownCaller(request);
  let fields = `"reqId":${JSON.stringify(requestId)}`;
  if (caller?.type === 'key') fields += `,"keyId":${JSON.stringify(caller.id)}`;
  // Without the name: the log has no personal data.
  if (caller) fields += `,"actor":{"type":"${caller.type}","id":${JSON.stringify(caller.id)}}`;
  fields += `,"method":${JSON.stringify(method)},"path":${JSON.stringify(path)}`;
  if (procedures.length > 0) fields += `,"procedure":${oneOrAll(procedures)}`;
  fields += `,"status":${reply.statusCode}`;
  const address = isRejection(reply.statusCode) ? loggedAddress(request.ip) : undefined;
  if (address !== undefined) fields += `,"address":${JSON.stringify(address)}`;
  if (errorCodes !== undefined) fields += `,"errorCode":${oneOrAll(errorCodes)}`;
  fields += `,"durationMs":${tenths(reply.elapsedTime)},"databaseMs":${tenths(databaseMs)},"statements":${statements}`;
  return traceId === undefined ? fields : `${fields},"traceId":"${traceId}"`;
}

function oneOrAll(names: readonly string[]): string {
  return JSON.stringify(names.length === 1 ? names[0] : names);
}
