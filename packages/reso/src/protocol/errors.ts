import { type FieldError, RosterError } from '@roster/api';
import { ODataSyntaxError } from '@roster/odata';

/** The error of a query option or a header: `invalid_parameter` with its name as the target. */
export function optionError(parameter: string, code: string, detail: string): RosterError {
  return new RosterError('invalid_parameter', `${parameter} ${detail}.`, {
    errors: [{ parameter, code, detail }],
  });
}

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
    throw optionError(error.option, error.code, error.message);
  }
}

/** Places that the message of an error names. */
const NAMED_MAX = 3;

/** The same error with other names of what is wrong, in its message too. */
export function withErrors(error: RosterError, errors: FieldError[]): RosterError {
  const { dependents, currentVersion, actualCount, mergedInto, retryAfter, scope } = error;
  const named = errors.slice(0, NAMED_MAX).map(({ parameter, detail }) => `${parameter} ${detail}`);
  return new RosterError(error.errorCode, `${named.join('; ')}.`, {
    errors,
    errorsOmitted: error.errorsOmitted,
    ...(dependents && { dependents }),
    ...(currentVersion !== undefined && { currentVersion }),
    ...(actualCount !== undefined && { actualCount }),
    ...(mergedInto !== undefined && { mergedInto }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(scope !== undefined && { scope }),
    isTokenInvalid: error.isTokenInvalid,
    cause: error.cause,
  });
}
