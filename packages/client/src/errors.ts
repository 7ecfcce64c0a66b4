import { TRPCClientError } from '@trpc/client';
import type { AppRouter, FieldError, Problem, ProblemCode } from './contract.d.ts';

/**
 * The code of an error: one of the service, or one of the client.
 * - `network`: there was no response, or not in time;
 * - `invalid_response`: the response is not one of Roster;
 * - `aborted`: the caller's AbortSignal fired.
 */
export type ErrorCode = ProblemCode | 'network' | 'invalid_response' | 'aborted';

type ErrorFields = Pick<Problem, 'title' | 'detail' | 'status'> &
  Partial<Omit<Problem, 'code'>> & {
    code: ErrorCode;
    cause?: unknown;
    retryAfterMs?: number | undefined;
  };

/**
 * The class of all errors of this client, with the fields of a problem document (RFC 9457).
 *
 * @example
 * try {
 *   await client.agents.create.mutate({ firstName: 'Ana', lastName: 'Reis', email: 'ana@example.com' });
 * } catch (error) {
 *   if (error instanceof RosterError && error.code === 'email_taken') …
 * }
 */
export class RosterError extends TRPCClientError<AppRouter> {
  /** For programs: decide by this, never by a message. */
  readonly code: ErrorCode;
  /** 0 without a response. */
  readonly status: number;
  /** The kind of problem, for people. */
  readonly title: string;
  /** The explanation of this error, for people; same as `message`. */
  readonly detail: string;
  /** A page about this kind of problem, relative to the service's URL. */
  readonly type: string | undefined;
  /** The path of the request. */
  readonly instance: string | undefined;
  /** In the service's log. */
  readonly requestId: string | undefined;
  /** Empty if the error is not about fields. */
  readonly errors: readonly FieldError[];
  /** Field errors missing from `errors`. */
  readonly errorsOmitted: number;
  /** With `version_conflict`: the current version of the record. */
  readonly currentVersion: number | undefined;
  /** With `count_mismatch`: the number of matching records. */
  readonly actualCount: number | undefined;
  /** With `record_merged`: the survivor's ID. */
  readonly mergedInto: string | undefined;
  /** With `has_dependents`: the number of records that refer to this one, by resource. */
  readonly dependents: Readonly<Record<string, number>> | undefined;
  /** From Retry-After. */
  readonly retryAfterMs: number | undefined;

  constructor(fields: ErrorFields, from?: TRPCClientError<AppRouter>) {
    super(fields.detail, {
      ...(from?.shape && { result: { error: from.shape } }),
      ...(from?.meta && { meta: from.meta }),
      ...(fields.cause instanceof Error && { cause: fields.cause }),
    });
    // The constructor of TRPCClientError sets its own prototype on every instance.
    Object.setPrototypeOf(this, new.target.prototype);
    this.name = 'RosterError';
    this.code = fields.code;
    this.status = fields.status;
    this.title = fields.title;
    this.detail = fields.detail;
    this.type = fields.type;
    this.instance = fields.instance;
    this.requestId = fields.requestId;
    this.errors = fields.errors ?? [];
    this.errorsOmitted = fields.errorsOmitted ?? 0;
    this.currentVersion = fields.currentVersion;
    this.actualCount = fields.actualCount;
    this.mergedInto = fields.mergedInto;
    this.dependents = fields.dependents;
    this.retryAfterMs = fields.retryAfterMs;
  }

  toJSON(): Record<string, unknown> {
    const { type, title, status, detail, instance, code, requestId, errors, errorsOmitted } = this;
    return {
      type,
      title,
      status,
      detail,
      instance,
      code,
      requestId,
      ...(errors.length > 0 && { errors }),
      ...(errorsOmitted > 0 && { errorsOmitted }),
      currentVersion: this.currentVersion,
      actualCount: this.actualCount,
      mergedInto: this.mergedInto,
      dependents: this.dependents,
    };
  }
}

interface ResponseHead {
  status: number;
  headers: Headers;
}

function responseOf({ meta }: TRPCClientError<AppRouter>): ResponseHead | undefined {
  return meta?.response as ResponseHead | undefined;
}

/** From seconds or an HTTP date (RFC 9110, 10.2.3); undefined without. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('Retry-After');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

export function toRosterError(thrown: unknown, url: string): unknown {
  if (thrown instanceof RosterError || !(thrown instanceof TRPCClientError)) return thrown;
  const error: TRPCClientError<AppRouter> = thrown;
  const response = responseOf(error);
  // Under a wrong path the response is a problem, and not one of tRPC.
  const problem = error.data?.problem ?? problemIn(error.meta?.responseJSON);
  if (problem !== undefined) {
    return new RosterError({ ...problem, retryAfterMs: response && retryAfterMs(response.headers) }, error);
  }
  return response === undefined ? thrown : invalidResponse({ url, response, cause: error });
}

/** From a problem document; `invalid_response` for any other body. */
export function problemError(url: string, response: ResponseHead, body: string): RosterError {
  const problem = problemIn(parseJson(body));
  if (problem === undefined) return invalidResponse({ url, response });
  return new RosterError({ ...problem, retryAfterMs: retryAfterMs(response.headers) });
}

/** Undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemIn(json: unknown): Problem | undefined {
  const isProblem = typeof json === 'object' && json !== null && 'code' in json && 'requestId' in json;
  return isProblem ? (json as Problem) : undefined;
}

export function invalidResponse({
  url,
  response,
  cause,
}: {
  url: string;
  response: ResponseHead;
  cause?: unknown;
}): RosterError {
  const type = response.headers.get('Content-Type') ?? 'no type';
  return new RosterError({
    code: 'invalid_response',
    status: response.status,
    title: 'The response is not one of Roster',
    detail: `${url} responded with ${response.status} (${type}), which is not a response of Roster.`,
    retryAfterMs: retryAfterMs(response.headers),
    cause,
  });
}

/** Of Node's sockets and undici, for people. */
const causes: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
};

/** `fetch` wraps it once or twice. */
function causeOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (!(inner instanceof Error)) return 'the cause is unknown';
  const code = 'code' in inner ? String(inner.code) : '';
  return causes[code] ?? (inner.message || code || inner.name);
}

export function unreachable(url: string, cause: unknown, timeoutMs: number): RosterError {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  const why = isTimeout ? `timeout after ${timeoutMs / 1_000} s` : causeOf(cause);
  return new RosterError({
    code: 'network',
    status: 0,
    title: 'The service cannot be reached',
    detail: `No response from ${url}: ${why}.`,
    cause,
  });
}

export function aborted(signal: AbortSignal): RosterError {
  return new RosterError({
    code: 'aborted',
    status: 0,
    title: 'The call was aborted',
    detail: 'The call was aborted by its caller.',
    cause: signal.reason,
  });
}
