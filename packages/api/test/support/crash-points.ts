import type { Database } from '@roster/db';
import { type Kysely, sql } from 'kysely';

/**
 * Lets the connection of a transaction end between two of its steps: before and after each row that it writes to `event`,
 * `agent`, `office` or `scheduled_change`, and before it commits. The steps are counted by a sequence, which a rollback
 * does not set back.
 */
export async function installCrashPoints(db: Kysely<Database>): Promise<void> {
  await sql`create sequence crash_step`.execute(db);
  await sql`create table crash_plan (at bigint not null)`.execute(db);
  await sql`insert into crash_plan values (0)`.execute(db);
  await sql`
    create function crash_here() returns trigger language plpgsql as $$
    begin
      if nextval('crash_step') = (select at from crash_plan) then
        perform pg_terminate_backend(pg_backend_pid());
        perform pg_sleep(1);
      end if;
      return new;
    end $$`.execute(db);
  for (const table of ['event', 'agent', 'office', 'scheduled_change']) {
    const name = sql.table(table);
    for (const when of ['before', 'after'])
      await sql`
        create trigger ${sql.id(`crash_${when}`)} ${sql.raw(when)} insert or update on ${name}
        for each row execute function crash_here()`.execute(db);
    await sql`
      create constraint trigger crash_at_commit after insert or update on ${name}
      deferrable initially deferred for each row execute function crash_here()`.execute(db);
  }
}

/** Plans a crash so many steps from now; 0 for none. */
export async function crashAfter(db: Kysely<Database>, steps: number): Promise<void> {
  await sql`
    update crash_plan set at = case when ${steps}::int = 0 then 0
      else (select last_value from crash_step) + ${steps}::int end`.execute(db);
}

/** Whether the planned crash has happened. */
export async function hasCrashed(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ isOver: boolean }>`
    select at > 0 and last_value >= at as "isOver" from crash_plan, crash_step`.execute(db);
  return rows[0]?.isOver === true;
}
