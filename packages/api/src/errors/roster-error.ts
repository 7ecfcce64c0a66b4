import { TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER } from '@trpc/server/rpc';
import { z } from 'zod';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX, formatNumber } from './issue-text.ts';

export const ErrorCodeName = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);

export const FieldError = z
  .strictObject({
    pointer: z.string().optional().meta({
      description: 'Field of the body, as a JSON Pointer in a URI fragment (RFC 6901, section 6)',
      example: '#/email',
    }),
    parameter: z
      .string()
      .optional()
      .meta({ description: 'Name of the path or query parameter', example: 'limit' }),
    code: z
      .string()
      .meta({ description: 'Error code of this field or parameter, for programs', example: 'too_long' }),
    detail: z
      .string()
      .meta({ description: 'Error message, for people', example: 'must be at most 254 characters long' }),
  })
  .meta({ id: 'FieldError', description: 'An error of a field or parameter' });
export type FieldError = z.infer<typeof FieldError>;

/** The body of error responses (RFC 9457). */
export const Problem = z
  .strictObject({
    type: z.string().meta({
      description: "URL of the error code's documentation",
      example: '/docs/errors#email_taken',
    }),
    title: z.string().meta({ description: 'Title of the error code' }),
    status: z.int32().min(400).max(599).meta({ description: 'HTTP status', example: 409 }),
    detail: z.string().meta({ description: 'Details of this error, and what to do' }),
    instance: z.string().meta({ description: 'Path of the request', example: '/agents' }),
    code: ErrorCodeName.meta({ description: 'Error code. Later releases may add codes.' }),
    requestId: z.string().meta({
      description: 'Request ID in the server log; equals the `X-Request-Id` header',
    }),
    errors: z
      .array(FieldError)
      .optional()
      .meta({
        description: `Errors of fields and parameters, at most ${ERRORS_PER_RECORD_MAX} per record and ${formatNumber(ERRORS_PER_REQUEST_MAX)} in total`,
        maxItems: ERRORS_PER_REQUEST_MAX,
      }),
    errorsOmitted: z
      .int32()
      .min(0)
      .optional()
      .meta({ description: 'Number of errors that are omitted from `errors`', example: 449_000 }),
    currentVersion: z
      .int32()
      .min(1)
      .optional()
      .meta({ description: 'For `version_conflict`: current version of the record', example: 4 }),
    actualCount: z.int32().min(0).optional().meta({
      description: 'For `count_mismatch`: actual number of matching records',
      example: 1208,
    }),
    mergedInto: z.string().optional().meta({
      description:
        'For `record_merged`, `email_taken` and `source_taken`: ID of the record the merged record continues as',
      example: '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
      format: 'uuid',
    }),
    dependents: z.record(z.string(), z.int32().min(0)).optional().meta({
      description:
        'For `has_dependents`: number of records that refer to this one, by kind. Counts only records you can see.',
    }),
  })
  .meta({ id: 'Problem', description: 'An error response (RFC 9457)' });
export type Problem = z.infer<typeof Problem>;

export interface ErrorShape {
  message: string;
  code: TRPC_ERROR_CODE_NUMBER;
  data: { code: TRPC_ERROR_CODE_KEY; httpStatus: number; path?: string; problem: Problem };
}

export interface NamedRecord {
  table: string;
  id: string;
}

/** A `RosterError` has all of these properties, so that it can be copied with a spread. */
type RosterErrorOptions = Partial<
  Pick<
    RosterError,
    | 'errors'
    | 'errorsOmitted'
    | 'dependents'
    | 'currentVersion'
    | 'actualCount'
    | 'mergedInto'
    | 'missing'
    | 'heldBy'
    | 'scope'
    | 'isTokenInvalid'
    | 'retryAfter'
  > & {
    cause: unknown;
  }
>;

/** So that RPC has the same statuses as REST. */
const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'BAD_REQUEST',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  428: 'PRECONDITION_REQUIRED',
  429: 'TOO_MANY_REQUESTS',
  431: 'BAD_REQUEST',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const satisfies Record<(typeof errorCodes)[ErrorCode]['status'], TRPCError['code']>;

const RETRY_AFTER_S = 1;

