import {
  ForeignDataError,
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

/** Throws LocalPostgresInUse, or LocalPostgresUnavailable with a message that mentions DATABASE_URL. */
export async function startLocalPostgres(
  options: Pick<LocalPostgresOptions, 'dataDir' | 'settings' | 'fallbackDir' | 'onProgress'> & OwnerAddress,
): Promise<LocalPostgres> {
  const { ownerAddress, ...rest } = options;
  return start({ name: NAME, fallbackDir: FALLBACK_DIR, ...rest }).catch((error) => {
    throw error instanceof LocalPostgresUnavailable ? withAdvice(error, ownerAddress) : error;
  });
}

/** Throws LocalPostgresInUse, which says how to continue. Changes nothing. */
export async function checkLocalPostgresFree({
  dataDir,
  ownerAddress,
}: { dataDir: string } & OwnerAddress): Promise<void> {
  const { inUse } = await inspectLocalPostgres(dataDir);
  if (inUse !== undefined) throw withAdvice(inUse, ownerAddress);
}

/** `dataDir` is an absolute path, which need not exist. Changes nothing. */
export async function inspectLocalPostgres(dataDir: string): Promise<LocalPostgresInspection> {
  const found = await inspect({ name: NAME, fallbackDir: FALLBACK_DIR, dataDir });
  if (found.version instanceof LocalPostgresUnavailable) withAdvice(found.version, undefined);
  return found;
}

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
  const foreign =
    error instanceof ForeignDataError
      ? ' For other data: ROSTER_DATA_DIR=.roster-2 PORT=3001 npm start.'
      : '';
  error.message =
    `The local PostgreSQL cannot be used. ${error.message}${inUse}${foreign}${upgrade}\n` +
    'To use a PostgreSQL server of your own instead, set DATABASE_URL=postgres://user:password@host/database.';
  return error;
}
