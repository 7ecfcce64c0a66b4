import { type FieldError, invalidParameter, RosterError } from '@roster/api';
import { ODataSyntaxError } from '@roster/odata';

export function noSuchEntity(set: string, key: string): RosterError {
  return new RosterError('not_found', `No ${set} has the key ${key.slice(0, 100)}.`);
}

export function parsing<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw invalidParameter(error.option, error.code, error.message);
  }
}

const NAMED_MAX = 3;

/** Replaces the field errors, and the message with them. */
export function withErrors(error: RosterError, errors: FieldError[]): RosterError {
  const named = errors.slice(0, NAMED_MAX).map(({ parameter, detail }) => `${parameter} ${detail}`);
  return new RosterError(error.errorCode, `${named.join('; ')}.`, { ...error, errors, cause: error.cause });
}
