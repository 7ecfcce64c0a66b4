import { type Kysely, sql } from 'kysely';

/**
 * Saved views of lists: the parameters of a list and the columns it is shown with. The owner is a key or a person, as the actor of
 * an event, so there is no foreign key. `query` and `columns` are JSON as it was sent: nothing is looked up in them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_view (
      id uuid primary key,
      name text not null constraint saved_view_name_check check (char_length(name) between 1 and 200),
      resource text not null constraint saved_view_resource_check check (resource in ('offices', 'agents')),
      is_shared boolean not null,
      query json not null constraint saved_view_query_check check (json_typeof(query) = 'object'),
      columns json not null constraint saved_view_columns_check check (json_typeof(columns) = 'array'),
      version int not null,
      created_at timestamptz(3) not null,
      created_by uuid not null,
      updated_at timestamptz(3) not null
    )`.execute(db);
  await sql`create index saved_view_owner_idx on saved_view (created_by, created_at, id)`.execute(db);
  await sql`create index saved_view_shared_idx on saved_view (created_at, id) where is_shared`.execute(db);
}
