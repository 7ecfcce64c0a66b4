import { type Kysely, sql } from 'kysely';

/**
 * The log of changes. An event is written in the statement of its change, and has no position yet: numbers that
 * are drawn while transactions run come out in another order than the transactions commit in. A position is
 * given afterwards, to committed events alone, by one giver at a time, so that whoever has seen position n never
 * finds an event at or below n later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event (
      id bigint generated always as identity primary key,
      position bigint constraint event_position_key unique,
      type text not null constraint event_type_check
        check (type ~ '^(office|agent)\\.(created|updated|deactivated|reactivated|deleted|restored|purged)$'),
      subject_id uuid not null,
      version integer not null,
      occurred_at timestamptz(3) not null,
      actor_id uuid,
      request_id text,
      reason text,
      record json,
      previous json not null default '{}',
      constraint event_record_check check ((record is null) = (type like '%.purged'))
    )`.execute(db);
  await sql`create index event_subject_idx on event (subject_id, position)`.execute(db);
  await sql`create index event_waiting_idx on event (id) where position is null`.execute(db);
  await sql`
    create table event_log (
      is_only boolean primary key default true constraint event_log_is_only_check check (is_only),
      last_position bigint not null default 0,
      compacted_to bigint not null default 0
    )`.execute(db);
  await sql`insert into event_log default values`.execute(db);
  await givingPositions(db);
}

/**
 * Gives positions to at most so many committed events, in the order they were written, and tells every server.
 * Answers how many it gave, or -1 where another giver is at work. Each statement of the function sees what was
 * committed before it began, so what the giver before gave is seen once its lock is had.
 */
async function givingPositions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function give_event_positions(count_max int) returns int language plpgsql as $$
    declare
      last bigint;
      given int;
    begin
      if not exists (select from event where position is null) then
        return 0;
      end if;
      select last_position into last from event_log for update skip locked;
      if not found then
        return -1;
      end if;
      update event set position = last + waiting.place
      from (
        select id, row_number() over (order by id) as place
        from (select id from event where position is null order by id limit count_max) as oldest
      ) as waiting
      where event.id = waiting.id;
      get diagnostics given = row_count;
      if given > 0 then
        update event_log set last_position = last + given;
        perform pg_notify('roster_events', (last + given)::text);
      end if;
      return given;
    end $$`.execute(db);
}
