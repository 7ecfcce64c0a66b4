/** Why a backup or a restore failed. The message is for the person who asked for it. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** The error for content of a backup that differs from what was written. */
export function damaged(what: string): BackupError {
  return new BackupError(`The backup is damaged: ${what} is not as it was written.`);
}

/**
 * The error of a database session for people.
 * @param error what a statement threw
 * @param lost the error event of the connection, if there was one
 * @returns a BackupError if the connection was lost or PostgreSQL sent the error; else the error itself
 */
export function toBackupError(error: unknown, lost: Error | undefined): unknown {
  const end = lost ?? (isPostgresError(error) && error.severity === 'FATAL' ? error : undefined);
  if (end) {
    return new BackupError(`The connection to the database was lost: ${messageOf(end)}`, { cause: error });
  }
  return isPostgresError(error)
    ? new BackupError(`PostgreSQL returned an error: ${error.message}`, { cause: error })
    : error;
}

/** Whether PostgreSQL sent the error, which then has a severity. */
function isPostgresError(error: unknown): error is Error & { severity: unknown } {
  return error instanceof Error && 'severity' in error;
}

/**
 * The message of an error. A host with several addresses fails with an AggregateError, which has no message of its own;
 * then the messages of all its errors.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
