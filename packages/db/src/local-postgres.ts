import {
  IncompatibleDataError,
  inspectLocalPostgres as inspect,
  type LocalPostgres,
  type LocalPostgresInspection,
  LocalPostgresInUse,
  type LocalPostgresOptions,
  LocalPostgresUnavailable,
  startLocalPostgres as start,
} from '@roster/local-postgres';

export type { LocalPostgres } from '@roster/local-postgres';

/** Existing data directories use this name, so it must never change. */
const NAME = 'roster';

/** Existing data of servers that run as root is here, so it must never change. */
const FALLBACK_DIR = '/var/lib/roster';

/** The address of the server that has the data directory, for errors; undefined if unknown. */
type OwnerAddress = { ownerAddress?: string | undefined };

/**
 * @throws LocalPostgresInUse if another process has started it
 * @throws LocalPostgresUnavailable if it can't run here; the message has the reason and mentions DATABASE_URL
 */
export async function startLocalPostgres(
  options: Pick<LocalPostgresOptions, 'dataDir' | 'settings' | 'fallbackDir' | 'onProgress'> & OwnerAddress,
): Promise<LocalPostgres> {
  const { ownerAddress, ...rest } = options;
  return start({ name: NAME, fallbackDir: FALLBACK_DIR, ...rest }).catch((error) => {
    throw error instanceof LocalPostgresUnavailable ? withAdvice(error, ownerAddress) : error;
  });
}

/**
 * Changes nothing.
 * @throws LocalPostgresInUse if another process has it; the message says which, and how to continue
 */
export async function checkLocalPostgresFree({
  dataDir,
  ownerAddress,
}: { dataDir: string } & OwnerAddress): Promise<void> {
  const { inUse } = await inspectLocalPostgres(dataDir);
  if (inUse !== undefined) throw withAdvice(inUse, ownerAddress);
}

/**
 * Changes nothing.
 * @param dataDir ROSTER_DATA_DIR, an absolute path, which need not exist
 */
export async function inspectLocalPostgres(dataDir: string): Promise<LocalPostgresInspection> {
  const found = await inspect({ name: NAME, fallbackDir: FALLBACK_DIR, dataDir });
  if (found.version instanceof LocalPostgresUnavailable) withAdvice(found.version, undefined);
  return found;
}

/** The problem, its reason, and what to do. */
function withAdvice<Unavailable extends LocalPostgresUnavailable>(
  error: Unavailable,
  ownerAddress: string | undefined,
): Unavailable {
  const listens = ownerAddress === undefined ? '' : ` Its server listens at ${ownerAddress}.`;
  const inUse =
    error instanceof LocalPostgresInUse
      ? `${listens}\nUse that server, stop it, or start one on other data: ROSTER_DATA_DIR=.roster-2 PORT=3001 npm start.`
      : '';
  const upgrade =
    error instanceof IncompatibleDataError
      ? ' Back the data up with the release of Roster that wrote them (roster-server backup), and restore the backup into ' +
        'a new directory with this one.'
      : '';
  error.message =
    `The local PostgreSQL cannot be used. ${error.message}${inUse}${upgrade}\n` +
    'To use a PostgreSQL server of your own instead, set DATABASE_URL=postgres://user:password@host/database.';
  return error;
}
