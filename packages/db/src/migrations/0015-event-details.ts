import { type Kysely, sql } from 'kysely';

/**
 * What an event says of its change beside the record (`details`), and the types of more changes: `agent.transferred`,
 * and of both resources `license_expiring` and `change_failed`.
 *
 * The check of the types is replaced by a wider one under its name, `not valid`, because what was inserted before satisfied
 * the narrower one: no scan holds the lock of the table. Rows that are written from now on are checked.
 *
 * Servers of the release before never write these types and go on writing the others, without `details`. They deliver events
 * of the new types to webhooks as they are. A page of `GET /events`, or a stream, that reaches one fails on such a server
 * with 500, as its schema does not allow the type; it is never skipped. So a reader misses nothing: its cursor stays, and it
 * goes on as soon as a server of this release answers it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table event
      add details json,
      drop constraint event_type_check,
      add constraint event_type_check check (
        type ~ '^((office|agent)\\.(created|updated|deactivated|reactivated|deleted|restored|purged|license_expiring|change_failed)|agent\\.transferred)$'
      ) not valid`.execute(db);
}
