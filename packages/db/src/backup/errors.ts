/** Why a backup or a restore cannot be; the message is for the people who asked for it. */
export class BackupError extends Error {
  override name = 'BackupError';
}