/** `toRosterError` converts all other errors. */
export class RosterError extends TRPCError {
  readonly errorCode: ErrorCode;
  readonly errors: FieldError[] | undefined;
  readonly errorsOmitted: number;
  readonly dependents: Record<string, number> | undefined;
  readonly currentVersion: number | undefined;
  readonly actualCount: number | undefined;
  readonly mergedInto: string | undefined;
  readonly missing: NamedRecord | undefined;
  readonly heldBy: NamedRecord | undefined;
  /** In seconds, for Retry-After. A 503 has it unless it is undefined explicitly. */
  readonly retryAfter: number | undefined;
  readonly scope: string | undefined;
  /** An invalid key, as opposed to none (RFC 6750). */
  readonly isTokenInvalid: boolean;

  constructor(errorCode: ErrorCode, detail?: string, options: RosterErrorOptions = {}) {
    const { status, title, help } = errorCodes[errorCode];
    // The title is beside it. What an internal error tells is only for the log.
    const byDefault = errorCode === 'internal' ? `${title}.` : help;
    super({ code: trpcCodes[status], message: detail ?? byDefault, cause: options.cause });
    this.errorCode = errorCode;
    this.errors = options.errors;
    this.errorsOmitted = options.errorsOmitted ?? 0;
    this.dependents = options.dependents;
    this.currentVersion = options.currentVersion;
    this.actualCount = options.actualCount;
    this.mergedInto = options.mergedInto;
    this.missing = options.missing;
    this.heldBy = options.heldBy;
    this.scope = options.scope;
    this.isTokenInvalid = options.isTokenInvalid === true;
    this.retryAfter = 'retryAfter' in options || status !== 503 ? options.retryAfter : RETRY_AFTER_S;
  }

  get status(): number {
    return errorCodes[this.errorCode].status;
  }

  /** Retry-After, WWW-Authenticate (RFC 6750), and the ETag of a version conflict. */
  get headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    if (this.retryAfter !== undefined) headers['Retry-After'] = String(this.retryAfter);
    if (this.status === 401) {
      const error = this.isTokenInvalid ? ', error="invalid_token"' : '';
      headers['WWW-Authenticate'] = `Bearer realm="Roster"${error}`;
    }
    if (this.errorCode === 'insufficient_scope') {
      const scope = this.scope === undefined ? '' : `, scope="${this.scope}"`;
      headers['WWW-Authenticate'] = `Bearer realm="Roster", error="insufficient_scope"${scope}`;
    }
    if (this.currentVersion !== undefined) headers.ETag = `"${this.currentVersion}"`;
    return headers;
  }

  problem(request: { instance: string; requestId: string }): Problem {
    return {
      type: `/docs/errors#${this.errorCode}`,
      title: errorCodes[this.errorCode].title,
      status: this.status,
      detail: this.message,
      instance: request.instance,
      code: this.errorCode,
      requestId: request.requestId,
      ...(this.errors && { errors: this.errors }),
      ...(this.errorsOmitted > 0 && { errorsOmitted: this.errorsOmitted }),
      ...(this.currentVersion !== undefined && { currentVersion: this.currentVersion }),
      ...(this.actualCount !== undefined && { actualCount: this.actualCount }),
      ...(this.mergedInto !== undefined && { mergedInto: this.mergedInto }),
      ...(this.dependents && { dependents: this.dependents }),
    };
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof RosterError && error.errorCode === 'not_found';
}

/** Rejects with any error other than `not_found`. */
export function isFound(read: Promise<unknown>): Promise<boolean> {
  return read.then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
}

type InputFault = FieldError & { pointer: string };

export function inputError(errorCode: ErrorCode, first: InputFault, ...others: InputFault[]): RosterError {
  const place = first.pointer.slice('#/'.length).replaceAll('/', '.') || 'The body';
  return new RosterError(errorCode, `${place} ${first.detail}.`, { errors: [first, ...others] });
}

export function invalidInput(first: InputFault, ...others: InputFault[]): RosterError {
  return inputError('validation_failed', first, ...others);
}

export function invalidParameter(parameter: string, code: string, detail: string): RosterError {
  const errors = [{ parameter, code, detail }];
  return new RosterError('invalid_parameter', `${parameter} ${detail}.`, { errors });
}
