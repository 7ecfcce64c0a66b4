import { toRosterError } from '../errors/to-roster-error.ts';
import type { CallContext } from './context.ts';

/** The parts of a call that a query reads. The offices to which the caller is limited follow from the scopes that it needs. */
export type QueryContext = Pick<CallContext, 'db' | 'caller' | 'request'>;

/** Runs a query that is no procedure as procedures are run: with a `RosterError` for whatever it throws. */
export async function runQuery<Result>(query: () => Promise<Result>): Promise<Result> {
  try {
    return await query();
  } catch (error) {
    throw toRosterError(error);
  }
}
