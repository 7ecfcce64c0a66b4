import { type Kysely, sql } from 'kysely';

/**
 * The scope `status:read` leaves with the operation that it was for. A key that has no other scope may do nothing any more: it is
 * revoked, with a scope in its place because a key has at least one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update api_key set scopes = '{events:read}', revoked_at = coalesce(revoked_at, now())
    where scopes <@ array['status:read']`.execute(db);
  await sql`
    update api_key set scopes = array_remove(scopes, 'status:read') where 'status:read' = any (scopes)`.execute(
    db,
  );
}
