import { type Kysely, sql } from 'kysely';

/** The event of a link with which a person signs in, that someone else has made for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table admin_event
      drop constraint admin_event_type_check,
      add constraint admin_event_type_check check (
        type ~ '^(key\\.(created|updated|rotated|revoked)|webhook\\.(created|updated|rotated|replayed|deleted)|person\\.(invited|updated|deactivated|reactivated|deleted|link_created)|session\\.(created|ended)|access\\.denied)$'
      ) not valid`.execute(db);
}
