import { toRosterError } from '../errors/to-roster-error.ts';
import type { CallContext } from './context.ts';

/** Office limits follow from the scopes. */
export type QueryContext = Pick<CallContext, 'db' | 'caller' | 'request'>;

/** Converts errors as for procedures. */
export async function runQuery<Result>(query: () => Promise<Result>): Promise<Result> {
  try {
    return await query();
  } catch (error) {
    throw toRosterError(error);
  }
}
