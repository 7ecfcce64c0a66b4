import type { SessionSupport } from '@roster/db';

const REMEDY =
  'connect to PostgreSQL itself, or set `pool_mode = session` in pgbouncer.ini (docs/operations/deploy.md, Poolers)';

/** The problem of a database whose sessions can't do what a server needs, and what to set; undefined if they can. */
export function sessionProblem({
  keepsStatements,
  receivesNotifications,
}: SessionSupport): string | undefined {
  if (receivesNotifications === false)
    return (
      'a session does not receive what another one notifies, as behind a pooler in transaction mode: the server would not ' +
      `learn of revoked keys and new events; ${REMEDY}`
    );
  if (keepsStatements) return undefined;
  return `a session loses the statements that it has prepared, as behind a pooler that does not know them; ${REMEDY}`;
}
