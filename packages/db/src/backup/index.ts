export { createBackup, type Summary } from './create-backup.ts';
export { BackupError } from './errors.ts';
export { checkBackup, type Restored, restoreBackup } from './restore.ts';
