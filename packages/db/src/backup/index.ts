export { BackupError } from './failure.ts';
export { checkBackup, type Restored, type RestoreOptions, restoreBackup } from './restore.ts';
export { type BackupOptions, type OnProgress, type Summary, takeBackup } from './take.ts';
