import { type Kysely, sql } from 'kysely';

/**
 * Keys with all scopes of the release before get the new one too: such a key, like the first one of a service, is to have all
 * rights. A server of the release before does not know the scope, and lists no keys until it has stopped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update api_key set scopes = scopes || array['people:manage']
    where scopes @> array[
      'offices:read', 'offices:write', 'agents:read', 'agents:write', 'events:read', 'webhooks:manage', 'keys:manage'
    ] and not scopes @> array['people:manage']`.execute(db);
}
