import { type Kysely, sql } from 'kysely';

/**
 * Changes of offices and agents that happen at a time: the queue from which every server takes what is due, and the list of
 * what was done. The column of a record holds its pending ones as the API shows them, so that the materialised JSON has them.
 *
 * There are no foreign keys: an office that a transfer names may be deleted before its time, and the transfer then fails.
 * A record that is deleted cancels its pending changes in a trigger, so that it does so on servers of the release before
 * too, which know neither the table nor the column; and a record that is inserted has none, also if it is restored from a
 * state that had some.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scheduled_change (
      id uuid primary key,
      resource text not null constraint scheduled_change_resource_check check (resource in ('offices', 'agents')),
      subject_id uuid not null,
      change text not null constraint scheduled_change_change_check
        check (change in ('deactivate', 'reactivate', 'transfer', 'transfer_agents')),
      effective_at timestamptz(3) not null,
      office_id uuid,
      is_cascade boolean not null default false,
      reason text,
      status text not null default 'pending' constraint scheduled_change_status_check
        check (status in ('pending', 'done', 'failed', 'cancelled')),
      scheduled_by uuid not null,
      scheduled_at timestamptz(3) not null,
      attempts integer not null default 0,
      due_at timestamptz(3) not null,
      finished_at timestamptz(3),
      error_code text,
      error text,
      constraint scheduled_change_office_check
        check ((office_id is not null) = (change in ('transfer', 'transfer_agents'))),
      constraint scheduled_change_finished_check check ((finished_at is null) = (status = 'pending')),
      constraint scheduled_change_error_check check ((error_code is not null) = (status = 'failed'))
    )`.execute(db);
  await sql`create index scheduled_change_due_idx on scheduled_change (due_at) where status = 'pending'`.execute(
    db,
  );
  await sql`create index scheduled_change_effective_at_idx on scheduled_change (effective_at, id)`.execute(
    db,
  );
  await sql`create index scheduled_change_scheduled_at_idx on scheduled_change (scheduled_at, id)`.execute(
    db,
  );
  await sql`
    create index scheduled_change_subject_idx on scheduled_change (subject_id, effective_at, id)`.execute(db);
  await sql`
    create index scheduled_change_office_idx on scheduled_change (office_id, effective_at, id)
    where office_id is not null`.execute(db);
  await sql`
    create index scheduled_change_finished_idx on scheduled_change (finished_at)
    where status <> 'pending'`.execute(db);
  await columns(db);
}

async function columns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function cancel_scheduled_changes() returns trigger language plpgsql as $$
    begin
      update scheduled_change set status = 'cancelled', finished_at = clock_timestamp()
      where subject_id = old.id and status = 'pending';
      return null;
    end $$`.execute(db);
  await sql`
    create function have_no_scheduled_changes() returns trigger language plpgsql as $$
    begin
      new.scheduled_changes := '[]';
      return new;
    end $$`.execute(db);
  for (const table of ['office', 'agent']) {
    await sql`alter table ${sql.table(table)} add scheduled_changes jsonb not null default '[]'`.execute(db);
    await sql`
      create trigger ${sql.id(`${table}_cancels`)} after delete on ${sql.table(table)}
      for each row when (old.scheduled_changes <> '[]') execute function cancel_scheduled_changes()`.execute(
      db,
    );
    // Its name is before that of the trigger that materialises the JSON, and so it runs before it.
    await sql`
      create trigger ${sql.id(`${table}_begins`)} before insert on ${sql.table(table)}
      for each row when (new.scheduled_changes <> '[]') execute function have_no_scheduled_changes()`.execute(
      db,
    );
  }
}
