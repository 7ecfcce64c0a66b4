import { AsyncLocalStorage } from 'node:async_hooks';
import type { ErrorCode, RosterError } from '@roster/api';
import type { EndedStatement } from '@roster/db';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    stats: RequestStats | null;
  }

  interface FastifyContextConfig {
    procedure?: string;
  }
}

/** `other` for what is no operation, such as /healthz. */
export type ApiInterface = 'rest' | 'rpc' | 'mcp' | 'reso' | 'other';

export interface RequestTarget {
  apiInterface: ApiInterface;
  route: string | undefined;
  /** Without anything that may identify a person. */
  path: string;
  procedures: string[];
}

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

export class RequestStats {
  readonly requestId: string;
  traceId: string | undefined = undefined;
  statements = 0;
  /** Statements of a batch may overlap. */
  databaseMs = 0;
  errorCodes: ErrorCode[] | undefined = undefined;
  denials: DeniedCall[] | undefined = undefined;
  /** If the path does not name them. */
  procedures: string[] | undefined = undefined;
  isCounted = false;

  constructor(requestId: string) {
    this.requestId = requestId;
  }

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

export const requestContext = new AsyncLocalStorage<RequestStats>();

/** Does nothing if the request was not routed. */
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
