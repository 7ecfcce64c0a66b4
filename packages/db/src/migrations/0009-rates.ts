import { type Kysely, sql } from 'kysely';

/**
 * What servers tell each other about how much of their rate callers have spent, so that a limit holds for all servers
 * together. Both tables are unlogged: they cost no WAL, no flush and nothing on a standby, and after a crash of
 * PostgreSQL each server tells again what it knows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table server (
      id uuid primary key,
      seen_at timestamptz(3) not null,
      is_alone boolean not null
    )`.execute(db);
  await sql`
    create unlogged table caller_rate (
      caller text collate "C" primary key,
      spent_until timestamptz(3) not null
    )`.execute(db);
  await meetingServers(db);
  await spendingRates(db);
  await exchangingRates(db);
}

/**
 * Notes that a server is there, and answers how many others are. One that enters, or that says it is alone for the
 * first time, waits for the others who do, so that no two of them can both find that there is nobody else. One that
 * was not seen for a lease has been left out of all that was agreed since, and is told to enter anew.
 */
async function meetingServers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function meet_servers(
      me uuid, is_entering boolean, claims_alone boolean, lease interval,
      out is_known boolean, out others int, out is_alone boolean, out is_joinable boolean
    ) language plpgsql as $$
    begin
      if is_entering then
        perform pg_advisory_xact_lock(hashtextextended('servers that enter', 0));
        insert into server as here (id, seen_at, is_alone) values (me, clock_timestamp(), false)
        on conflict (id) do update set seen_at = excluded.seen_at, is_alone = false;
      else
        update server set seen_at = clock_timestamp()
        where server.id = me and server.seen_at > clock_timestamp() - lease;
      end if;
      is_known := found;
      select count(*), count(*) filter (where server.is_alone) = 0 into others, is_joinable
      from server where server.id <> me and server.seen_at > clock_timestamp() - lease;
      is_alone := is_known and claims_alone and (others = 0 or not is_entering);
      update server set is_alone = meet_servers.is_alone
      where server.id = me and server.is_alone <> meet_servers.is_alone;
      if is_entering and others > 0 then
        perform pg_notify('roster_servers', '');
      end if;
    end $$`.execute(db);
}

/**
 * Notes what callers spent at one server, and grants as many of the requests that wait there as the rest of their quota
 * allows: the generic cell rate algorithm, on the clock of the database. What a caller is ahead of it is at least what
 * the server knows (the first of the arrays of numbers), and at most the window and a second, so that a clock that was
 * set back keeps nobody out. Rows are locked in one order; names have to come in that order.
 */
async function spendingRates(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function spend_rates(
      callers text[], aheads_ms float8[], spents float8[], wanteds float8[], interval_ms float8, window_ms float8
    ) returns table (caller text, granted float8, ahead_ms float8) language plpgsql as $$
    #variable_conflict use_column
    declare
      at timestamptz;
    begin
      insert into caller_rate (caller, spent_until) select unnest(callers), '-infinity' on conflict do nothing;
      perform from caller_rate where caller = any(callers) order by caller for update;
      at := clock_timestamp();
      return query
        with due as (
          select asked.caller, asked.wanted, spent * interval_ms + greatest(asked.ahead_ms, extract(epoch from
            greatest(least(spent_until, at + (window_ms + 1000) * interval '1 ms'), at) - at
          ) * 1000) as ahead_ms
          from unnest(callers, aheads_ms, spents, wanteds) as asked (caller, ahead_ms, spent, wanted)
          join caller_rate using (caller)
        ), decided as (
          select caller, ahead_ms,
            greatest(least(wanted, floor((window_ms - ahead_ms) / interval_ms + 0.01)), 0) as granted from due
        )
        update caller_rate
        set spent_until = at + (decided.ahead_ms + decided.granted * interval_ms) * interval '1 ms'
        from decided where caller_rate.caller = decided.caller
        returning decided.caller, decided.granted, decided.ahead_ms + decided.granted * interval_ms;
    end $$`.execute(db);
}

/** Both in one round trip; a server that is not known any more gets nothing. */
async function exchangingRates(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function exchange_rates(
      me uuid, is_entering boolean, claims_alone boolean, lease interval,
      callers text[], aheads_ms float8[], spents float8[], wanteds float8[], interval_ms float8, window_ms float8
    ) returns json language plpgsql as $$
    declare
      met record;
      grants json;
    begin
      select * into met from meet_servers(me, is_entering, claims_alone, lease);
      if met.is_known and cardinality(callers) > 0 then
        select json_agg(json_build_object('caller', caller, 'granted', granted, 'aheadMs', ahead_ms)) into grants
        from spend_rates(callers, aheads_ms, spents, wanteds, interval_ms, window_ms);
      end if;
      return json_build_object(
        'isKnown', met.is_known, 'others', met.others, 'isAlone', met.is_alone, 'isJoinable', met.is_joinable,
        'isQuiet', is_entering and not exists (select from caller_rate where spent_until > clock_timestamp()),
        'grants', coalesce(grants, '[]')
      );
    end $$`.execute(db);
}
