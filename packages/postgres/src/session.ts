import type { ClientBase } from 'pg';

/** Settings of PostgreSQL for every connection, in milliseconds; 0 for no limit. */
export interface SessionSettings {
  statement_timeout: number;
  lock_timeout: number;
  idle_in_transaction_session_timeout: number;
}

/**
 * Run once on every new connection, and not as parameters of its start, which poolers reject or lose.
 *
 * - A sequential scan of a large table begins at the first block, and not where another one is (`synchronize_seqscans`), so that
 *   two statements with a LIMIT and no ORDER BY read the same rows.
 * - PostgreSQL ends a statement whose connection was closed, within a second; Windows cannot.
 * - glibc returns what a statement allocated to the system when it ends, and the next statement faults it in again page by page.
 *   After a large block was freed, glibc keeps up to twice its size (`M_TRIM_THRESHOLD`, mallopt(3)), here 2 MB.
 */
const SET = `
  select set_config(name, value, false), length(repeat(' ', 1000000)) from jsonb_each_text($1) as wanted (name, value)
  where name <> 'client_connection_check_interval' or version() !~ 'mingw|Visual C'`;

/** Prepares a new connection. */
export async function prepareSession(client: ClientBase, settings: SessionSettings): Promise<void> {
  const all = { ...settings, synchronize_seqscans: 'off', client_connection_check_interval: '1s' };
  await client.query(SET, [JSON.stringify(all)]);
}
