import { type FieldError, invalidParameter, RosterError } from '@roster/api';
import { ODataSyntaxError } from '@roster/odata';

/** The error of a key that no entity of a set has. */
export function noSuchEntity(set: string, key: string): RosterError {
  return new RosterError('not_found', `No ${set} has the key ${key.slice(0, 100)}.`);
}

/** Runs what parses query options, and converts its error to the one of the API. */
export function parsing<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ODataSyntaxError)) throw error;
    throw invalidParameter(error.option, error.code, error.message);
  }
}

/** Places that the message of an error names. */
const NAMED_MAX = 3;

/** The same error with other names of what is wrong, in its message too. */
export function withErrors(error: RosterError, errors: FieldError[]): RosterError {
  const named = errors.slice(0, NAMED_MAX).map(({ parameter, detail }) => `${parameter} ${detail}`);
  return new RosterError(error.errorCode, `${named.join('; ')}.`, { ...error, errors, cause: error.cause });
}
