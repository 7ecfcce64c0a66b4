import { sql } from 'kysely';
import type { TestServer } from './index.ts';

/** Does something while another connection holds the table of offices. */
export async function whileLocked(of: TestServer, act: () => Promise<Response>): Promise<Response> {
  return of.database.db.transaction().execute(async (trx) => {
    await sql`lock table office in access exclusive mode`.execute(trx);
    return await act();
  });
}
