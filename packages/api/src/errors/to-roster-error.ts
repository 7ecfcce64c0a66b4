import { CannotConnectError, ConnectionLostError, codeOf, SQLSTATE } from '@roster/db';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { toConstraintError } from './constraint-errors.ts';
import { describeIssues, type RejectedInput, summarize } from './describe-issue.ts';
import type { ErrorCode } from './error-codes.ts';
import { RosterError } from './roster-error.ts';

/**
 * Converts a thrown error for the response:
 * - a `RosterError` stays unchanged;
 * - an input rejected by its schema: `invalid_parameter` if a parameter is wrong, else `validation_failed`,
 *   with all fields;
 * - a violated constraint: its field's error (constraint-errors.ts);
 * - a database that is unavailable, slow or overloaded: 503;
 * - anything else: `internal`, with the cause only for the log.
 *
 * @param rejected the input, if its schema rejected it
 */
export function toRosterError(thrown: unknown, rejected: Partial<RejectedInput> = {}): RosterError {
  if (thrown instanceof RosterError) return thrown;
  if (thrown instanceof TRPCError) {
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof z.ZodError) {
      return toValidationError(thrown.cause, { input: undefined, isParameter: () => false, ...rejected });
    }
    // tRPC has no code for an input that is not JSON.
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof SyntaxError) {
      return new RosterError('invalid_json', `${thrown.message}.`, { cause: thrown });
    }
    const errorCode = errorCodesOfTrpc[thrown.code];
    if (errorCode !== undefined) return new RosterError(errorCode, thrown.message, { cause: thrown });
    return toDatabaseError(thrown.cause) ?? new RosterError('internal', undefined, { cause: thrown });
  }
  return toDatabaseError(thrown) ?? new RosterError('internal', undefined, { cause: thrown });
}

/** The connection broke while a statement was running: if it was a change, it may have been made. */
export function isOutcomeUnknown({ cause }: RosterError): boolean {
  return cause instanceof ConnectionLostError && !(cause instanceof CannotConnectError);
}

const errorCodesOfTrpc: Partial<Record<TRPCError['code'], ErrorCode>> = {
  PARSE_ERROR: 'invalid_json',
  BAD_REQUEST: 'bad_request',
  NOT_FOUND: 'no_such_route',
  METHOD_NOT_SUPPORTED: 'method_not_allowed',
  PAYLOAD_TOO_LARGE: 'payload_too_large',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
};

function toValidationError(error: z.ZodError, rejected: RejectedInput): RosterError {
  const { errors, omitted } = describeIssues(error.issues, rejected);
  const isAboutParameters = errors.some(({ parameter }) => parameter !== undefined);
  const errorCode = isAboutParameters ? 'invalid_parameter' : 'validation_failed';
  const options = { errors, errorsOmitted: omitted, cause: error };
  return new RosterError(errorCode, summarize(errors, omitted), options);
}

/** The statement or its wait for a lock was cancelled. */
const timeouts: ReadonlySet<string> = new Set([SQLSTATE.queryCanceled, SQLSTATE.lockNotAvailable]);

/** Connection exception, insufficient resources, operator intervention: worth a retry. */
const temporaryClasses = /^(08|53|57P)/;
const temporaryErrors: ReadonlySet<string> = new Set([
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
  // The primary has become a standby.
  SQLSTATE.readOnlySqlTransaction,
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

function toDatabaseError(error: unknown): RosterError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code === undefined) {
    // Recognised by text, because node-postgres gives these two no code.
    const isConnectionLost = /^(Connection terminated|timeout exceeded when trying to connect)/.test(
      error.message,
    );
    return isConnectionLost ? new RosterError('unavailable', undefined, { cause: error }) : undefined;
  }
  if (timeouts.has(code)) return new RosterError('timeout', undefined, { cause: error });
  if (code === SQLSTATE.tooManyConnections) return new RosterError('overloaded', undefined, { cause: error });
  if (temporaryClasses.test(code) || temporaryErrors.has(code))
    return new RosterError('unavailable', undefined, { cause: error });
  return toConstraintError({ ...error, code });
}
