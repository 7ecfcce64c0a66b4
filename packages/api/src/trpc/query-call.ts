import { toRosterError } from '../errors/to-roster-error.ts';
import type { CallContext } from './context.ts';

export type QueryContext = Pick<CallContext, 'db' | 'caller' | 'request'>;

export async function runQuery<Result>(query: () => Promise<Result>): Promise<Result> {
  try {
    return await query();
  } catch (error) {
    throw toRosterError(error);
  }
}
