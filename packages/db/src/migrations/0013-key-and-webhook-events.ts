import { type Kysely, sql } from 'kysely';

/**
 * Which key made a key or a webhook, and the events of both. Their events are in a table of their own, so that servers of
 * the release before, which know no such types, go on reading the log; the positions are those of the one log. A position
 * is taken in the transaction of the change, which holds the row of the log until it ends: such changes are rare.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_key add created_by uuid`.execute(db);
  await sql`alter table webhook add created_by uuid`.execute(db);
  await sql`
    create table admin_event (
      position bigint primary key,
      type text not null constraint admin_event_type_check
        check (type ~ '^(key\\.(created|updated|rotated|revoked)|webhook\\.(created|updated|rotated|replayed|deleted))$'),
      subject_id uuid not null,
      version integer not null,
      occurred_at timestamptz(3) not null,
      actor_id uuid,
      request_id text,
      record json not null,
      previous json not null default '{}'
    )`.execute(db);
  await sql`create index admin_event_subject_idx on admin_event (subject_id, position)`.execute(db);
}
