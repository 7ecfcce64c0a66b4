import { type Kysely, sql } from 'kysely';
import { records } from '../repeatable/records.ts';
import type { Database } from '../tables.ts';

/** So that every test of changes checks the log. */
export async function requireEvents(db: Kysely<Database>): Promise<void> {
  await sql`
    create function require_event() returns trigger language plpgsql as $$
    declare
      verbs text[] := case tg_op
        when 'INSERT' then array['created', 'restored']
        when 'UPDATE' then array['updated', 'deactivated', 'reactivated', 'transferred', 'change_failed', 'merged']
        else array['deleted'] end;
      changed record := coalesce(new, old);
    begin
      -- What is kept beside the record, such as the place of work, is no change of it.
      if tg_op = 'UPDATE' and new.record::text is not distinct from old.record::text then
        return null;
      end if;
      if not exists (
        select from event
        where subject_id = changed.id and version = changed.version
          and split_part(type, '.', 1) = tg_table_name and split_part(type, '.', 2) = any(verbs)
      ) then
        raise exception '% of % % committed without an event', tg_op, tg_table_name, changed.id;
      end if;
      return null;
    end $$`.execute(db);
  for (const table of Object.keys(records)) {
    await sql`
      create constraint trigger require_event after insert or update or delete on ${sql.table(table)}
      deferrable initially deferred for each row execute function require_event()`.execute(db);
  }
}
