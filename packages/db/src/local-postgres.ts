import {
  IncompatibleDataError,
  inspectLocalPostgres as inspect,
  type LocalPostgres,
  type LocalPostgresInspection,
  type LocalPostgresOptions,
  type LocalPostgresUnavailable,
  startLocalPostgres as start,
} from '@roster/local-postgres';

/** Existing data directories have a superuser and a database of this name, so it must never change. */
const NAME = 'roster';

/** Existing data of servers that run as root are here, so it must never change. */
const FALLBACK_DIR = '/var/lib/roster';

/**
 * Starts the local PostgreSQL of a data directory with the names that this service uses, or uses the one that runs.
 * @throws LocalPostgresUnavailable if it cannot be run here; the message says why and names DATABASE_URL
 */
export function startLocalPostgres(
  options: Pick<LocalPostgresOptions, 'dataDir' | 'settings' | 'fallbackDir' | 'onProgress'>,
): Promise<LocalPostgres> {
  return start({ name: NAME, fallbackDir: FALLBACK_DIR, advice, ...options });
}

/**
 * Inspects the local PostgreSQL of a data directory, and changes nothing.
 * @param dataDir ROSTER_DATA_DIR, an absolute path, which need not exist
 */
export function inspectLocalPostgres(dataDir: string): Promise<LocalPostgresInspection> {
  return inspect({ name: NAME, fallbackDir: FALLBACK_DIR, advice, dataDir });
}

function advice(error: LocalPostgresUnavailable): string {
  const upgrade =
    error instanceof IncompatibleDataError
      ? ' Back the data up with the release of Roster that wrote them (roster-server backup), and restore the backup into ' +
        'a new directory with this one.'
      : '';
  return (
    `${upgrade}\nTo use a PostgreSQL server of your own instead, ` +
    'set DATABASE_URL=postgres://user:password@host/database.'
  );
}
