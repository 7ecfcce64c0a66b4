import { AsyncLocalStorage } from 'node:async_hooks';
import type { ErrorCode, RosterError } from '@roster/api';
import type { EndedStatement } from '@roster/db';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    stats: RequestStats | null;
  }

  interface FastifyContextConfig {
    /** The procedure of a REST route. */
    procedure?: string;
  }
}

/** The interface of the API that a request uses; `other` for what is no operation, such as /healthz. */
export type ApiInterface = 'rest' | 'rpc' | 'mcp' | 'reso' | 'other';

/** The target of a request, as far as it is known and may be logged. */
export interface RequestTarget {
  apiInterface: ApiInterface;
  /** The pattern of its route; undefined if no route matches. */
  route: string | undefined;
  /** The path, without anything that may identify a person. */
  path: string;
  /** The procedures it calls; empty if they are unknown. */
  procedures: string[];
}

/** A call that was rejected for who made it. */
export interface DeniedCall {
  procedure: string | undefined;
  errorCode: ErrorCode;
  detail: string;
}

const denialCodes: ReadonlySet<ErrorCode> = new Set([
  'insufficient_scope',
  'sign_in_denied',
  'sign_in_failed',
]);

/** The counts, times and errors of one request, for its line in the log. */
export class RequestStats {
  readonly requestId: string;
  /** The ID of its trace, if it is traced. */
  traceId: string | undefined = undefined;
  statements = 0;
  /** The sum of the times of its statements; those of a batch may overlap. */
  databaseMs = 0;
  /** The codes of the errors it was answered with: several if several calls of a batch failed. */
  errorCodes: ErrorCode[] | undefined = undefined;
  /** The rights it was denied, and the sign-in that failed. */
  denials: DeniedCall[] | undefined = undefined;
  /** The procedures that it has called, if its path does not say them. */
  procedures: string[] | undefined = undefined;
  /** Whether its calls were counted one by one, because it may have several. */
  isCounted = false;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

  /** Takes note of a procedure that was called, and counted, for the request. */
  countCall(procedure: string): void {
    this.procedures ??= [];
    this.procedures.push(procedure);
    this.isCounted = true;
  }

  addStatement({ durationMs }: EndedStatement): void {
    this.statements += 1;
    this.databaseMs += durationMs;
  }
}

/** The request that the current code runs for; undefined outside requests. */
export const requestContext = new AsyncLocalStorage<RequestStats>();

/** Records that a request, or a call of its batch, is answered with an error; nothing if it was not routed. */
export function recordError(
  { stats, routeOptions }: Pick<FastifyRequest, 'stats' | 'routeOptions'>,
  { errorCode, message: detail }: RosterError,
  procedure = routeOptions.config.procedure,
): void {
  if (!stats) return;
  stats.errorCodes ??= [];
  stats.errorCodes.push(errorCode);
  if (!denialCodes.has(errorCode)) return;
  stats.denials ??= [];
  stats.denials.push({ procedure, errorCode, detail });
}
