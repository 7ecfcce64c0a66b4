import { type Kysely, sql } from 'kysely';

/** Nothing serves a release before the first one: what only its servers would use leaves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['team', 'job', 'saved_view'])
    await sql`drop trigger ${sql.id(`${table}_is_known`)} on ${sql.table(table)}`.execute(db);
  await sql`drop function require_known_resource, exchange_rates, meet_servers, spend_rates, sync_caller_rates`.execute(
    db,
  );
  await sql`alter table running_server drop column resources`.execute(db);
  await sql`drop table caller_rate, server, primary_term`.execute(db);
  await sql`drop function note_caller_rate_change, office_record_1, agent_record_1`.execute(db);
  await sql`drop type office_shape_1, agent_shape_1, address_shape_1, source_shape_1`.execute(db);
  await sql`alter table import_row alter cells set not null`.execute(db);
}
