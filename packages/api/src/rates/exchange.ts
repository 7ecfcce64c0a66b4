import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/** What a server says of one caller. */
export interface RateReport {
  caller: string;
  /** By how many milliseconds the caller is ahead of the steady rate at least, as this server knows; 0 if it does not. */
  aheadMs: number;
  /** Requests this server let through since it last said so; negative where it gives back what it was granted. */
  spent: number;
  /** Requests that wait here for a grant. */
  wanted: number;
}

/** What a server says to the others, by the database. */
export interface Exchange {
  /** Whether it begins to be one of them, or, being one, to say that it is alone. */
  isEntering: boolean;
  /** Whether it lets callers spend without asking, or would. */
  claimsAlone: boolean;
  reports: RateReport[];
}

export interface ExchangeAnswer {
  /** False where it was not seen for a lease: then nothing of what it said counts, and it has to enter anew. */
  isKnown: boolean;
  /** How many other servers there are. */
  others: number;
  /** Whether there is nobody else, as it claimed. */
  isAlone: boolean;
  /** Whether no other one lets callers spend without asking. */
  isJoinable: boolean;
  /** For one that enters: whether no caller is ahead of the steady rate, as far as the database knows. */
  isQuiet: boolean;
  /** For the callers of the reports: how many requests may go ahead, and how far ahead of the steady rate that is. */
  grants: { caller: string; granted: number; aheadMs: number }[];
}

interface Terms {
  /** A UUID. */
  server: string;
  leaseMs: number;
  /** One request in this time is the steady rate. */
  intervalMs: number;
  windowMs: number;
}

/** One round trip in which servers agree on what callers may spend; `exchange_rates` in the database decides. */
export async function exchangeRates(
  db: Kysely<Database>,
  { isEntering, claimsAlone, reports }: Exchange,
  { server, leaseMs, intervalMs, windowMs }: Terms,
): Promise<ExchangeAnswer> {
  // Everyone locks the rows in one order, which is that of the bytes.
  const ordered = reports.toSorted((a, b) => (a.caller < b.caller ? -1 : 1));
  const all = <Name extends keyof RateReport>(name: Name) => ordered.map((report) => report[name]);
  const { rows } = await sql<{ answer: ExchangeAnswer }>`
    select exchange_rates(
      ${server}::uuid, ${isEntering}::boolean, ${claimsAlone}::boolean, ${leaseMs}::float8 * interval '1 ms',
      ${all('caller')}::text[], ${all('aheadMs')}::float8[], ${all('spent')}::float8[], ${all('wanted')}::float8[],
      ${intervalMs}::float8, ${windowMs}::float8
    ) as answer`.execute(db);
  return (rows[0] as { answer: ExchangeAnswer }).answer;
}

/** A server goes: the others need not wait until its lease is over. */
export async function leaveRates(db: Kysely<Database>, server: string): Promise<void> {
  await sql`delete from server where id = ${server}`.execute(db);
}

/** Removes callers whose quota is whole, and servers that are gone. Safe on any number of servers at once. */
export async function forgetRates(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from caller_rate where caller in (
      select caller from caller_rate where spent_until < now() - interval '1 minute' for update skip locked
    )`.execute(db);
  await sql`delete from server where seen_at < now() - interval '1 minute'`.execute(db);
}
