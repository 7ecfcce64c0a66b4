import { type Kysely, sql } from 'kysely';

/**
 * How servers synchronise the rates of callers from this release on: each reports what it let through and reads what
 * changed since it last did, in one statement.
 *
 * The functions of `0009-rates` stay, because servers of the previous release go on calling them beside servers of this
 * one, on the same two tables: a server of this release has its row in `server`, never as one that is alone, so that a
 * server of the previous release shares its counts; and a trigger notes the changes of both.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await notingChanges(db);
  await syncingRates(db);
}

/**
 * A reader asks for what transactions from a certain one on have changed. The number of a transaction, compared with the
 * oldest one that is still open, misses no change, whatever the order of the commits and whatever clocks do. There is no
 * index on it: the table has one row for each caller of the last minutes, and rows are updated in place without one.
 */
async function notingChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table caller_rate
      add changed_in xid8 not null default '0',
      add changed_at timestamptz(3) not null default '-infinity'`.execute(db);
  await sql`
    create function note_caller_rate_change() returns trigger language plpgsql as $$
    begin
      new.changed_in := pg_current_xact_id();
      new.changed_at := date_trunc('milliseconds', clock_timestamp());
      return new;
    end $$`.execute(db);
  await sql`
    create trigger caller_rate_changed before insert or update on caller_rate
    for each row execute function note_caller_rate_change()`.execute(db);
}

/**
 * Generic cell rate algorithm on the clock of the database. For each caller that is reported: `spents_ms` is what it spent
 * since the last report, in milliseconds of its steady rate, the first of it `ages_ms` ago; `debts_ms` is how far it is
 * ahead of the steady rate as far as the server knows, that included, which counts if the database knows of less (after a
 * crash, a failover to a standby, or a clock that was set forward). A debt is never larger than when it was last written, so
 * that a clock that was set back makes no caller wait longer than that. It has no other limit: what several servers let through
 * counts in full, also after some of them have stopped.
 *
 * Answers whether the server was unknown, from which transaction to read the next time, and the debts that changed from
 * `changed_from` on, all of them if the server was unknown. Rows are locked in one order.
 */
async function syncingRates(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function sync_caller_rates(
      me uuid, changed_from xid8,
      callers text[], ages_ms float8[], spents_ms float8[], debts_ms float8[]
    ) returns json language plpgsql as $$
    declare
      ms constant interval := interval '1 ms';
      is_new boolean;
      at timestamptz;
      locked int;
    begin
      update server set seen_at = clock_timestamp(), is_alone = false where id = me;
      is_new := not found;
      if is_new then
        insert into server (id, seen_at, is_alone) values (me, clock_timestamp(), false)
        on conflict do nothing;
      end if;
      -- A row that is deleted between the two statements is inserted again.
      loop
        insert into caller_rate (caller, spent_until)
        select name, '-infinity' from unnest(callers) as name order by name collate "C" on conflict do nothing;
        perform from caller_rate where caller = any(callers) order by caller for update;
        get diagnostics locked = row_count;
        exit when locked = cardinality(callers);
      end loop;
      at := clock_timestamp();
      update caller_rate
      set spent_until = greatest(
        greatest(spent_until - (greatest(changed_at, at) - at), at - age_ms * ms) + spent_ms * ms,
        at + debt_ms * ms
      )
      from unnest(callers, ages_ms, spents_ms, debts_ms) as report (name, age_ms, spent_ms, debt_ms)
      where caller = name;
      return (
        select json_build_object(
          'isNew', is_new,
          'changedFrom', pg_snapshot_xmin(pg_current_snapshot())::text,
          'debts', coalesce(json_agg(json_build_array(
            caller, extract(epoch from spent_until - greatest(changed_at, at)) * 1000
          )), '[]')
        )
        from caller_rate
        where spent_until > greatest(changed_at, at) and (is_new or changed_in >= changed_from)
      );
    end $$`.execute(db);
}
