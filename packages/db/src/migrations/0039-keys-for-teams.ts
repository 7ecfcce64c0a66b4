import { type Kysely, sql } from 'kysely';

/**
 * Keys with all scopes of the release before get those of teams too: such a key, like the first one of a service, is to have all
 * rights, and nobody gives scopes that they do not have. A server of the release before does not know these scopes, and lists no
 * keys until it has stopped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update api_key set scopes = scopes || array['teams:read', 'teams:write']
    where scopes @> array[
      'offices:read', 'offices:write', 'agents:read', 'agents:write', 'events:read', 'webhooks:manage', 'keys:manage',
      'people:manage', 'status:read'
    ] and not scopes && array['teams:read', 'teams:write']`.execute(db);
}
