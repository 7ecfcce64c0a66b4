import { TRPCError } from '@trpc/server';
import { RosterError } from '../../src/errors/roster-error.ts';

/** The `RosterError` of a rejected call; tRPC's caller wraps an error of a middleware. */
function toError(thrown: unknown): RosterError {
  const error = thrown instanceof TRPCError && !(thrown instanceof RosterError) ? thrown.cause : thrown;
  if (!(error instanceof RosterError)) throw thrown;
  return error;
}

/** The error code of a rejected call. */
export function errorCodeOf(thrown: unknown): string {
  return toError(thrown).errorCode;
}

/** Resolves to the error of a call, which must be rejected. */
export function rejected(call: Promise<unknown>): Promise<RosterError> {
  return call.then((result) => {
    throw new Error(`not rejected, but resolved to ${JSON.stringify(result)}`);
  }, toError);
}

/** The pointers and codes of all field errors. */
export function fieldErrorsOf({ errors = [] }: Pick<RosterError, 'errors'>): string[] {
  return errors.map(({ pointer, code }) => `${pointer} ${code}`);
}
