import { type Kysely, sql } from 'kysely';

/**
 * The servers that run, which `status.get` lists. A server writes its row every few seconds; the rows mean nothing after a crash of the
 * database, so the table is unlogged. `server` is that of the rates: it has no row of a server without a rate limit.
 *
 * Keys with all scopes of the release before get the new one too, as in 0025.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create unlogged table running_server (
      id uuid primary key,
      host text not null constraint running_server_host_check check (char_length(host) between 1 and 255),
      pid int not null,
      version text not null constraint running_server_version_check check (char_length(version) between 1 and 50),
      started_at timestamptz(3) not null,
      seen_at timestamptz(3) not null
    )`.execute(db);
  await sql`
    update api_key set scopes = scopes || array['status:read']
    where scopes @> array[
      'offices:read', 'offices:write', 'agents:read', 'agents:write', 'events:read', 'webhooks:manage', 'keys:manage',
      'people:manage'
    ] and not scopes @> array['status:read']`.execute(db);
}
