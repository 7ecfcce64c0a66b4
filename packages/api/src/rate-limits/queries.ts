import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** What a server reports of one caller. Times are milliseconds; a request costs one interval of the steady rate. */
export interface RateReport {
  caller: string;
  /** What this server let through since it last reported the caller. */
  spentMs: number;
  /** How long ago the first of that was. */
  ageMs: number;
  /** How far the caller is ahead of the steady rate as far as this server knows, `spentMs` included. */
  debtMs: number;
}

export interface RateSync {
  /** A UUID, one for each start of a server. */
  server: string;
  /** What the last answer said; `'0'` the first time. */
  changedFrom: string;
  /** Of distinct callers. */
  reports: readonly RateReport[];
}

export interface RateSyncAnswer {
  /** True the first time, and when the database has lost what it knew: then every known debt has to be reported. */
  isNew: boolean;
  /** What to pass the next time. */
  changedFrom: string;
  /** How far callers are ahead of the steady rate on all servers together: those that changed since the last time. */
  debts: [caller: string, debtMs: number][];
}

/**
 * Reports what a server let through and reads what the others did, in one round trip (`sync_caller_rates` in the
 * database). A report whose answer is lost may have been counted; reported again, it counts twice.
 */
export async function syncCallerRates(
  db: Kysely<Database>,
  { server, changedFrom, reports }: RateSync,
): Promise<RateSyncAnswer> {
  const all = <Name extends keyof RateReport>(name: Name) => reports.map((report) => report[name]);
  const { rows } = await sql<{ answer: RateSyncAnswer }>`
    select sync_caller_rates(
      ${server}::uuid, ${changedFrom}::xid8,
      ${all('caller')}::text[], ${all('ageMs')}::float8[], ${all('spentMs')}::float8[], ${all('debtMs')}::float8[]
    ) as answer`.execute(db);
  return (rows[0] as { answer: RateSyncAnswer }).answer;
}

/** Removes a server that stops. */
export async function unregisterServer(db: Kysely<Database>, server: string): Promise<void> {
  await sql`delete from server where id = ${server}`.execute(db);
}

/**
 * Deletes callers whose quota has been whole for a minute, and servers that have not been seen for a minute. Safe on any
 * number of servers at once.
 */
export async function deleteExpiredRates(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from caller_rate where caller in (
      select caller from caller_rate where spent_until < now() - interval '1 minute' for update skip locked
    )`.execute(db);
  await sql`delete from server where seen_at < now() - interval '1 minute'`.execute(db);
}
