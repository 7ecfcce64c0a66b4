import { type Kysely, sql } from 'kysely';

/**
 * A resource that an older server does not know has no records while such a server runs: it would answer a page of events that has one
 * of them with 500, and fail in changing them. Each server says which resources it knows; one of a release before says nothing.
 *
 * Servers of 0.1.0 have no row in `running_server`, but one in `server`, where they exchange rates and this release does not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table running_server add resources text[] not null default '{}'`.execute(db);
  await sql`
    create function require_known_resource() returns trigger language plpgsql as $$
    begin
      if exists (
        select from running_server
        where seen_at > clock_timestamp() - interval '15 s' and tg_argv[0] <> all (resources)
      ) or exists (
        select from server where seen_at > clock_timestamp() - interval '15 s'
      ) then
        raise exception 'a server runs that does not know %', tg_argv[0] using errcode = 'RS001';
      end if;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger team_is_known before insert on team
    for each statement execute function require_known_resource('teams')`.execute(db);
  await sql`
    create trigger job_is_known before insert on job
    for each row when (new.resource = 'teams') execute function require_known_resource('teams')`.execute(db);
  await sql`
    create trigger saved_view_is_known before insert on saved_view
    for each row when (new.resource = 'teams') execute function require_known_resource('teams')`.execute(db);
}
