import { TRPCError } from '@trpc/server';
import { RosterError } from '../../src/errors/roster-error.ts';

/** The refusal in what a call threw; tRPC's caller wraps what a middleware threw. */
function refusalIn(thrown: unknown): RosterError {
  const refusal = thrown instanceof TRPCError && !(thrown instanceof RosterError) ? thrown.cause : thrown;
  if (!(refusal instanceof RosterError)) throw thrown;
  return refusal;
}

/** The reason in what a call threw. */
export function reasonOf(thrown: unknown): string {
  return refusalIn(thrown).errorCode;
}

/** What a call is refused with, which it must be. */
export function refused(calling: Promise<unknown>): Promise<RosterError> {
  return calling.then((answer) => {
    throw new Error(`not refused, but answered with ${JSON.stringify(answer)}`);
  }, refusalIn);
}

/** Places and codes of all that is wrong. */
export function faultsOf({ errors = [] }: Pick<RosterError, 'errors'>): string[] {
  return errors.map(({ pointer, code }) => `${pointer} ${code}`);
}
