import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';

/** What every procedure is given: made once per request by the server, by tests as they need it. */
export interface Context {
  db: Kysely<Database>;
  /** The clock; tests pass their own. */
  now: () => Date;
  /** How long a deleted record can be restored, in days. */
  retentionDays: number;
  requestId: string;
  /** The path of the request, for `instance` in a problem. */
  instance: string;
}
