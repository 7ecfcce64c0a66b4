export { type BackupOptions, type OnProgress, type Summary, takeBackup } from './create-backup.ts';
export { BackupError } from './errors.ts';
export { checkBackup, type Restored, type RestoreOptions, restoreBackup } from './restore.ts';
