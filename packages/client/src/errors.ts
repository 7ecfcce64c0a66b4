import { TRPCClientError } from '@trpc/client';
import type { AppRouter, FieldError, Problem, Reason } from './contract.ts';

/**
 * Why a call failed: a reason of the service, or one of the client's own.
 * - `network`: no answer came, or not in time;
 * - `unreadable_answer`: an answer came, and it is not one of Roster's;
 * - `aborted`: the caller's AbortSignal ended the call.
 */
export type ErrorCode = Reason | 'network' | 'unreadable_answer' | 'aborted';

/** What is known of a failure; what the service's problem document would say. */
type Failure = Pick<Problem, 'title' | 'detail' | 'status'> &
  Partial<Omit<Problem, 'code'>> & {
    code: ErrorCode;
    cause?: unknown;
    retryAfterMs?: number | undefined;
  };

/**
 * The one class of errors of this client, with the fields of the service's problem documents (RFC 9457).
 * It is a `TRPCClientError`, so what is written for those catches it as well.
 *
 * @example
 * try {
 *   await client.agents.create.mutate({ firstName: 'Ana', lastName: 'Reis', email: 'ana@example.com' });
 * } catch (error) {
 *   if (error instanceof RosterError && error.code === 'email_taken') …
 * }
 */
export class RosterError extends TRPCClientError<AppRouter> {
  /** Why, for programs: decide by this, never by a text. */
  readonly code: ErrorCode;
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /** The kind of problem, in words. */
  readonly title: string;
  /** What went wrong this time; the same as `message`. */
  readonly detail: string;
  /** A page that explains this kind of problem, relative to the service's URL. */
  readonly type: string | undefined;
  /** The path of the request that was refused. */
  readonly instance: string | undefined;
  /** Names the request in the service's log. */
  readonly requestId: string | undefined;
  /** All that is wrong, field by field; empty where it is not about fields. */
  readonly errors: readonly FieldError[];
  /** How many faults there are beside those in `errors`. */
  readonly errorsOmitted: number;
  /** With `version_conflict`: the version the record has now. */
  readonly currentVersion: number | undefined;
  /** With `has_dependents`: how many records of each kind refer to this one. */
  readonly dependents: Readonly<Record<string, number>> | undefined;
  /** Milliseconds after which trying again makes sense, where the service said so. */
  readonly retryAfterMs: number | undefined;

  constructor(failure: Failure, from?: TRPCClientError<AppRouter>) {
    super(failure.detail, {
      ...(from?.shape && { result: { error: from.shape } }),
      ...(from?.meta && { meta: from.meta }),
      ...(failure.cause instanceof Error && { cause: failure.cause }),
    });
    // The constructor of TRPCClientError makes every instance one of its own class.
    Object.setPrototypeOf(this, new.target.prototype);
    this.name = 'RosterError';
    this.code = failure.code;
    this.status = failure.status;
    this.title = failure.title;
    this.detail = failure.detail;
    this.type = failure.type;
    this.instance = failure.instance;
    this.requestId = failure.requestId;
    this.errors = failure.errors ?? [];
    this.errorsOmitted = failure.errorsOmitted ?? 0;
    this.currentVersion = failure.currentVersion;
    this.dependents = failure.dependents;
    this.retryAfterMs = failure.retryAfterMs;
  }

  /** The problem as JSON: what the service sent, or would have. */
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
      dependents: this.dependents,
    };
  }
}

/** The answer behind an error of tRPC, as far as it is used here. */
interface Answer {
  status: number;
  headers: Headers;
}

function answerOf({ meta }: TRPCClientError<AppRouter>): Answer | undefined {
  return meta?.response as Answer | undefined;
}

/** Retry-After in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3); undefined where there is none. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('Retry-After');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Whatever a call threw, as a RosterError; a mistake in the call itself (an input that is not JSON) stays as it is. */
export function rosterErrorOf(thrown: unknown, url: string): unknown {
  if (thrown instanceof RosterError || !(thrown instanceof TRPCClientError)) return thrown;
  const error: TRPCClientError<AppRouter> = thrown;
  const answer = answerOf(error);
  const problem = error.data?.problem;
  if (problem !== undefined) {
    return new RosterError({ ...problem, retryAfterMs: answer && retryAfterMs(answer.headers) }, error);
  }
  return answer === undefined ? thrown : unreadable({ url, answer, cause: error });
}

/** The failure of a request that REST refused with a problem document; of one that something else answered. */
export function refusalOf(url: string, answer: Answer, body: string): RosterError {
  const problem = problemOf(body);
  if (problem === undefined) return unreadable({ url, answer });
  return new RosterError({ ...problem, retryAfterMs: retryAfterMs(answer.headers) });
}

function problemOf(body: string): Problem | undefined {
  try {
    const json: unknown = JSON.parse(body);
    const isProblem = typeof json === 'object' && json !== null && 'code' in json && 'requestId' in json;
    return isProblem ? (json as Problem) : undefined;
  } catch {
    return undefined;
  }
}

/** The failure of a call that was answered by something other than Roster. */
export function unreadable({
  url,
  answer,
  cause,
}: {
  url: string;
  answer: Answer;
  cause?: unknown;
}): RosterError {
  const type = answer.headers.get('Content-Type') ?? 'no type';
  return new RosterError({
    code: 'unreadable_answer',
    status: answer.status,
    title: 'The answer is not one of Roster',
    detail: `${url} answered ${answer.status} (${type}), which is no answer of Roster.`,
    retryAfterMs: retryAfterMs(answer.headers),
    cause,
  });
}

/** What the codes of Node's sockets and of undici mean to a person. */
const causes: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was lost',
  UND_ERR_SOCKET: 'the connection was lost',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  ENOTFOUND: 'the host is not known',
  EAI_AGAIN: 'the host could not be looked up',
};

/** The reason at the bottom of what `fetch` threw; it wraps the real one, once or twice. */
function causeOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  if (!(inner instanceof Error)) return 'the reason is not known';
  const code = 'code' in inner ? String(inner.code) : '';
  return causes[code] ?? (inner.message || code || inner.name);
}

/** The failure of a call that got no answer. */
export function unreachable(url: string, cause: unknown, timeoutMs: number): RosterError {
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError';
  const why = isTimeout ? `nothing came within ${timeoutMs / 1_000} s` : causeOf(cause);
  return new RosterError({
    code: 'network',
    status: 0,
    title: 'The service cannot be reached',
    detail: `No answer from ${url}: ${why}.`,
    cause,
  });
}

/** The failure of a call that its caller ended. */
export function aborted(signal: AbortSignal): RosterError {
  return new RosterError({
    code: 'aborted',
    status: 0,
    title: 'The call was aborted',
    detail: 'The call was aborted by its caller.',
    cause: signal.reason,
  });
}
